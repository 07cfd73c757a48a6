import assert from "node:assert/strict";
import { beforeEach, describe, test } from "node:test";

import { Choice } from "../../src/skerry/server/static/choice.js";
import { drawThings, find, offer, openPage, ringValues, thing, touchesWithClass } from "./page.js";

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
    perform: (button, times) => performed.push(...Array(times).fill(button.value)),
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
  test("is what an action begins with", () => {
    assert.deepEqual(touchesWithClass("can"), ["place:a", "place:b", "pawn:pilot"]);
    assert.equal(thing("place:a").tabIndex, 0);
    assert.equal(thing("place:a").getAttribute("aria-disabled"), "false");
    assert.equal(thing("place:c").tabIndex, -1);
    assert.equal(thing("place:c").getAttribute("aria-disabled"), "true");
  });

  test("is nothing while events are shown, but it is remembered what could be touched before", () => {
    choice.refresh(true);
    assert.deepEqual(touchesWithClass("can"), []);
    assert.ok(choice.couldTouch(thing("place:a")));
    assert.ok(!choice.couldTouch(thing("place:c")));
    assert.ok(!choice.couldTouch(undefined));
  });

  test("is the card first, where an action has one on the table, and it is never spent without it", () => {
    drawThings("place:a", "place:c", "verb:fly", "pawn:pilot");
    offer({ ...MOVES, "fly c": "verb:fly|pawn:pilot|place:c" });
    choice.refresh(false);
    assert.deepEqual(touchesWithClass("can"), ["place:a", "verb:fly"]);
    choice.touch(thing("place:c"));
    choice.touch(thing("pawn:pilot"));
    assert.deepEqual(performed, []);
    choice.touch(thing("verb:fly"));
    assert.deepEqual(touchesWithClass("can"), ["pawn:pilot"]);
    choice.touch(thing("pawn:pilot"));
    assert.deepEqual(touchesWithClass("can"), ["place:a", "place:c"]);
    choice.touch(thing("place:c"));
    assert.deepEqual(performed, ["fly c"]);
  });
});

describe("touching", () => {
  test("a place does what is simply done there", () => {
    choice.touch(thing("place:a"));
    assert.deepEqual(performed, ["move a"]);
    assert.deepEqual(touchesWithClass("chosen"), []);
  });

  test("a place where several things are done offers them in a ring", () => {
    choice.touch(thing("place:b"));
    assert.deepEqual(performed, []);
    assert.deepEqual(touchesWithClass("chosen"), ["place:b"]);
    assert.deepEqual(ringValues(), ["move b", "shore b"]);
    const [first] = document.querySelectorAll("#ring button");
    assert.equal(first?.textContent, "move", "what all have in common is left out");
    assert.equal(first?.getAttribute("aria-label"), "move b");
    choice.clear();
    assert.deepEqual(ringValues(), []);
  });

  test("a piece leaves where it can go, and its only destination is not taken for granted", () => {
    choice.touch(thing("pawn:pilot"));
    assert.deepEqual(performed, []);
    assert.deepEqual(touchesWithClass("can"), ["place:a"]);
    assert.equal(thing("pawn:pilot").getAttribute("aria-current"), "true");
    choice.touch(thing("place:a"));
    assert.deepEqual(performed, ["fly a"]);
  });

  test("puts aside the actions that are not meant any more", () => {
    choice.touch(thing("place:b"));
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
      <button value="f" data-touches="verb:dig|place:a"></button>`;
    choice.touch(thing("place:a"));
    assert.deepEqual(
      [find("#moves").hasAttribute("open"), find("#shores").hasAttribute("open")],
      [true, false],
    );
  });

  test("a chosen thing puts it back", () => {
    choice.touch(thing("place:b"));
    choice.touch(thing("place:b"));
    assert.deepEqual(touchesWithClass("chosen"), []);
    assert.deepEqual(performed, []);
  });

  test("what does not go with what is chosen begins anew, but does nothing yet, since it did not glow", () => {
    choice.touch(thing("place:b"));
    choice.touch(thing("place:a"));
    assert.deepEqual(performed, []);
    assert.deepEqual(touchesWithClass("chosen"), ["place:a"]);
    assert.deepEqual(ringValues(), ["move a"]);
  });

  test("what nothing can be done with asks why", () => {
    choice.touch(thing("place:c"));
    assert.deepEqual(asked, ["place:c"]);
    choice.touch(thing("place:b"));
    choice.touch(thing("place:c"));
    assert.deepEqual(asked[1], "place:b|place:c");
    assert.deepEqual(performed, []);
  });

  test("asks why with the verb that is chosen in the list", () => {
    choice.chooseVerb("verb:move");
    assert.deepEqual(touchesWithClass("can"), ["place:a", "place:b"]);
    choice.touch(thing("place:c"));
    assert.deepEqual(asked, ["verb:move|place:c"]);
    choice.touch(thing("place:b"));
    assert.deepEqual(performed, ["move b"]);
  });
});

describe("a thing", () => {
  test("that stands for two things leaves what is done with either", () => {
    drawThings("gear:jet data-also='verb:jet'", "place:a", "pawn:ann");
    offer({ "jet a": "verb:jet|place:a", "give jet ann": "verb:give|gear:jet|pawn:ann" });
    choice.refresh(false);
    assert.deepEqual(touchesWithClass("can"), ["gear:jet", "pawn:ann"]);
    choice.touch(thing("gear:jet"));
    assert.deepEqual(touchesWithClass("can"), ["place:a", "pawn:ann"]);
    choice.touch(thing("pawn:ann"));
    assert.deepEqual(performed, ["give jet ann"]);
  });

  test("that only offers does not act at its first touch", () => {
    drawThings("gear:shield data-also='verb:shield' data-offer");
    offer({ shield: "verb:shield" });
    choice.refresh(false);
    choice.touch(thing("gear:shield"));
    assert.deepEqual(performed, []);
    assert.deepEqual(ringValues(), ["shield"]);
  });

  test("that cycles does the first of what can be done with it, as often as it says", () => {
    drawThings("line:a-b data-cycle='1'");
    offer({ "bridge a-b": "verb:bridge|line:a-b", "remove a-b": "verb:remove|line:a-b" });
    choice.refresh(false);
    choice.touch(thing("line:a-b"));
    drawThings("line:a-b data-cycle='2'");
    offer({ "remove a-b": "verb:remove|line:a-b" });
    choice.refresh(false);
    choice.touch(thing("line:a-b"));
    assert.deepEqual(performed, ["bridge a-b", "remove a-b", "remove a-b"]);
  });

  test("on whose place it works lets that be touched for it", () => {
    drawThings("pawn:ann data-does='verb:dig' data-on='place:a'", "place:a");
    offer({ dig: "verb:dig" });
    choice.refresh(false);
    assert.deepEqual(touchesWithClass("can"), ["pawn:ann", "place:a"]);
    choice.touch(thing("place:a"));
    assert.deepEqual(performed, ["dig"]);
  });
});

describe("a sign of where a choice leads", () => {
  beforeEach(() => {
    drawThings("place:1 data-piece", "place:5", "card:rum", "card:dark-rum");
    find("#board").innerHTML +=
      "<g id='back' data-after='place:1' data-leads='verb:back'></g><g id='sign' data-after='place:1' data-leads='card:rum,card:dark-rum' data-at='place:5'></g>";
    offer({ "rum 1": "verb:play|card:rum|place:1", "back 1": "verb:back|place:1" });
    choice.refresh(false);
  });

  test("holds once what it is about is chosen", () => {
    assert.ok(!find("#sign").classList.contains("can"));
    choice.touch(thing("place:1"));
    assert.ok(find("#sign").classList.contains("can"));
    assert.deepEqual(ringValues(), [], "a sign on the table offers to go back");
    choice.touch(find("#sign"));
    assert.deepEqual(performed, ["rum 1"]);
  });

  test("makes the place under it mean the same", () => {
    choice.touch(thing("place:5"));
    assert.deepEqual(asked, ["place:5"]);
    choice.touch(thing("place:1"));
    assert.deepEqual(touchesWithClass("can"), ["place:5", "card:rum"]);
    choice.touch(thing("place:5"));
    assert.deepEqual(performed, ["rum 1"]);
  });

  test("offers all that leads there", () => {
    offer({ "rum 1": "verb:play|card:rum|place:1", "dark 1": "verb:play|card:dark-rum|place:1" });
    choice.refresh(false);
    choice.touch(thing("place:1"));
    choice.touch(thing("place:5"));
    assert.deepEqual(performed, []);
    assert.deepEqual(ringValues(), ["rum 1", "dark 1"]);
    choice.touch(thing("card:dark-rum"));
    assert.deepEqual(performed, ["dark 1"]);
  });
});

describe("dragging", () => {
  test("a piece chooses it, and does nothing yet", () => {
    assert.ok(choice.lift(thing("pawn:pilot")));
    assert.deepEqual(touchesWithClass("chosen"), ["pawn:pilot"]);
    assert.deepEqual(performed, []);
  });

  test("can mean a verb", () => {
    drawThings("pawn:me data-drag='verb:move'", "place:a", "place:b");
    choice.refresh(false);
    assert.ok(choice.lift(thing("pawn:me")));
    choice.touch(thing("place:b"));
    assert.deepEqual(performed, ["move b"]);
  });

  test("what has nowhere to go is left", () => {
    assert.ok(!choice.lift(thing("place:a")));
    assert.deepEqual(touchesWithClass("chosen"), []);
  });
});

describe("what ends a round", () => {
  beforeEach(() => {
    drawThings("verb:confirm data-settle='1' data-ask='Nothing?'", "place:a");
    offer({ confirm: "verb:confirm", "move a": "verb:move|place:a" });
    choice.refresh(false);
  });

  test("does not count in the first moment of the next", () => {
    assert.deepEqual(touchesWithClass("can"), ["verb:confirm", "place:a"]);
    thing("verb:confirm").dataset.settle = "2";
    choice.refresh(false);
    const [button] = document.querySelectorAll("#table-actions button");
    assert.deepEqual(touchesWithClass("can"), ["place:a"]);
    assert.ok(choice.isSettling(/** @type {HTMLButtonElement} */ (button)));
    choice.touch(thing("verb:confirm"));
    assert.deepEqual(performed, []);
  });

  test("is asked about while something else can be done", () => {
    const confirm = () => /** @type {HTMLButtonElement} */ (find("#table-actions button"));
    assert.equal(choice.questionBefore(confirm()), "Nothing?");
    offer({ confirm: "verb:confirm" });
    assert.equal(choice.questionBefore(confirm()), undefined);
  });
});

describe("after the page has changed", () => {
  test("nothing else is to be decided if prompt and actions are the same", () => {
    dismissed = 0;
    assert.equal(choice.refresh(false), false);
    assert.equal(dismissed, 0);
  });

  test("other actions dismiss the messages, and what is chosen stays if it still can mean something", () => {
    choice.touch(thing("place:b"));
    dismissed = 0;
    offer({ ...MOVES, "swim b": "verb:swim|place:b" });
    assert.equal(choice.refresh(false), true);
    assert.equal(dismissed, 1);
    assert.deepEqual(touchesWithClass("chosen"), ["place:b"]);
  });

  test("what is chosen is let go if it cannot mean anything any more", () => {
    choice.touch(thing("place:b"));
    offer({ "move a": "verb:move|place:a", "fly a": "verb:fly|pawn:pilot|place:a" });
    assert.equal(choice.refresh(false), true);
    assert.deepEqual(touchesWithClass("chosen"), []);
  });

  test("another question lets go of what is chosen, though it could be chosen again", () => {
    choice.touch(thing("place:b"));
    showPrompt();
    assert.equal(choice.refresh(false), true);
    assert.deepEqual(touchesWithClass("chosen"), []);
  });

  test("the prompt for others is no question", () => {
    showPrompt("The others are playing", false);
    assert.equal(choice.refresh(false), false);
  });
});
