"""A whole evening on phones in a real browser: check-in, helpers, re-entry, tie, deal, two cuts of the network, a phone that
is wiped, publishing, and a late tap that becomes a correction."""

import re

from playwright.sync_api import expect

from tests.browser.live_phones import (
    CLUB,
    N_MEMBERS,
    check_in,
    club,
    desk,
    fits,
    helper_link,
    join,
    organizer,
    organizer_page,
    phone,
)

__all__ = ["club", "desk", "organizer", "phone"]


def test_a_whole_evening(desk, phone, new_context):
    page = desk.page
    names = check_in(desk, N_MEMBERS)
    page.locator("#search").fill("Zoe Q")
    page.locator("#search").press("Enter")
    expect(page.locator("#strip")).to_contain_text("16 left")
    desk.fits()
    page.get_by_role("button", name="Start now").click()
    till = join(phone(), link := helper_link(desk), "Till")
    finn = join(phone(), link, "Finn")
    expect(till.page.locator("#strip")).to_contain_text("16 left")

    # A helper puts somebody out by somebody; the desk shows it, and the player comes in again.
    till.out(names[0])
    till.page.locator("#whom").get_by_role("button", name=names[1], exact=True).click()
    desk.shows_out(names[0])
    expect(page.locator("#view li.gone")).to_contain_text("from Till")
    desk.press("Re-entry", names[0])
    expect(page.locator("#aloud")).to_contain_text(f"{names[0]} again")
    expect(page.locator("#strip")).to_contain_text("16 left")

    # A helper undoes its own only.
    till.out(names[1])
    till.press("Bring back", names[1])
    expect(till.page.locator("#aloud")).to_contain_text("Undone")
    desk.out(names[2])
    finn.shows_out(names[2])
    expect(finn.page.locator("#view li.gone").get_by_role("button", name="Bring back")).to_have_count(0)

    # Two in one hand with equal stacks: a tie.
    page.get_by_role("button", name="Several in one hand").click()
    desk.press("Out", names[3])
    desk.press("Out", names[4])
    desk.press("Tie", names[4])
    page.get_by_role("button", name="Put 2 out").click()
    expect(page.locator("#aloud")).to_contain_text("Equal 14th")

    # The network is cut for one phone; it goes on, also after it is loaded again, and sends when it is back.
    finn.shows_out(names[3], names[4], names[2])
    finn.has_sent_all()
    finn.page.wait_for_function("navigator.serviceWorker.ready.then(() => true)")
    finn.page.reload()
    expect(finn.page.locator("#desk[data-ready]")).to_be_attached()
    finn.context.set_offline(True)
    finn.out(names[5])
    expect(finn.page.locator("#wires")).to_contain_text("No connection")
    expect(finn.page.locator("#wires")).to_contain_text("One tap waits")
    finn.page.reload()
    expect(finn.page.locator("#desk[data-ready]")).to_be_attached()
    expect(finn.page.locator("#wires")).to_contain_text("One tap waits")
    finn.out(names[6])
    finn.fits()
    desk.out(names[7])
    finn.context.set_offline(False)
    finn.has_sent_all()
    desk.shows_out(*[names[i] for i in (7, 6, 5, 3, 4, 2)])
    # Finn had called 11th and 10th... the log says the same, since both were tapped before the desk's.
    finn.shows_out(*[names[i] for i in (7, 6, 5, 3, 4, 2)])

    # A phone is wiped, and says who it was.
    till.has_sent_all()
    till.page.close()
    till.context.clear_cookies()
    till.open_page()
    till.page.goto("/healthz")
    till.page.evaluate("localStorage.clear(); indexedDB.deleteDatabase('tierboard-live')")
    till.page.goto(link)
    till.page.get_by_role("button", name="Till", exact=True).click()
    expect(till.page.locator("#desk[data-ready]")).to_be_attached()
    till.shows_out(*[names[i] for i in (7, 6, 5, 3, 4, 2)])
    till.out(names[8])

    # The network is cut for the desk, in the middle of the answer.
    desk.shows_out(*[names[i] for i in (8, 7, 6, 5, 3, 4, 2)])
    page.route("**/log", lambda route: route.abort() if route.request.method == "POST" else route.continue_())
    desk.out(names[9])
    expect(page.locator("#wires")).to_contain_text("No connection")
    desk.out(names[10])
    page.unroute("**/log")
    desk.has_sent_all()
    for i in (11, 12, 13):
        till.out(names[i])
    till.has_sent_all()
    left = {names[0], names[1], names[14], "Zoe Q"}
    expect(page.locator("#strip")).to_contain_text("4 left")

    # A deal among the last four: the money is shared, and they play on.
    deal = organizer_page(desk, "deal")
    for name, stack in zip(sorted(left), (58_000, 31_000, 14_500, 6_500), strict=True):
        deal.get_by_label(name, exact=True).fill(str(stack))
    deal.get_by_label("Prizes still open").fill("160 96 64 20")
    deal.get_by_role("button", name="Compute").click()
    assert fits(deal)
    deal.get_by_role("button", name="All agree: even").click()
    expect(deal.get_by_role("heading", level=1)).to_have_text(re.compile("Finish the"))
    expect(deal.locator("main")).to_contain_text("4 are still in")
    deal.close()

    # The end: an undo of something older says what hangs on it.
    for name in ("Zoe Q", names[14], names[1]):
        desk.out(name)
    expect(page.locator("#aloud")).to_contain_text(f"{names[0]} wins")
    desk.goes_to("log")
    desk.fits()
    page.get_by_role("button", name=f"Undo {names[5]} out", exact=True).click()
    expect(page.locator("#asks")).to_contain_text("Later things depend on it")
    page.get_by_role("button", name="Leave it").click()
    desk.has_sent_all()

    finish = organizer_page(desk, "finish")
    assert fits(finish)
    expect(finish.get_by_role("heading", level=1)).to_have_text(f"{names[0]} has won")
    finish.get_by_role("button", name="Publish").click()
    expect(finish.locator("main")).to_contain_text("Published.")
    order = [names[0], names[1], names[14], "Zoe Q", *[names[i] for i in (13, 12, 11, 10, 9, 8, 7, 6, 5)]]
    expect(finish.locator("main table").first).to_contain_text(names[5])
    shown = finish.locator("main table tbody tr th").all_inner_texts()
    assert [text.split("\n")[0].replace("entry 2", "").strip() for text in shown][: len(order)] == order

    # A helper's tap after publishing waits, and is left out.
    till.goes_to("log")
    expect(till.page.locator("#wires")).to_contain_text("This night is published")
    till.page.get_by_role("button", name=f"Undo {names[13]} out", exact=True).click()
    till.page.get_by_role("button", name="Undo it").click()
    expect(till.page.locator("#wires")).to_contain_text("One tap waits")
    held = organizer_page(desk, "held")
    expect(held.get_by_role("heading", level=1)).to_contain_text("1 tap waits for you")
    held.get_by_role("button", name="Leave out").click()
    expect(held.locator("main")).to_contain_text("Nothing waits")

    # The desk moves somebody in the order: put in by the organizer, it is published as a correction.
    desk.goes_to("log")
    row = page.locator("#view li").filter(has_text=re.compile(f"^\\S+{names[12]} out"))
    row.get_by_role("button", name="↑").click()
    expect(page.locator("#wires")).to_contain_text("One tap waits")
    held.reload()
    held.get_by_role("button", name="Put in at").click()
    expect(held.locator("main")).to_contain_text("Nothing waits")
    finish.goto(f"{CLUB}live/{desk.night}/finish/")
    expect(finish.locator("main")).to_contain_text("The log has changed since it was published")
    finish.get_by_role("button", name="Publish as a correction").click()
    expect(finish.locator("main")).to_contain_text("Published.")
    order[4:6] = [names[12], names[13]]
    shown = finish.locator("main table tbody tr th").all_inner_texts()
    assert [text.split("\n")[0].replace("entry 2", "").strip() for text in shown][: len(order)] == order


def test_a_list_that_was_written_before_is_checked_in_at_once(desk):
    page = desk.page
    page.locator("#search").fill("Anton, bela, Zoe Q")
    page.locator("#search").press("Enter")
    expect(page.locator("#strip")).to_contain_text("3 left")
    page.locator("#search").fill("Anton, Carla")
    page.locator("#search").press("Enter")
    expect(page.locator("#strip")).to_contain_text("4 left")
    desk.goes_to("desk")
    expect(page.locator("#view .roll strong")).to_have_text(["Anton", "Bela", "Carla", "Zoe Q"])


def test_two_tabs_send_each_tap_once_and_text_of_a_phone_comes_back_in(desk, phone):
    names = check_in(desk, 3)
    link = helper_link(desk)
    finn = join(phone(), link, "Finn")
    first = finn.page
    second = finn.context.new_page()
    second.goto(first.url)
    expect(second.locator("#wires")).to_contain_text("open in another tab")
    for page, name in ((first, names[0]), (second, names[1])):
        page.evaluate("location.hash = 'desk'")
        page.locator("#view").get_by_role("button", name=f"Out {name}", exact=True).click()
    desk.shows_out(names[1], names[0])
    first.close()
    second.evaluate("location.hash = 'in'")
    second.locator("#search").fill("Nora N")
    second.locator("#search").press("Enter")
    expect(desk.page.locator("#strip")).to_contain_text("2 left")

    # A phone that can send nothing any more shows its taps as text, which the organizer reads in.
    finn.page = second
    finn.context.grant_permissions(["clipboard-read", "clipboard-write"])
    finn.context.set_offline(True)
    finn.out("Nora N")
    expect(second.locator("#wires")).to_contain_text("One tap waits")
    second.get_by_role("button", name="Copy as text").click()
    text = second.evaluate("navigator.clipboard.readText()")
    assert "Nora N out" in text
    held = organizer_page(desk, "held")
    for told in ("1 tap was new", "Everything in this text was known already"):
        held.get_by_label("Text from a phone").fill(text)
        held.get_by_role("button", name="Read the text").click()
        expect(held.locator("main")).to_contain_text(told)
    held.get_by_role("button", name="Put in at").click()
    expect(held.locator("main")).to_contain_text("Nothing waits")
    desk.shows_out("Nora N", names[1], names[0])


def test_who_put_somebody_out_is_said_later_and_a_note_is_taken(desk):
    names = check_in(desk, 3)
    desk.out(names[0])
    desk.out(names[1])
    desk.press("By whom?", names[0])
    assert fits(desk.page)
    desk.page.locator("#whom").get_by_role("button", name=names[2], exact=True).click()
    expect(desk.page.locator("#view li.gone").last).to_contain_text(f"by {names[2]}")
    desk.page.locator("#search").fill("side pot counted twice")
    desk.page.get_by_role("button", name="Note side pot counted twice").click()
    desk.goes_to("log")
    expect(desk.page.locator("#view")).to_contain_text("Note: side pot counted twice")
    assert fits(desk.page)


def test_a_phone_whose_access_is_ended_says_so_and_loses_nothing(desk, phone):
    names = check_in(desk, 3)
    finn = join(phone(), helper_link(desk), "Finn")
    page = organizer_page(desk, "helpers")
    page.get_by_role("button", name="End Finn").click()
    expect(page.locator("main")).to_contain_text("The access of Finn is ended")
    expect(finn.page.locator("#wires")).to_contain_text("has ended this phone’s access")
    finn.out(names[0])
    expect(finn.page.locator("#wires")).to_contain_text("One tap waits for the organizer to decide")
    page.goto(f"{CLUB}live/{desk.night}/held/")
    expect(page.locator("main")).to_contain_text("1 tap waits for you")
    expect(page.locator("main")).to_contain_text(names[0])


def test_the_keyboard_does_everything_on_a_laptop(desk, new_context):
    names = check_in(desk, 3)
    wide = new_context(viewport={"width": 1280, "height": 800}, storage_state=desk.context.storage_state())
    page = wide.new_page()
    page.goto(f"{CLUB}live/{desk.night}/")
    expect(page.locator("#desk[data-ready]")).to_be_attached()
    assert fits(page)
    page.keyboard.press("/")
    page.keyboard.type(names[0])
    page.keyboard.press("Enter")
    expect(page.locator("#aloud")).to_contain_text(f"3rd, {names[0]}")
    page.keyboard.press("Escape")
    page.keyboard.press("u")
    expect(page.locator("#aloud")).to_contain_text("Undone")
    expect(page.locator("#wing-log li.void")).to_have_count(1)
    desk.shows_out()


def test_a_phone_forgets_nights_of_a_month_ago_that_have_gone_out(desk, phone):
    check_in(desk, 2)
    finn = join(phone(), helper_link(desk), "Finn")
    old = """async ([night, days]) => {
        const request = indexedDB.open("tierboard-live");
        const db = await new Promise((done) => { request.onsuccess = () => done(request.result); });
        const tx = db.transaction(["nights", "log", "queue"], "readwrite");
        const now = Date.now() - days * 86400000;
        for (const n of night) {
            tx.objectStore("nights").put({ night: n, now, key: "k" });
            tx.objectStore("log").put({ night: n, seq: 1 });
        }
        tx.objectStore("queue").put({ night: night[1], counter: 1, id: "x" });
        await new Promise((done) => { tx.oncomplete = done; });
        db.close();
    }"""
    finn.page.evaluate(old, [[900_001, 900_002], 31])
    finn.page.evaluate(old, [[900_003, 900_003], 1])
    finn.page.reload()
    expect(finn.page.locator("#desk[data-ready]")).to_be_attached()
    kept = finn.page.evaluate("""async () => {
        const request = indexedDB.open("tierboard-live");
        const db = await new Promise((done) => { request.onsuccess = () => done(request.result); });
        const all = db.transaction("nights").objectStore("nights").getAllKeys();
        return await new Promise((done) => { all.onsuccess = () => done(all.result); });
    }""")
    assert kept == [int(desk.night), 900_002, 900_003]
