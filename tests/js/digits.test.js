import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { labelDigits, pressDigit } from "../../src/skerry/server/static/digits.js";
import { find, openPage } from "./page.js";

beforeEach(() => {
  openPage();
  find("#table-actions").innerHTML = `
    <details><summary id="group">move</summary><button data-touches="verb:move|place:a">a</button></details>
    <button id="end" data-touches="verb:end">end</button>`;
});

/**
 * Press a digit; the id of what it clicked.
 * @param {number} digit
 */
function clickedBy(digit) {
  let clicked = "";
  document.addEventListener("click", (event) => {
    clicked = /** @type {Element} */ (event.target).id;
  });
  pressDigit(digit);
  return clicked;
}

/** Without layout all is visible, also what a folded group has: so each control says whether it is. */
function hideFolded() {
  for (const one of document.querySelectorAll("button, summary")) {
    one.checkVisibility = () => one.tagName === "SUMMARY" || !one.closest("details:not([open])");
  }
}

test("digits press folded groups and actions, in the order of the list", () => {
  hideFolded();
  labelDigits();
  assert.equal(find("#group").dataset.key, "1");
  assert.equal(find("#end").dataset.key, "2");
  assert.equal(clickedBy(2), "end");
  assert.equal(clickedBy(3), "");
});

test("there is no tenth digit", () => {
  find("#table-actions").innerHTML = "<button data-touches='verb:a'>a</button>".repeat(12);
  labelDigits();
  assert.equal(document.querySelectorAll("[data-key]").length, 9);
});

test("while there is a question, digits press its answers", () => {
  hideFolded();
  find("#confirmation").setAttribute("open", "");
  find("#confirmation").innerHTML = "<button id='yes'>yes</button> <button id='no'>no</button>";
  labelDigits();
  assert.equal(clickedBy(2), "no");
  assert.equal(find("#group").dataset.key, undefined);
});
