import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { Choice } from "../../src/skerry/server/static/choice.js";
import { Playback } from "../../src/skerry/server/static/playback.js";
import { chooseByClicks, skipByClicks } from "../../src/skerry/server/static/pointer.js";
import { drawThings, find, offer, openPage, thing, touchesWithClass } from "./page.js";

/** @type {Choice} */
let choice;
/** @type {Playback} */
let playback;
/** @type {string[]} */
let performed;
/** @type {string[]} */
let asked;

beforeEach(() => {
  openPage();
  performed = [];
  asked = [];
  const table = find("#main");
  choice = new Choice(table, {
    perform: (button) => performed.push(button.value),
    dismiss: () => {},
    explain: (touches) => asked.push(touches),
  });
  playback = new Playback(table, {
    kinds: {},
    pace: () => 100,
    refresh: (playing) => choice.refresh(playing),
  });
  skipByClicks(table, choice, playback);
  chooseByClicks(table, choice);
  drawThings("place:a", "place:b", "pawn:pilot");
  offer({ "move a": "verb:move|place:a", end: "verb:end" });
  choice.refresh(false);
});

/**
 * Click an element, below which others lie.
 * @param {HTMLElement} element
 * @param {...HTMLElement} below
 */
function click(element, ...below) {
  document.elementsFromPoint = () => [element, ...below];
  element.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
}

/** Begin to show two events. */
function playEvents() {
  playback.play({ steps: [{ seq: 1, words: ["one", "two"] }], parts: {} });
  assert.ok(playback.playing);
}

test("a click on a thing touches it", () => {
  click(thing("place:a"));
  assert.deepEqual(performed, ["move a"]);
});

test("what cannot be chosen is not in the way of what lies below it", () => {
  click(thing("pawn:pilot"), thing("place:a"));
  assert.deepEqual(performed, ["move a"]);
});

test("a click on what nothing can be done with asks why", () => {
  click(thing("place:b"));
  assert.deepEqual(asked, ["place:b"]);
});

test("a click on a sign touches what leads there", () => {
  find("#board").innerHTML += '<g id="sign" data-leads="place:z,place:a"></g>';
  choice.refresh(false);
  click(find("#sign"));
  assert.deepEqual(performed, ["move a"]);
});

test("spectators touch nothing", () => {
  delete find("#main").dataset.seat;
  click(thing("place:a"));
  assert.deepEqual(performed, []);
});

test("while events are shown, a click on nothing skips them", () => {
  playEvents();
  click(find("#board"));
  assert.ok(!playback.playing);
  assert.deepEqual([performed, asked], [[], []]);
});

test("while events are shown, a click on what could be chosen before counts", () => {
  playEvents();
  click(thing("place:a"));
  assert.ok(!playback.playing);
  assert.deepEqual(performed, ["move a"]);
});

test("while events are shown, a click on what could not be chosen before only skips", () => {
  playEvents();
  offer({ "move b": "verb:move|place:b", end: "verb:end" });
  click(thing("place:b"));
  assert.ok(!playback.playing);
  assert.deepEqual([performed, asked, touchesWithClass("can")], [[], [], ["place:b"]]);
});

test("while events are shown, a click on an action counts where it is drawn anew", () => {
  const moved =
    "<div id='table-actions'><p></p><button name='action' value='end' data-touches='verb:end'>End</button></div>";
  offer({ end: "verb:end" });
  find("#table-actions button").setAttribute("name", "action");
  playback.play({ steps: [{ seq: 1, words: ["one", "two"] }], parts: { "table-actions": moved } });
  /** @type {string[]} */
  const clicked = [];
  find("#main").addEventListener("click", (event) => {
    clicked.push(/** @type {HTMLButtonElement} */ (event.target).value);
  });
  click(find("#table-actions button"));
  assert.deepEqual(clicked, ["end"]);
});
