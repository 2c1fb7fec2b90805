"""A Japanese club from nothing on a phone: account, club, season, first evening, next season."""

from playwright.sync_api import expect

from tests.browser.conftest import as_another
from tests.browser.looks import fits

PHONE = {"viewport": {"width": 360, "height": 740}, "locale": "ja-JP", "timezone_id": "Asia/Tokyo"}
NAMES = "川島\n高橋\n佐藤\n鈴木"


def press(page, name):
    page.locator("main").get_by_role("button", name=name, exact=True).click()


def follow(page, name):
    page.locator("main").get_by_role("link", name=name, exact=True).first.click()


def sign_up(page):
    page.goto("/")
    follow(page, "ユーザー登録")
    typed = {"username": "川島", "email": "kawashima@example.com"}
    for field, value in (typed | dict.fromkeys(("password1", "password2"), "a-good-passphrase-9")).items():
        page.locator(f"input[name={field}]").fill(value)
    press(page, "ユーザー登録")


def open_club(page):
    follow(page, "クラブを作る")
    name = page.locator("input[name=name]")
    name.fill("川辺ポーカークラブ")
    name.press("Tab")
    expect(page.locator("#id_slug_helptext")).to_have_text("空欄の場合: pokakurabu")
    expect(page.locator("select[name=time_zone]")).to_have_value("Asia/Tokyo")
    expect(page.locator("select[name=language]")).to_have_value("ja")
    is_public = page.locator("input[name=is_public]")
    expect(is_public).not_to_be_checked()
    is_public.check()
    assert fits(page)
    press(page, "クラブを作る")


def begin_season(page, name, address):
    field = page.locator("input[name=name]")
    field.fill(name)
    field.press("Tab")
    expect(page.locator("#id_slug_helptext")).to_have_text(f"空欄の場合: {address}")
    assert fits(page)
    press(page, "シーズンを始める")
    page.wait_for_url(f"**/c/pokakurabu/s/{address}/")


def publish_evening(page):
    follow(page, "結果を入力")
    expect(page.locator(".order .gap")).to_contain_text("名前を入力してください")
    box = page.locator("textarea[name=order]")
    box.focus()
    as_another(page)
    box.evaluate(
        "(box, text) => { box.value = text; box.dispatchEvent(new Event('input', {bubbles: true})); }", NAMES
    )
    page.locator("button[name=save]:not([disabled])").click()
    page.get_by_role("heading", name="川島、3人を退けて優勝").wait_for()
    assert fits(page)


def test_a_japanese_club_from_nothing_to_its_second_season(open_page):
    page = open_page(**PHONE)
    sign_up(page)
    open_club(page)
    begin_season(page, "２０２６", "2026")
    publish_evening(page)
    page.get_by_role("link", name="マイクラブ").click()
    expect(page.locator("main tbody tr")).to_contain_text(["川辺ポーカークラブ"])
    assert fits(page)
    page.goto("/c/pokakurabu/seasons/new/")
    page.locator("select[name=taken_from]").select_option("")
    expect(page.locator(".taken-over li")).to_have_count(0)
    page.locator("select[name=taken_from]").select_option("2026")
    expect(page.locator(".taken-over li").first).to_contain_text("VP_KID")
    begin_season(page, "２０２６秋", "2026-aki")
    for locale, language in (("de-DE", "ja"), ("en-GB", "en-gb")):
        visitor = open_page(**PHONE | {"locale": locale})
        visitor.goto("/c/pokakurabu/")
        expect(visitor.locator("html")).to_have_attribute("lang", language)
