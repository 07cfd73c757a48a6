"""Playback of events: in order, at the chosen speed, skipped by clicks, and offered again to those who were away."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import close_pages, new_page
from tests.browser.playing import (
    AT_STEP,
    EXPAND,
    act_elsewhere,
    current_step,
    fetch_view,
    listed_actions,
    open_match,
    press,
    set_speed,
    wait_for_turn,
    wait_until_shown,
)

ISLAND = {"players": 2, "first": 0, "roles": "diver,engineer"}
DESERT = {"players": 2, "first": 0}
# Record each change of the caption, with what is highlighted then and where the pawns stand.
RECORD_CAPTIONS = """() => {
  window.seen = [];
  new MutationObserver(() => {
    const caption = document.getElementById('caption');
    const lit = [...document.querySelectorAll('.told')].map(one => one.dataset.touch);
    const pawns = [...document.querySelectorAll('[id^=pawn-]')].map(one => one.getAttribute('transform'));
    if (caption.classList.contains('shown')) seen.push([caption.textContent, lit, pawns]);
  }).observe(document.getElementById('caption'), { childList: true, attributes: true });
}"""
# Once ``held`` is a list, timers do not run: their functions wait in it.
HOLD_TIMERS = """
  window.held = null;
  const plain = window.setTimeout;
  window.setTimeout = (act, time) => (held ? held.push(act) : plain(act, time));
"""


def recorded(page: Page) -> list[tuple[str, list[str], list[str]]]:
    found: list[tuple[str, list[str], list[str]]] = page.evaluate("window.seen")
    return found


def open_with_held_timers(browser: Browser, site: str, **options: str) -> tuple[Page, str]:
    """A match of Forbidden Island whose page shows the first event that comes and no more."""
    page = new_page(browser)
    set_speed(page, "slow")
    page.add_init_script(HOLD_TIMERS)
    match = open_match(page, site, "forbidden-island", {**ISLAND, **options}, ["me", "me"])
    page.evaluate("window.held = []")
    return page, match


def draw_and_flood(page: Page, match: str) -> list[str]:
    """End a turn elsewhere; the words of its events."""
    act_elsewhere(page, match, "end")
    while "draw" in (legal := [one["action"] for one in fetch_view(page, match)["legal"]]) or "flood" in legal:
        act_elsewhere(page, match, "draw" if "draw" in legal else "flood")
    site = page.url.partition("/m/")[0]
    steps = page.request.get(f"{site}/api/v1/matches/{match}/steps?seat=0").json()
    return [text for step in steps for text in step["words"]]


def test_events_are_highlighted_one_after_another_until_the_page_shows_the_present(browser: Browser, site: str) -> None:
    page = new_page(browser)
    set_speed(page, "fast")
    match = open_match(page, site, "forbidden-island", ISLAND, ["me", "open"])
    page.evaluate(RECORD_CAPTIONS)
    words = draw_and_flood(page, match)
    wait_until_shown(page, match)
    assert len(words) >= 4 and [text for text, _, _ in recorded(page)] == words
    assert page.locator("#log li").all_inner_texts()[::-1] == words
    assert any("pawn:diver" in lit for _, lit, _ in recorded(page)), "the pawn that draws is not highlighted"
    assert page.locator(".told").count() == 0
    close_pages(page)


def end_turns_until_wind(host: Page, page: Page, match: str) -> None:
    """End turns and draw storm cards until a page shows that the wind moves tiles."""
    for _ in range(40):
        seat = fetch_view(host, match)["waiting"][0]
        legal = [one["action"] for one in fetch_view(host, match, seat)["legal"]]
        act_elsewhere(host, match, next(verb for verb in ("draw", "keep", "end") if verb in legal), seat)
        page.wait_for_function(AT_STEP, arg=str(fetch_view(host, match)["seq"]))
        if page.evaluate("slid.length"):
            return
    raise AssertionError("no wind in forty storm cards")


def test_tiles_moved_by_the_wind_slide_from_their_old_places(browser: Browser, site: str) -> None:
    host, page = new_page(browser), new_page(browser)
    set_speed(page, "fast")
    page.add_init_script("""
      window.slid = [];
      const plain = Element.prototype.animate;
      Element.prototype.animate = function (frames, how) {
        const here = this.getAttribute("transform");
        if (Array.isArray(frames)) slid.push([this.dataset.touch, here, ...frames.map(one => one.transform)]);
        return plain.call(this, frames, how);
      };
    """)
    match = open_match(host, site, "forbidden-desert", DESERT, ["me", "me"])
    page.goto(f"{site}/m/{match}")
    end_turns_until_wind(host, page, match)
    touch, here, start, end = page.evaluate("slid[0]")
    assert touch.startswith("place:") and start != end
    assert end == here.replace(" ", "px, ", 1).replace(")", "px)").replace("px, ", "px,")
    close_pages(host, page)


# Play what a step with two events brings, and return what moves with the first of them, and how far.
RIDE = """async () => {
  const { Playback } = await import("/static/playback.js");
  const main = document.getElementById("main");
  const pawn = document.getElementById("pawn-0");
  const from = pawn.dataset.stands;
  const to = from === "place:A1" ? "place:B1" : "place:A1";
  const parts = { "pawn-0": pawn.outerHTML.replaceAll(from, to).replace(/translate\\([^)]*\\)/, "translate(60 70)") };
  const [place, target] = [from, to].map((touch) => touch.split(":")[1]);
  const events = [{ event: "blew", place, to: target }, { event: "picked-up" }];
  const kinds = JSON.parse(main.dataset.kinds);
  const playback = new Playback(main, { kinds, pace: () => 400, refresh: () => false });
  playback.play({ steps: [{ seq: 1, words: ["It blows.", "It picks up."], events }], parts });
  const moving = document.getAnimations().filter((one) => !(one instanceof CSSTransition));
  return moving.map(({ effect }) => [effect.target.dataset.touch, effect.getTiming().duration]);
}"""


def test_a_pawn_slides_with_the_tile_it_stands_on(browser: Browser, site: str) -> None:
    page = new_page(browser)
    open_match(page, site, "forbidden-desert", DESERT, ["me", "random"])
    pawn, stands = (page.locator("#pawn-0").get_attribute(f"data-{name}") for name in ("touch", "stands"))
    to = "place:B1" if stands == "place:A1" else "place:A1"
    moving = page.evaluate(RIDE)
    assert [pawn, 400] in moving and [to, 400] in moving, "the pawn waits until all is told"
    close_pages(page)


@pytest.mark.parametrize("how", ["click", "key"])
def test_playback_can_be_skipped(browser: Browser, site: str, how: str) -> None:
    page, match = open_with_held_timers(browser, site)
    words = draw_and_flood(page, match)
    expect(page.locator("#log li")).to_have_count(len(words))
    expect(page.locator("#caption")).to_have_text(words[0])
    now = str(fetch_view(page, match)["seq"])
    assert current_step(page) != now, "the page is not at the first event"
    if how == "click":
        page.locator(".board").click(position={"x": 4, "y": 4})
    else:
        page.keyboard.press("Escape")
    expect(page.locator("#table-seq")).to_have_value(now)
    expect(page.locator("#caption")).to_have_text(words[-1])
    close_pages(page)


def moves(page: Page, match: str, seat: int = 0) -> set[str]:
    return {one["action"] for one in fetch_view(page, match, seat)["legal"] if one["action"].startswith("move ")}


def test_a_touch_during_playback_counts(browser: Browser, site: str) -> None:
    page, match = open_with_held_timers(browser, site, roles="explorer,engineer")
    act_elsewhere(page, match, min(moves(page, match)))
    expect(page.locator("#table-seq")).to_have_value("1")
    before = moves(page, match)
    act_elsewhere(page, match, min(before))
    place = min(before & moves(page, match)).split()[1]
    now = fetch_view(page, match)["seq"]
    assert current_step(page) != str(now), "the page is not at the first event"
    page.locator(f".board #tile-{place}").click(force=True)
    begun = page.locator(f"#tile-{place}.chosen")  # if it can be shored up too
    for _ in range(100):
        if begun.count() or fetch_view(page, match)["seq"] > now:
            break
        page.wait_for_timeout(50)
    else:
        pytest.fail("the touch was lost")
    close_pages(page)


def test_a_touch_during_playback_on_what_could_not_be_chosen_only_skips(browser: Browser, site: str) -> None:
    for _ in range(10):
        page, match = open_with_held_timers(browser, site)
        page.goto(f"{site}/m/{match}?seat=1")
        page.evaluate("window.held = []")
        draw_and_flood(page, match)
        if moves(page, match, 1):
            break
        close_pages(page)  # in one of fifteen deals a pawn must swim, or the game is over
    expect(page.locator("#caption")).to_have_class("shown")
    now = str(fetch_view(page, match, 1)["seq"])
    assert current_step(page) != now, "the page is not at the first event"
    tile = page.locator(f".board #tile-{min(moves(page, match, 1)).split()[1]}")
    tile.click(force=True)
    expect(page.locator("#table-seq")).to_have_value(now)
    expect(tile).to_have_class(re.compile(r"\bcan\b"))
    assert not page.locator(".chosen").count() and str(fetch_view(page, match, 1)["seq"]) == now
    close_pages(page)


def test_an_action_of_the_list_pressed_during_playback_counts(browser: Browser, site: str) -> None:
    page, match = open_with_held_timers(browser, site)
    way = next(value for value, _ in listed_actions(page) if value.startswith("move "))
    act_elsewhere(page, match, way)
    expect(page.locator("#table-seq")).to_have_value("1")
    back = next(one["action"] for one in fetch_view(page, match)["legal"] if one["action"].startswith("move "))
    act_elsewhere(page, match, back)
    legal = [one["action"] for one in fetch_view(page, match)["legal"]]
    both = [value for value, _ in listed_actions(page) if value in legal and value != "end"] or ["end"]
    page.locator(f"#table-actions [value='{both[-1]}']").evaluate(EXPAND)
    with page.expect_response("**/actions") as answer:
        page.locator(f"#table-actions [value='{both[-1]}']").click()
    assert answer.value.ok and f'"action":"{both[-1]}"' in (answer.value.request.post_data or "")
    close_pages(page)


def test_the_log_shows_no_more_than_the_board(browser: Browser, site: str) -> None:
    page, match = open_with_held_timers(browser, site)
    words = draw_and_flood(page, match)
    expect(page.locator("#log li")).to_have_count(len(words))
    expect(page.locator("#log li:visible")).to_have_text(words[:1])
    page.evaluate("held.shift()()")
    expect(page.locator("#log li:visible")).to_have_text(words[1::-1])
    page.keyboard.press("Escape")
    expect(page.locator("#log li:visible")).to_have_text(words[::-1])
    close_pages(page)


def test_with_reduced_motion_the_end_is_shown_at_once_with_changes_highlighted(browser: Browser, site: str) -> None:
    page = new_page(browser, reduced_motion="reduce")
    page.add_init_script(HOLD_TIMERS)
    open_match(page, site, "forbidden-island", ISLAND, ["me", "me"])
    page.evaluate("window.held = []")
    value = next(value for value, _ in listed_actions(page) if value.startswith("move "))
    press(page, value)
    expect(page.locator("#table-seq")).to_have_value("1")
    expect(page.locator(f'.told[data-touch="place:{value.split()[1]}"]').first).to_be_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.told')).animationName") == "none"
    close_pages(page)


def test_events_missed_while_away_are_offered_for_playback(browser: Browser, site: str) -> None:
    page = new_page(browser)
    set_speed(page, "fast")
    page.add_init_script("Object.defineProperty(document, 'hidden', { get: () => window.away ?? false })")
    open_match(page, site, "forbidden-island", ISLAND, ["me", "me"])
    other = page.context.new_page()
    other.goto(page.url)
    page.evaluate("window.away = true")
    stood = []
    for number in (1, 2):
        press(other, next(value for value, _ in listed_actions(other) if value.startswith("move ")))
        expect(other.locator("#table-seq")).to_have_value(str(number))
        stood.append(_pawns(other))
    expect(page.locator("#missed b")).to_have_text("2")
    assert current_step(page) == "2" and _pawns(page) == stood[1], "the board is behind"
    page.evaluate("window.away = false")
    page.evaluate(RECORD_CAPTIONS)
    page.locator("#missed button[value=show]").click()
    expect(page.locator("#missed")).to_be_hidden()
    page.wait_for_function("() => !document.querySelector('#caption.shown')")
    shown = recorded(page)
    assert [shown[0][2], shown[-1][2], _pawns(page)] == [stood[0], stood[1], stood[1]], (
        "the missed events are not played back step by step"
    )
    assert shown[0][0] == page.locator("#log li").all_inner_texts()[1]
    close_pages(page)


def _pawns(page: Page) -> list[str]:
    found: list[str] = page.locator("[id^=pawn-]").evaluate_all("all => all.map(one => one.getAttribute('transform'))")
    return found


def test_settings_are_kept_and_title_and_icon_show_the_turn(browser: Browser, site: str) -> None:
    page = new_page(browser, color_scheme="light")
    open_match(page, site, "hashi", {"players": 1}, ["me"])
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Theme").select_option("dark")
    page.get_by_label("Speed").select_option("slow")
    page.get_by_label("Play a sound").check()
    page.reload()
    assert page.evaluate("[document.documentElement.dataset.theme, localStorage['skerry-speed']]") == ["dark", "slow"]
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(36, 31, 26)"
    assert page.locator("[data-setting=sound]").is_checked()
    assert page.title().startswith("●") and "icon-turn" in (page.locator("#icon").get_attribute("href") or "")
    close_pages(page)


@pytest.mark.parametrize("size", [(1280, 800), (390, 844), (640, 400)])
def test_escape_or_a_click_outside_closes_the_settings_and_does_nothing_else(
    browser: Browser, site: str, size: tuple[int, int]
) -> None:
    page = new_page(browser, *size)
    set_speed(page)
    open_match(page, site, "forbidden-island", {"players": 2, "first": 0, "roles": "pilot,diver"}, ["me", "me"])
    assert wait_for_turn(page)
    settings, opens = page.locator("#settings"), page.get_by_role("button", name="Settings")
    tile = page.locator('[data-touch^="place:"].can').evaluate_all(
        "all => all.map(one => one.getBoundingClientRect()).map(box => [box.x + box.width / 2, box.y + box.height / 2])"
    )
    opens.click()
    expect(settings).to_be_in_viewport(ratio=1)
    page.mouse.click(*min(tile))
    expect(settings).to_be_hidden()
    assert current_step(page) == "0" and page.locator("main .chosen").count() == 0
    opens.click()
    page.keyboard.press("Escape")
    expect(settings).to_be_hidden()
    expect(opens).to_be_focused()
    close_pages(page)
