import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { markPointedAt } from "../../src/skerry/server/static/guide.js";
import { drawThings, find, offer, openPage } from "./page.js";

beforeEach(() => {
  openPage();
  drawThings("place:a", "place:b");
});

/**
 * What is pointed at, by touch or by id.
 * @param {string} [points]  what the guide says; without it there is no guide
 */
function pointedAt(points) {
  document.getElementById("table-guide")?.remove();
  if (points !== undefined)
    find("#main").innerHTML += `<aside id="table-guide" data-points="${points}"></aside>`;
  markPointedAt(find("#main"));
  const pointed = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".pointed"));
  return [...pointed].map((one) => one.dataset.touch ?? `#${one.id}`);
}

test("the guide points at things and at parts of the page", () => {
  assert.deepEqual(pointedAt("place:b #log"), ["place:b", "#log"]);
});

test("what it pointed at before is left", () => {
  pointedAt("place:a");
  assert.deepEqual(pointedAt("place:b"), ["place:b"]);
});

test("a guide that points at nothing marks nothing, and neither does a page without a guide", () => {
  assert.deepEqual(pointedAt(""), []);
  assert.deepEqual(pointedAt(), []);
});

test("the guide points at the action that it says to do, or at the heading of its group", () => {
  Element.prototype.scrollIntoView = () => {};
  find("#main").innerHTML += `<aside id="table-guide" data-points="" data-action="move b"></aside>`;
  offer({ "move a": "verb:move|place:a", "move b": "verb:move|place:b" });
  markPointedAt(find("#main"));
  assert.equal(find("#table-actions .pointed").getAttribute("value"), "move b");
  find("#table-actions").innerHTML =
    `<details><summary>Move</summary><button value="move b" data-touches="verb:move|place:b"></button></details>`;
  markPointedAt(find("#main"));
  assert.equal(find("#table-actions .pointed").tagName, "SUMMARY");
  find("#table-guide").dataset.action = "";
  markPointedAt(find("#main"));
  assert.equal(document.querySelector("#table-actions .pointed"), null);
});

test("what is to be touched is marked, so that it stands out as soon as it glows", () => {
  find("#main").innerHTML +=
    `<aside id="table-guide" data-points="" data-means="verb:move on|place:b"></aside>`;
  markPointedAt(find("#main"));
  const meant = /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".meant"));
  assert.deepEqual(
    [...meant].map((one) => one.dataset.touch),
    ["place:b"],
  );
});
