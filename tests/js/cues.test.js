import assert from "node:assert/strict";
import { test } from "node:test";

import { cuesOf } from "../../src/skerry/server/static/cues.js";

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

test("each event is a cue, with what it names", () => {
  const steps = [
    { seq: 1, words: ["Ana moves."], events: [{ event: "moves", who: "pilot", from: "a", to: "b" }] },
    {
      seq: 2,
      words: ["Two are flooded.", "Ana ends."],
      events: [{ event: "floods", places: ["c", "d"] }, { event: "ends" }],
    },
  ];
  assert.deepEqual(cuesOf({ steps, parts: {} }, KINDS), [
    {
      text: "Ana moves.",
      touches: ["pawn:pilot", "place:a", "place:b"],
      from: "place:a",
      to: "place:b",
      parts: {},
      isBehind: true,
    },
    {
      text: "Two are flooded.",
      touches: ["place:c", "place:d"],
      from: undefined,
      to: undefined,
      parts: {},
      isBehind: true,
    },
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
  const cues = cuesOf({ steps, parts: {} }, KINDS);
  assert.deepEqual(
    cues.map((cue) => cue.touches),
    [[], [], []],
  );
});

test("a part of the board changes with the last event that names something on it", () => {
  const flood = (/** @type {string} */ place) => ({ event: "floods", places: [place] });
  const steps = [{ seq: 1, words: ["1", "2", "3"], events: [flood("a"), flood("a"), flood("b")] }];
  const parts = { "tile-a": part("place:a"), "tile-b": part("place:b"), deck: part("verb:draw") };
  const cues = cuesOf({ steps, parts }, KINDS);
  assert.deepEqual(
    cues.map((cue) => Object.keys(cue.parts)),
    [[], ["tile-a"], ["tile-b", "deck"]],
  );
});

test("a part changes with the place where it stands", () => {
  const steps = [
    { seq: 1, words: ["1", "2"], events: [{ event: "floods", places: ["a"] }, { event: "ends" }] },
  ];
  const parts = { pawn: '<g data-touch="pawn:pilot" data-stands="place:a"></g>' };
  assert.deepEqual(
    cuesOf({ steps, parts }, KINDS).map((cue) => Object.keys(cue.parts)),
    [["pawn"], []],
  );
});

test("parts of the table around the game change with the last event", () => {
  const steps = [
    { seq: 1, words: ["1", "2"], events: [{ event: "floods", places: ["a"] }, { event: "ends" }] },
  ];
  const cues = cuesOf({ steps, parts: { "table-actions": part("place:a") } }, KINDS);
  assert.deepEqual(
    cues.map((cue) => Object.keys(cue.parts)),
    [[], ["table-actions"]],
  );
});

test("a message without events is one cue without words", () => {
  assert.deepEqual(cuesOf({ steps: [], parts: { a: "b" } }, KINDS), [{ touches: [], parts: { a: "b" } }]);
});
