"""Signing in with a security key and with another site, under the site's own Content-Security-Policy."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.looks import fits

NAME, PASSWORD = "keyholder", "a-good-passphrase"
# What Chromium has instead of a key on USB.
VIRTUAL_KEY = {
    "protocol": "ctap2",
    "transport": "usb",
    "hasResidentKey": False,
    "hasUserVerification": False,
    "automaticPresenceSimulation": True,
}


@pytest.fixture
def url(site):
    """Return an address with a name: a security key belongs to a name, not to a number."""
    return site.url.replace("127.0.0.1", "localhost")


def fill_in(page, **fields):
    for name, value in fields.items():
        page.locator(f"main [name={name}]").fill(value)
    page.locator("main .form button[type=submit]").first.click()


def sign_up(page, url, site):
    page.goto(f"{url}/accounts/signup/")
    fill_in(page, username=NAME, email="keyholder@example.com", password1=PASSWORD, password2=PASSWORD)
    page.locator(".account").get_by_text(NAME).wait_for()
    mails = "".join(file.read_text() for file in (site.folder / "mail").iterdir())
    page.goto(re.search(rf"{url}/accounts/confirm-email/\S+", mails.replace("=\n", ""))[0])
    page.get_by_role("button", name="Confirm").click()
    page.get_by_text("You have confirmed").wait_for()


def test_a_security_key_is_added_and_asked_for(open_page, site, url):
    page = open_page()
    sign_up(page, url, site)
    devtools = page.context.new_cdp_session(page)
    devtools.send("WebAuthn.enable")
    devtools.send("WebAuthn.addVirtualAuthenticator", {"options": VIRTUAL_KEY})
    page.goto(f"{url}/accounts/2fa/webauthn/add/")
    fill_in(page, password=PASSWORD)  # to confirm who asks
    page.wait_for_url("**/webauthn/add/")  # with its scripts, which the button needs
    page.get_by_role("button", name="Add").click()
    page.get_by_role("heading", name="Recovery codes").wait_for()

    page.goto(f"{url}/accounts/logout/")
    page.locator("main button[type=submit]").click()
    expect(page.locator(".mine")).to_have_text("Sign in")
    page.goto(f"{url}/accounts/login/")
    fill_in(page, login=NAME, password=PASSWORD)
    page.wait_for_url("**/2fa/authenticate/")
    expect(page.locator(".mine")).to_have_text("Sign in")
    page.get_by_role("button", name="Use a security key").click()
    page.locator(".account").get_by_text(NAME).wait_for()


@pytest.mark.parametrize("width", [360, 1280])
def test_somebody_signs_up_and_in_with_another_site(open_page, site, width):
    site.elsewhere.person = {
        "sub": f"of {width}",
        "email": f"hale{width}@example.com",
        "email_verified": True,
    }
    page = open_page(viewport={"width": width, "height": 740})
    page.goto("/accounts/login/?next=/clubs/new/")
    page.get_by_role("button", name="Sign in with Club House").click()
    expect(page.locator("main")).to_contain_text("Club House has told us who you are")
    assert fits(page)
    page.get_by_label("Username").fill(f"Hale {width}")
    page.get_by_role("button", name="Sign up").click()
    page.wait_for_url("**/clubs/new/")

    page.goto("/accounts/elsewhere/")
    expect(page.locator("main")).to_contain_text(f"hale{width}@example.com")
    assert fits(page)
    page.goto("/accounts/logout/")
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator(".mine")).to_have_text("Sign in")
    page.goto("/accounts/login/")
    assert fits(page)
    page.get_by_role("button", name="Sign in with Club House").click()
    page.locator(".account").get_by_text(f"Hale {width}").wait_for()
