import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { Choice } from "../../src/skerry/server/static/choice.js";
import { drawThings, find, offer, openPage, thing, touchesWithClass } from "./page.js";

const MOVES = {
  "move a": "verb:move|place:a",
  "move b": "verb:move|place:b",
  "shore b": "verb:shore|place:b",
  "fly a": "verb:fly|pawn:pilot|place:a",
};

/** @type {string[]} */
let performed;
/** @type {string[]} */
let asked;
/** @type {number} */
let dismissed;
/** @type {Choice} */
let choice;

beforeEach(() => {
  openPage();
  performed = [];
  asked = [];
  dismissed = 0;
  choice = new Choice(find("#main"), {
    perform: (button) => performed.push(button.value),
    dismiss: () => (dismissed += 1),
    explain: (touches) => asked.push(touches),
  });
  drawThings("place:a", "place:b", "place:c", "pawn:pilot");
  offer(MOVES);
  choice.refresh(false);
});

/** @param {boolean} turn */
function showPrompt(text = "What will you do?", turn = true) {
  find("#log").insertAdjacentHTML(
    "beforebegin",
    `<p id="table-prompt" ${turn ? "data-turn" : ""}>${text}</p>`,
  );
}

describe("what can be touched", () => {
  test("is all that an action touches", () => {
    assert.deepEqual(touchesWithClass("can"), ["place:a", "place:b", "pawn:pilot"]);
    assert.equal(thing("place:a").tabIndex, 0);
    assert.equal(thing("place:a").getAttribute("aria-disabled"), "false");
    assert.equal(thing("place:c").tabIndex, -1);
    assert.equal(thing("place:c").getAttribute("aria-disabled"), "true");
  });

  test("is nothing while events are shown, but it is remembered what could be touched before", () => {
    choice.refresh(true);
    assert.deepEqual(touchesWithClass("can"), []);
    assert.ok(choice.couldTouch("place:a"));
    assert.ok(!choice.couldTouch("place:c"));
    assert.ok(!choice.couldTouch(undefined));
  });

  test("is the verb first, where that is a thing on the table", () => {
    drawThings("place:a", "verb:fly", "pawn:pilot");
    choice.refresh(false);
    assert.deepEqual(touchesWithClass("can"), ["place:a", "verb:fly"]);
    choice.touch("verb:fly");
    assert.deepEqual(performed, ["fly a"]);
  });
});

describe("touching", () => {
  test("performs the only action that is left, and lets go", () => {
    choice.touch("place:b");
    assert.deepEqual(performed, []);
    assert.deepEqual(touchesWithClass("chosen"), ["place:b"]);
    choice.touch("verb:shore");
    assert.deepEqual(performed, ["shore b"]);
    assert.deepEqual(touchesWithClass("chosen"), []);
  });

  test("leaves what goes together with what is chosen", () => {
    choice.touch("place:a");
    assert.deepEqual(touchesWithClass("can"), ["pawn:pilot"]);
    assert.equal(thing("place:a").getAttribute("aria-current"), "true");
  });

  test("puts aside the actions that are not meant any more", () => {
    choice.touch("place:b");
    const beside = [...document.querySelectorAll("#table-actions .beside")];
    assert.deepEqual(
      beside.map((one) => /** @type {HTMLButtonElement} */ (one).value),
      ["move a", "fly a"],
    );
  });

  test("unfolds the groups that have an action which is left, and folds the others", () => {
    find("#table-actions").innerHTML = `
      <details id="moves"><button value="m" data-touches="verb:move|place:a"></button></details>
      <details id="shores" open><button value="s" data-touches="verb:shore|place:b"></button></details>
      <button value="f" data-touches="verb:fly|place:a"></button>`;
    choice.touch("place:a");
    assert.deepEqual(
      [find("#moves").hasAttribute("open"), find("#shores").hasAttribute("open")],
      [true, false],
    );
  });

  test("a chosen thing lets go of it", () => {
    choice.touch("place:b");
    choice.touch("place:b");
    assert.deepEqual(touchesWithClass("chosen"), []);
    assert.deepEqual(performed, []);
  });

  test("what does not go with what is chosen begins anew", () => {
    choice.touch("place:a");
    choice.touch("place:b");
    assert.deepEqual(touchesWithClass("chosen"), ["place:b"]);
  });

  test("any of several touches with commas between them will do", () => {
    choice.touch("place:c,pawn:pilot");
    assert.deepEqual(performed, ["fly a"]);
  });

  test("what nothing can be done with asks why", () => {
    choice.touch("place:c");
    assert.deepEqual(asked, ["place:c"]);
    choice.touch("place:a");
    choice.touch("place:c");
    assert.deepEqual(asked[1], "place:a|place:c");
    assert.deepEqual(performed, []);
  });

  test("asks why with the verb of the group that is unfolded", () => {
    find("#table-actions").innerHTML =
      `<details open><button value="m" data-touches="verb:move|place:a"></button></details>`;
    choice.touch("place:c");
    assert.deepEqual(asked, ["verb:move|place:c"]);
  });
});

describe("after the page has changed", () => {
  test("nothing else is to be decided if prompt and actions are the same", () => {
    dismissed = 0;
    assert.equal(choice.refresh(false), false);
    assert.equal(dismissed, 0);
  });

  test("other actions dismiss the messages, and what is chosen stays if it still can mean something", () => {
    choice.touch("place:b");
    dismissed = 0;
    offer({ ...MOVES, "swim b": "verb:swim|place:b" });
    assert.equal(choice.refresh(false), true);
    assert.equal(dismissed, 1);
    assert.deepEqual(touchesWithClass("chosen"), ["place:b"]);
  });

  test("what is chosen is let go if it cannot mean anything any more", () => {
    choice.touch("place:b");
    offer({ "move a": "verb:move|place:a", "fly a": "verb:fly|pawn:pilot|place:a" });
    assert.equal(choice.refresh(false), true);
    assert.deepEqual(touchesWithClass("chosen"), []);
  });

  test("another question lets go of what is chosen, though it could be chosen again", () => {
    choice.touch("place:b");
    showPrompt();
    assert.equal(choice.refresh(false), true);
    assert.deepEqual(touchesWithClass("chosen"), []);
  });

  test("the prompt for others is no question", () => {
    showPrompt("The others are playing", false);
    assert.equal(choice.refresh(false), false);
  });
});
