import assert from "node:assert/strict";
import { test } from "node:test";

import { beatsOf } from "../../src/skerry/server/static/beats.js";

const KINDS = {
  moves: { who: "pawn", from: "place", to: "place" },
  floods: { places: "place" },
  ends: {},
};

/**
 * A part of the board on which things can be touched.
 * @param {...string} touches
 */
function part(...touches) {
  return touches.map((touch) => `<g data-touch="${touch}"></g>`).join("");
}

test("each event is a beat, with what it names", () => {
  const steps = [
    { seq: 1, words: ["Ana moves."], events: [{ event: "moves", who: "pilot", from: "a", to: "b" }] },
    {
      seq: 2,
      words: ["Two are flooded.", "Ana ends."],
      events: [{ event: "floods", places: ["c", "d"] }, { event: "ends" }],
    },
  ];
  assert.deepEqual(beatsOf({ steps, parts: {} }, KINDS), [
    {
      text: "Ana moves.",
      touches: ["pawn:pilot", "place:a", "place:b"],
      from: "place:a",
      to: "place:b",
      parts: {},
    },
    { text: "Two are flooded.", touches: ["place:c", "place:d"], from: undefined, to: undefined, parts: {} },
    { text: "Ana ends.", touches: [], from: undefined, to: undefined, parts: {} },
  ]);
});

test("what an event leaves out, and events without a description, name nothing", () => {
  const steps = [
    {
      seq: 1,
      words: ["Somebody floods.", "Something happens."],
      events: [{ event: "floods" }, { event: "unknown" }],
    },
    { seq: 2, words: ["Only words."] },
  ];
  const beats = beatsOf({ steps, parts: {} }, KINDS);
  assert.deepEqual(
    beats.map((beat) => beat.touches),
    [[], [], []],
  );
});

test("a part of the board changes with the last event that names something on it", () => {
  const flood = (/** @type {string} */ place) => ({ event: "floods", places: [place] });
  const steps = [{ seq: 1, words: ["1", "2", "3"], events: [flood("a"), flood("a"), flood("b")] }];
  const parts = { "tile-a": part("place:a"), "tile-b": part("place:b"), deck: part("verb:draw") };
  const beats = beatsOf({ steps, parts }, KINDS);
  assert.deepEqual(
    beats.map((beat) => Object.keys(beat.parts)),
    [[], ["tile-a"], ["tile-b", "deck"]],
  );
});

test("parts of the table around the game change with the last event", () => {
  const steps = [
    { seq: 1, words: ["1", "2"], events: [{ event: "floods", places: ["a"] }, { event: "ends" }] },
  ];
  const beats = beatsOf({ steps, parts: { "table-actions": part("place:a") } }, KINDS);
  assert.deepEqual(
    beats.map((beat) => Object.keys(beat.parts)),
    [[], ["table-actions"]],
  );
});

test("a message without events is one beat without words", () => {
  assert.deepEqual(beatsOf({ steps: [], parts: { a: "b" } }, KINDS), [{ touches: [], parts: { a: "b" } }]);
});
