"""What happened is shown in its order, at the speed one likes, and again for who was away."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import close, new_page
from tests.browser.playing import (
    UNFOLD,
    hurry,
    offers,
    open_match,
    play,
    press,
    seq_of,
    standing,
    wait_for_turn,
    wait_until_shown,
)

ISLAND = {"players": 2, "first": 0, "roles": "diver,engineer"}
DESERT = {"players": 2, "first": 0}
# Write down each change of the caption, with what is lit then and where the pawns stand.
WATCH = """() => {
  window.seen = [];
  new MutationObserver(() => {
    const caption = document.getElementById('caption');
    const lit = [...document.querySelectorAll('.told')].map(one => one.dataset.touch);
    const pawns = [...document.querySelectorAll('[id^=pawn-]')].map(one => one.getAttribute('transform'));
    if (caption.classList.contains('shown')) seen.push([caption.textContent, lit, pawns]);
  }).observe(document.getElementById('caption'), { childList: true, attributes: true });
}"""
# Time stands still from when ``held`` is a list: what was to happen later waits in it.
HOLD = """
  window.held = null;
  const plain = window.setTimeout;
  window.setTimeout = (act, time) => (held ? held.push(act) : plain(act, time));
"""


def seen(page: Page) -> list[tuple[str, list[str], list[str]]]:
    found: list[tuple[str, list[str], list[str]]] = page.evaluate("window.seen")
    return found


def stand_still(browser: Browser, table: str, **options: str) -> tuple[Page, str]:
    """Two at the island, who see the first thing that happens and nothing after it."""
    page = new_page(browser)
    hurry(page, "slow")
    page.add_init_script(HOLD)
    match = open_match(page, table, "forbidden-island", {**ISLAND, **options}, ["me", "me"])
    page.evaluate("window.held = []")
    return page, match


def draw_and_flood(page: Page, match: str) -> list[str]:
    """End a turn at the island, from elsewhere; what that is in words."""
    play(page, match, "end")
    while "draw" in (legal := [one["action"] for one in standing(page, match)["legal"]]) or "flood" in legal:
        play(page, match, "draw" if "draw" in legal else "flood")
    table = page.url.partition("/m/")[0]
    steps = page.request.get(f"{table}/api/v1/matches/{match}/steps?seat=0").json()
    return [text for step in steps for text in step["words"]]


def test_events_light_up_one_after_another_and_the_page_ends_where_the_game_is(browser: Browser, table: str) -> None:
    page = new_page(browser)
    hurry(page, "fast")
    match = open_match(page, table, "forbidden-island", ISLAND, ["me", "me"])
    page.evaluate(WATCH)
    words = draw_and_flood(page, match)
    wait_until_shown(page, match)
    assert len(words) >= 4 and [text for text, _, _ in seen(page)] == words
    assert page.locator("#log li").all_inner_texts()[::-1] == words
    assert any("pawn:diver" in lit for _, lit, _ in seen(page)), "who draws is pointed at"
    assert page.locator(".told").count() == 0
    close(page)


def blow(page: Page, match: str) -> None:
    """End turns and draw storm cards until wind blows tiles along."""
    for _ in range(40):
        seat = standing(page, match)["waiting"][0]
        legal = [one["action"] for one in standing(page, match, seat)["legal"]]
        play(page, match, next(verb for verb in ("draw", "keep", "end") if verb in legal), seat)
        wait_until_shown(page, match)
        if page.evaluate("slid.length"):
            return
    raise AssertionError("no wind in forty storm cards")


def test_what_the_wind_blows_slides_from_where_it_was(browser: Browser, table: str) -> None:
    page = new_page(browser)
    hurry(page, "fast")
    page.add_init_script("""
      window.slid = [];
      const plain = Element.prototype.animate;
      Element.prototype.animate = function (frames, how) {
        const here = this.getAttribute("transform");
        if (Array.isArray(frames)) slid.push([this.dataset.touch, here, ...frames.map(one => one.transform)]);
        return plain.call(this, frames, how);
      };
    """)
    match = open_match(page, table, "forbidden-desert", DESERT, ["me", "me"])
    blow(page, match)
    touch, here, start, end = page.evaluate("slid[0]")
    assert touch.startswith("place:") and start != end
    assert end == here.replace(" ", "px, ", 1).replace(")", "px)").replace("px, ", "px,")
    close(page)


@pytest.mark.parametrize("how", ["click", "key"])
def test_what_is_being_shown_can_be_skipped(browser: Browser, table: str, how: str) -> None:
    page, match = stand_still(browser, table)
    words = draw_and_flood(page, match)
    expect(page.locator("#log li")).to_have_count(len(words))
    expect(page.locator("#caption")).to_have_text(words[0])
    now = str(standing(page, match)["seq"])
    assert seq_of(page) != now, "it stands at the first thing that happened"
    if how == "click":
        page.locator(".board").click(position={"x": 4, "y": 4})
    else:
        page.keyboard.press("Escape")
    expect(page.locator("#table-seq")).to_have_value(now)
    expect(page.locator("#caption")).to_have_text(words[-1])
    close(page)


def moves(page: Page, match: str, seat: int = 0) -> set[str]:
    return {one["action"] for one in standing(page, match, seat)["legal"] if one["action"].startswith("move ")}


def test_a_touch_while_something_is_shown_counts(browser: Browser, table: str) -> None:
    page, match = stand_still(browser, table, roles="explorer,engineer")
    play(page, match, min(moves(page, match)))
    expect(page.locator("#table-seq")).to_have_value("1")
    before = moves(page, match)
    play(page, match, min(before))
    place = min(before & moves(page, match)).split()[1]
    now = standing(page, match)["seq"]
    assert seq_of(page) != str(now), "it stands at the first thing that happened"
    page.locator(f".board #tile-{place}").click(force=True)
    begun = page.locator(f"#tile-{place}.chosen")  # it may be shored up too
    for _ in range(100):
        if begun.count() or standing(page, match)["seq"] > now:
            break
        page.wait_for_timeout(50)
    else:
        pytest.fail("the touch was lost")
    close(page)


def test_a_touch_on_what_could_not_be_chosen_only_skips_what_is_shown(browser: Browser, table: str) -> None:
    for _ in range(10):
        page, match = stand_still(browser, table)
        page.goto(f"{table}/m/{match}?seat=1")
        page.evaluate("window.held = []")
        draw_and_flood(page, match)
        if moves(page, match, 1):
            break
        close(page)  # a pawn is in the water, or all is lost: one in fifteen first turns
    expect(page.locator("#caption")).to_have_class("shown")
    now = str(standing(page, match, 1)["seq"])
    assert seq_of(page) != now, "it stands at the first thing that happened"
    tile = page.locator(f".board #tile-{min(moves(page, match, 1)).split()[1]}")
    tile.click(force=True)
    expect(page.locator("#table-seq")).to_have_value(now)
    expect(tile).to_have_class(re.compile(r"\bcan\b"))
    assert not page.locator(".chosen").count() and str(standing(page, match, 1)["seq"]) == now
    close(page)


def test_a_choice_of_the_list_that_was_pressed_while_something_is_shown_counts(browser: Browser, table: str) -> None:
    page, match = stand_still(browser, table)
    way = next(value for value, _ in offers(page) if value.startswith("move "))
    play(page, match, way)
    expect(page.locator("#table-seq")).to_have_value("1")
    back = next(one["action"] for one in standing(page, match)["legal"] if one["action"].startswith("move "))
    play(page, match, back)
    legal = [one["action"] for one in standing(page, match)["legal"]]
    both = [value for value, _ in offers(page) if value in legal and value != "end"] or ["end"]
    page.locator(f"#table-actions [value='{both[-1]}']").evaluate(UNFOLD)
    with page.expect_response("**/actions") as answer:
        page.locator(f"#table-actions [value='{both[-1]}']").click()
    assert answer.value.ok and f'"action":"{both[-1]}"' in (answer.value.request.post_data or "")
    close(page)


def test_the_log_tells_no_more_than_the_board_shows(browser: Browser, table: str) -> None:
    page, match = stand_still(browser, table)
    words = draw_and_flood(page, match)
    expect(page.locator("#log li")).to_have_count(len(words))
    expect(page.locator("#log li:visible")).to_have_text(words[:1])
    page.evaluate("held.shift()()")
    expect(page.locator("#log li:visible")).to_have_text(words[1::-1])
    page.keyboard.press("Escape")
    expect(page.locator("#log li:visible")).to_have_text(words[::-1])
    close(page)


def test_who_wants_no_motion_sees_the_end_at_once_with_what_changed_lit(browser: Browser, table: str) -> None:
    page = new_page(browser, reduced_motion="reduce")
    page.add_init_script(HOLD)
    open_match(page, table, "forbidden-island", ISLAND, ["me", "me"])
    page.evaluate("window.held = []")
    value = next(value for value, _ in offers(page) if value.startswith("move "))
    press(page, value)
    expect(page.locator("#table-seq")).to_have_value("1")
    expect(page.locator(f'.told[data-touch="place:{value.split()[1]}"]').first).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.told')).animationName") == "none"
    close(page)


def test_who_was_away_is_offered_what_was_missed(browser: Browser, table: str) -> None:
    page = new_page(browser)
    hurry(page, "fast")
    page.add_init_script("Object.defineProperty(document, 'hidden', { get: () => window.away ?? false })")
    open_match(page, table, "forbidden-island", ISLAND, ["me", "me"])
    other = page.context.new_page()
    other.goto(page.url)
    page.evaluate("window.away = true")
    stood = []
    for number in (1, 2):
        press(other, next(value for value, _ in offers(other) if value.startswith("move ")))
        expect(other.locator("#table-seq")).to_have_value(str(number))
        stood.append(_pawns(other))
    expect(page.locator("#missed b")).to_have_text("2")
    assert seq_of(page) == "2" and _pawns(page) == stood[1], "the board is never behind"
    page.evaluate("window.away = false")
    page.evaluate(WATCH)
    page.locator("#missed button[value=show]").click()
    expect(page.locator("#missed")).to_be_hidden()
    page.wait_for_function("() => !document.querySelector('#caption.shown')")
    shown = seen(page)
    assert [shown[0][2], shown[-1][2], _pawns(page)] == [stood[0], stood[1], stood[1]], "once more, step by step"
    assert shown[0][0] == page.locator("#log li").all_inner_texts()[1]
    close(page)


def _pawns(page: Page) -> list[str]:
    found: list[str] = page.locator("[id^=pawn-]").evaluate_all("all => all.map(one => one.getAttribute('transform'))")
    return found


def test_settings_are_kept_and_the_turn_shows_in_title_and_icon(browser: Browser, table: str) -> None:
    page = new_page(browser, color_scheme="light")
    open_match(page, table, "hashi", {"players": 1}, ["me"])
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Light").select_option("dark")
    page.get_by_label("Speed").select_option("slow")
    page.get_by_label("soft tone").check()
    page.reload()
    assert page.evaluate("[document.documentElement.dataset.theme, localStorage['skerry-speed']]") == ["dark", "slow"]
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(36, 31, 26)"
    assert page.locator("[data-setting=sound]").is_checked()
    assert page.title().startswith("●") and "icon-turn" in (page.locator("#icon").get_attribute("href") or "")
    close(page)


@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (640, 400)])
def test_settings_are_put_away_by_escape_or_a_touch_beside_them_that_moves_nothing(
    browser: Browser, table: str, size: tuple[int, int]
) -> None:
    page = new_page(browser, *size)
    hurry(page)
    open_match(page, table, "forbidden-island", {"players": 2, "first": 0, "roles": "pilot,diver"}, ["me", "me"])
    assert wait_for_turn(page)
    settings, opens = page.locator("#settings"), page.get_by_role("button", name="Settings")
    tile = page.locator('[data-touch^="place:"].can').evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.x + box.width / 2, box.y + box.height / 2])"
    )
    opens.click()
    expect(settings).to_be_in_viewport(ratio=1)
    page.mouse.click(*min(tile))
    expect(settings).to_be_hidden()
    assert seq_of(page) == "0" and page.locator("main .chosen").count() == 0
    opens.click()
    page.keyboard.press("Escape")
    expect(settings).to_be_hidden()
    expect(opens).to_be_focused()
    close(page)
