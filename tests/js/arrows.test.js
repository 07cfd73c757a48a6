import assert from "node:assert/strict";
import { test } from "node:test";

import { ARROWS, distance, focusNearest } from "../../src/skerry/server/static/arrows.js";
import { drawThings, find, openPage, thing } from "./page.js";

const RIGHT = { x: 1, y: 0 };

test("what lies straight ahead is nearer than what lies aside", () => {
  const ahead = distance({ x: 0, y: 0 }, { x: 30, y: 0 }, RIGHT);
  const aside = distance({ x: 0, y: 0 }, { x: 20, y: 20 }, RIGHT);
  assert.ok(ahead < aside);
});

test("what lies behind or beside is not ahead", () => {
  assert.equal(distance({ x: 0, y: 0 }, { x: -5, y: 0 }, RIGHT), Infinity);
  assert.equal(distance({ x: 0, y: 0 }, { x: 0, y: 50 }, RIGHT), Infinity);
  assert.equal(distance({ x: 0, y: 0 }, { x: 2, y: 0 }, RIGHT), Infinity);
});

test("each arrow moves the focus to the nearest thing in its direction", () => {
  openPage();
  drawThings("place:middle", "place:right", "place:far", "place:left", "place:up", "place:down");
  const places = {
    middle: [0, 0],
    right: [10, 1],
    far: [20, 0],
    left: [-10, 0],
    up: [0, -10],
    down: [0, 10],
  };
  for (const [name, [x = 0, y = 0]] of Object.entries(places)) {
    thing(`place:${name}`).tabIndex = 0;
    thing(`place:${name}`).getBoundingClientRect = () => new DOMRectStub(x, y);
  }
  for (const [key, name] of [
    ["ArrowRight", "right"],
    ["ArrowLeft", "left"],
    ["ArrowUp", "up"],
    ["ArrowDown", "down"],
  ]) {
    thing("place:middle").focus();
    focusNearest(find("#main"), ARROWS[key ?? ""] ?? RIGHT);
    assert.equal(document.activeElement, thing(`place:${name}`), key);
  }
});

test("without a focus the first thing gets it", () => {
  openPage();
  drawThings("place:a", "place:b");
  thing("place:a").tabIndex = -1;
  thing("place:b").tabIndex = 0;
  focusNearest(find("#main"), RIGHT);
  assert.equal(document.activeElement, thing("place:b"));
});

/** A rectangle of no size. */
class DOMRectStub {
  width = 0;
  height = 0;
  right;
  bottom;

  /**
   * @param {number} x
   * @param {number} y
   */
  constructor(x, y) {
    this.x = x;
    this.y = y;
    this.left = this.right = x;
    this.top = this.bottom = y;
  }

  toJSON() {}
}
