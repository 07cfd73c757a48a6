import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { MissedEvents } from "../../src/skerry/server/static/missed.js";
import { Playback } from "../../src/skerry/server/static/playback.js";
import { addToLog } from "../../src/skerry/server/static/log.js";
import { Clock, drawThings, find, openPage, thing, touchesWithClass } from "./page.js";

const KINDS = { floods: { place: "place" } };

/** @type {Clock} */
let clock;
/** @type {number} milliseconds for an event */
let pace;
/** @type {boolean} whether the page says that there is something else to decide */
let changed;
/** @type {boolean[]} */
let refreshed;
/** @type {Playback} */
let playback;

beforeEach(() => {
  openPage();
  clock = new Clock();
  clock.install();
  drawThings("place:a", "place:b", "place:c");
  pace = 100;
  changed = false;
  refreshed = [];
  playback = new Playback(find("#main"), {
    kinds: KINDS,
    pace: () => pace,
    refresh: (playing) => {
      refreshed.push(playing);
      return changed;
    },
  });
});

/**
 * A message: each place is flooded, and its new drawing says so.
 * @param {...string} places
 */
function flooding(...places) {
  const events = places.map((place) => ({ event: "floods", place }));
  const steps = [{ seq: 1, words: places.map((place) => `${place} floods`), events }];
  return { steps, parts: { board: drawing(places) } };
}

/** @param {string[]} flooded */
function drawing(flooded) {
  const things = ["a", "b", "c"].map(
    (place) => `<g data-touch="place:${place}"${flooded.includes(place) ? ' class="flooded"' : ""}></g>`,
  );
  return `<g id="board">${things.join("")}</g>`;
}

/** @param {string} text */
function saying(text) {
  return `<p id="table-prompt">${text}</p>`;
}

function caption() {
  return find("#caption").classList.contains("shown") ? find("#caption").textContent : null;
}

function visibleLines() {
  const lines = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("#log li"));
  return [...lines].filter((line) => !line.hidden).map((line) => line.textContent);
}

describe("playback", () => {
  test("shows one event after another, and then the page is as it should be", () => {
    playback.play(flooding("a", "b"));
    assert.equal(caption(), "a floods");
    assert.deepEqual(touchesWithClass("told"), ["place:a"]);
    assert.deepEqual(touchesWithClass("flooded"), []);
    assert.ok(playback.playing);
    clock.tick(100);
    assert.equal(caption(), "b floods");
    assert.deepEqual(touchesWithClass("told"), ["place:b"]);
    assert.deepEqual(touchesWithClass("flooded"), ["place:a", "place:b"]);
    assert.ok(!playback.playing);
    clock.tick(100);
    assert.equal(caption(), null);
    assert.deepEqual(touchesWithClass("told"), []);
    assert.deepEqual(refreshed, [true, false]);
  });

  test("shows what comes meanwhile after what is being shown", () => {
    playback.play(flooding("a"));
    playback.play(flooding("b"));
    assert.equal(caption(), "a floods");
    clock.tick(100);
    assert.equal(caption(), "b floods");
  });

  test("says nothing of the table while several steps that came together are shown", () => {
    const { steps } = flooding("a");
    playback.play({ steps: [...steps, ...flooding("b").steps], parts: {} });
    assert.ok(find("#main").classList.contains("behind"));
    clock.tick(100);
    assert.ok(!find("#main").classList.contains("behind"));
  });

  test("shows many events faster", () => {
    pace = 1000;
    playback.play(flooding(..."abcabcabca"));
    clock.tick(500);
    assert.equal(caption(), "b floods");
  });

  test("skips to the end with all events lit", () => {
    playback.play(flooding("a", "b", "c"));
    playback.finish();
    assert.equal(caption(), "c floods");
    assert.deepEqual(touchesWithClass("told"), ["place:b", "place:c"]);
    assert.deepEqual(touchesWithClass("flooded"), ["place:a", "place:b", "place:c"]);
    assert.ok(!playback.playing);
  });

  test("shows the end at once if events are not to be shown one by one", () => {
    pace = 0;
    playback.play(flooding("a", "b"));
    assert.equal(caption(), "b floods");
    assert.deepEqual(touchesWithClass("told"), ["place:a", "place:b"]);
    assert.deepEqual(refreshed, [false]);
  });

  test("reveals the lines of the log with the events", () => {
    const message = flooding("a", "b", "c");
    addToLog(message.steps, true);
    assert.deepEqual(visibleLines(), []);
    assert.equal(find("#news").textContent, "a floods. b floods. c floods");
    playback.play(message);
    assert.deepEqual(visibleLines(), ["a floods"]);
    clock.tick(100);
    assert.deepEqual(visibleLines(), ["b floods", "a floods"]);
    playback.finish();
    assert.deepEqual(visibleLines(), ["c floods", "b floods", "a floods"]);
  });
});

describe("the focus", () => {
  test("stays on what is still there", () => {
    thing("place:a").tabIndex = 0;
    thing("place:a").focus();
    playback.apply({ board: drawing([]).replace("<g data", '<g tabindex="0" data') });
    assert.equal(document.activeElement, thing("place:a"));
  });

  test("goes to the same thing drawn anew", () => {
    find("#board").innerHTML = '<g id="old" data-touch="place:a" tabindex="0"></g>';
    thing("place:a").focus();
    playback.apply({ board: '<g id="board"><g id="new" data-touch="place:a" tabindex="0"></g></g>' });
    assert.equal(document.activeElement?.id, "new");
  });

  test("leaves a control that acts when there is something else to decide", () => {
    find("#table-actions").innerHTML = "<button value='end'>End</button>";
    find("#table-actions button").focus();
    playback.apply({});
    assert.equal(document.activeElement, find("#table-actions button"));
    changed = true;
    playback.apply({});
    assert.equal(document.activeElement, find("#table-actions"));
  });
});

describe("what is missed", () => {
  /** @type {MissedEvents} */
  let missed;

  beforeEach(() => {
    missed = new MissedEvents(playback, KINDS);
  });

  test("is on the board at once, and offered", () => {
    missed.record(flooding("a"));
    missed.record(flooding("a", "b"));
    assert.deepEqual(touchesWithClass("flooded"), ["place:a", "place:b"]);
    assert.equal(find("#missed b").textContent, "3");
    assert.ok(!find("#missed").hidden);
    assert.equal(caption(), null);
  });

  test("is played back from where it began to where the board is", () => {
    missed.record(flooding("a"));
    missed.record(flooding("a", "b"));
    find("#missed [value=show]").click();
    assert.ok(find("#missed").hidden);
    assert.deepEqual(touchesWithClass("flooded"), ["place:a"]);
    assert.equal(caption(), "a floods");
    clock.tick(200);
    assert.equal(caption(), "b floods");
    clock.tick(100);
    assert.deepEqual(touchesWithClass("flooded"), ["place:a", "place:b"]);
    assert.equal(caption(), null);
  });

  test("is played back with what the table said at each moment", () => {
    find("#main").insertAdjacentHTML("beforeend", saying("1 left"));
    for (const [place, said] of [
      ["a", "2 left"],
      ["b", "3 left"],
    ]) {
      const { steps, parts } = flooding(place ?? "");
      missed.record({ steps, parts: { ...parts, "table-prompt": saying(said ?? "") } });
    }
    assert.equal(find("#table-prompt").textContent, "3 left");
    find("#missed [value=show]").click();
    assert.equal(find("#table-prompt").textContent, "2 left");
    clock.tick(100);
    assert.equal(find("#table-prompt").textContent, "3 left");
  });

  test("is forgotten if the reader leaves it", () => {
    missed.record(flooding("a"));
    find("#missed [value=leave]").click();
    assert.ok(find("#missed").hidden);
    missed.record(flooding("b"));
    assert.equal(find("#missed b").textContent, "1");
  });

  test("is not offered if nothing happened", () => {
    missed.record({ steps: [], parts: { board: drawing([]) } });
    assert.ok(find("#missed").hidden);
  });
});
