import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { Grammar } from "../../src/skerry/server/static/grammar.js";

/** @typedef {import("../../src/skerry/server/static/grammar.js").Chosen} Chosen */

/** @param {string} text  the verb, then what it names */
function action(text) {
  const [verb = "", ...entities] = text.split(" ");
  return { text, verb: `verb:${verb}`, entities };
}

/** @param {...string} touches  each touch a thing; alternatives with commas */
function things(...touches) {
  return touches.map((touch) => /** @type {Chosen} */ ({ touches: touch.split(","), by: "thing" }));
}

/**
 * @param {string} touch
 * @param {Partial<import("../../src/skerry/server/static/grammar.js").Thing>} [more]
 */
function thing(touch, more) {
  const touches = touch.split(",");
  return { touches, isPlace: touch.startsWith("place:"), doers: touches, does: [], ...more };
}

/** @param {Set<string>} touches */
function sorted(touches) {
  return [...touches].sort();
}

describe("a place", () => {
  const grammar = new Grammar(["place:a", "place:b", "pawn:ann"].map((touch) => thing(touch)));
  const actions = ["move place:a", "shore place:a", "guide pawn:ann place:b"].map(action);

  test("means what is simply done there", () => {
    const left = grammar.left(actions, things("place:a"));
    assert.deepEqual(
      left.map(({ text }) => text),
      ["move place:a", "shore place:a"],
    );
    assert.ok(left.every((one) => grammar.isComplete(one, things("place:a"))));
  });

  test("comes after the piece that goes there", () => {
    assert.deepEqual(sorted(grammar.offered(actions, [])), ["pawn:ann", "place:a"]);
    assert.deepEqual(grammar.left(actions, things("place:b")), []);
    assert.deepEqual(sorted(grammar.offered(actions, things("pawn:ann"))), ["place:b"]);
    assert.ok(grammar.isComplete(action("guide pawn:ann place:b"), things("pawn:ann", "place:b")));
  });

  test("can be one of two, in either order", () => {
    const pair = [action("shore place:a place:b")];
    for (const [one = "", other = ""] of [
      ["place:a", "place:b"],
      ["place:b", "place:a"],
    ]) {
      assert.deepEqual(sorted(grammar.offered(pair, things(one))), [other]);
      assert.ok(!grammar.isComplete(pair[0] ?? action(""), things(one)));
    }
  });
});

describe("a card on the table", () => {
  const grammar = new Grammar(["verb:lift", "pawn:ann", "pawn:bob", "place:a"].map((touch) => thing(touch)));
  const actions = ["lift pawn:ann place:a", "lift pawn:ann pawn:bob place:a", "move place:a"].map(action);

  test("comes first", () => {
    assert.deepEqual(sorted(grammar.offered(actions, [])), ["place:a", "verb:lift"]);
    assert.deepEqual(grammar.left(actions, things("place:a")), [actions[2]]);
    assert.deepEqual(grammar.left(actions, things("pawn:ann")), []);
  });

  test("then the pieces, then the place", () => {
    assert.deepEqual(sorted(grammar.offered(actions, things("verb:lift"))), ["pawn:ann", "pawn:bob"]);
    const withAnn = things("verb:lift", "pawn:ann");
    assert.deepEqual(sorted(grammar.offered(actions, withAnn)), ["pawn:bob", "place:a"]);
    assert.deepEqual(grammar.left(actions, [...withAnn, ...things("place:a")]), [actions[0]]);
  });

  test("can be two things, and means either", () => {
    const gear = new Grammar(["gear:jet,verb:jet", "pawn:ann", "place:a"].map((touch) => thing(touch)));
    const played = ["jet place:a", "give gear:jet pawn:ann"].map(action);
    const card = things("gear:jet,verb:jet");
    assert.deepEqual(gear.left(played, card), played);
    assert.deepEqual(sorted(gear.offered(played, card)), ["pawn:ann", "place:a"]);
    assert.deepEqual(gear.left(played, things("place:a")), []);
  });
});

describe("a piece's own place", () => {
  const pawn = thing("pawn:ann", { does: ["verb:dig", "verb:take"], doers: ["pawn:ann", "place:a"] });
  const grammar = new Grammar([pawn, thing("place:a"), thing("place:b"), thing("part:wing")]);
  const actions = ["dig", "take part:wing", "move place:b", "guide pawn:ann place:b"].map(action);

  test("is where work is done, and so is the piece", () => {
    const left = grammar.left(actions, things("place:a"));
    assert.deepEqual(
      left.map(({ text }) => text),
      ["dig", "take part:wing"],
    );
    assert.ok(left.every((one) => grammar.isComplete(one, things("place:a"))));
    assert.ok(grammar.offered(actions, []).has("pawn:ann"));
  });

  test("leaves the other ways to the same action", () => {
    assert.deepEqual(grammar.left(actions, things("part:wing")), [actions[1]]);
  });
});

describe("what stands for actions without being one of their things", () => {
  const grammar = new Grammar(
    ["place:1", "place:2", "card:rum", "card:hook"].map((touch) => thing(touch, { isPlace: false })),
  );
  const actions = [
    "play card:rum place:1",
    "play card:hook place:1",
    "play card:rum place:2",
    "back place:1",
  ].map(action);

  test("card and piece go in either order", () => {
    assert.equal(grammar.left(actions, things("card:rum", "place:2")).length, 1);
    assert.equal(grammar.left(actions, things("place:2", "card:rum")).length, 1);
  });

  test("a sign picks actions, and what they need can still be touched", () => {
    const chosen = [
      ...things("card:rum"),
      /** @type {Chosen} */ ({ touches: ["place:1", "place:2"], by: "sign" }),
    ];
    assert.equal(grammar.left(actions, chosen).length, 2);
    assert.deepEqual(sorted(grammar.offered(actions, chosen)), ["place:1", "place:2"]);
  });

  test("a heading picks a kind of action", () => {
    const chosen = [/** @type {Chosen} */ ({ touches: ["verb:back"], by: "verb" })];
    assert.deepEqual(sorted(grammar.offered(actions, chosen)), ["place:1"]);
  });

  test("what is not on the table is not waited for", () => {
    assert.ok(grammar.isComplete(action("give card:rum colour:red"), things("card:rum")));
  });
});
