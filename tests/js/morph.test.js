import assert from "node:assert/strict";
import { test } from "node:test";

import { morphParts } from "../../src/skerry/server/static/morph.js";
import { find, openPage } from "./page.js";

/**
 * Morph the part #part of a page; the page shows exactly the new markup then.
 * @param {string} before
 * @param {string} after
 */
function morph(before, after) {
  openPage(before);
  const kept = new Map([...document.querySelectorAll("[id]")].map((one) => [one.id, one]));
  morphParts({ part: after });
  assert.equal(document.body.innerHTML, after);
  /** @param {string} id */
  return (id) => document.getElementById(id) === kept.get(id);
}

test("text and attributes are changed in place", () => {
  const isSame = morph(
    '<p id="part" class="a" title="t">one</p>',
    '<p id="part" class="b" lang="es">two</p>',
  );
  assert.ok(isSame("part"));
});

test("children with ids are kept and moved", () => {
  const isSame = morph(
    '<ul id="part"><li id="a">1</li><li id="b">2</li><li id="c">3</li></ul>',
    '<ul id="part"><li id="c">3</li><li id="a">one</li></ul>',
  );
  assert.ok(isSame("a") && isSame("c"));
});

test("children without ids are kept where one of their kind is in their place", () => {
  openPage('<div id="part"><b>1</b><i>2</i></div>');
  const [bold, italic] = find("#part").children;
  morphParts({ part: '<div id="part"><b>one</b><u>two</u></div>' });
  assert.equal(find("#part").innerHTML, "<b>one</b><u>two</u>");
  assert.equal(find("#part").children[0], bold);
  assert.notEqual(find("#part").children[1], italic);
});

test("a child with an id is not taken for one without", () => {
  const isSame = morph(
    '<div id="part"><b id="a">1</b></div>',
    '<div id="part"><b>0</b><b id="a">1</b></div>',
  );
  assert.ok(isSame("a"));
});

test("what is left over is removed, and what is new is inserted", () => {
  morph('<div id="part">text<b>1</b><b>2</b></div>', '<div id="part"><i>new</i></div>');
  morph('<div id="part"></div>', '<div id="part">text<b>1</b><!--note--></div>');
});

test("an element of another kind is replaced", () => {
  const isSame = morph('<p id="part">1</p>', '<div id="part">1</div>');
  assert.ok(!isSame("part"));
});

test("the reader decides which groups are unfolded", () => {
  openPage('<div id="part"><details open class="a"></details><details></details></div>');
  morphParts({ part: '<div id="part"><details></details><details class="b"></details></div>' });
  const open = [...document.querySelectorAll("details")].map((one) => one.hasAttribute("open"));
  assert.deepEqual(open, [true, false]);
});

test("parts of an SVG drawing stay SVG elements", () => {
  openPage('<svg><g id="part"><circle r="1"></circle></g></svg>');
  morphParts({ part: '<g id="part"><circle r="2"></circle><path d="M0 0"></path></g>' });
  const path = find("#part path");
  assert.equal(path.namespaceURI, "http://www.w3.org/2000/svg");
  assert.equal(find("#part circle").getAttribute("r"), "2");
});

test("parts that the page does not have, and empty ones, are left alone", () => {
  openPage('<p id="part">1</p>');
  morphParts({ part: "", other: '<p id="other">2</p>' });
  assert.equal(document.body.innerHTML, '<p id="part">1</p>');
});

test("markup without the element is an error", () => {
  openPage('<p id="part">1</p>');
  assert.throws(() => morphParts({ part: '<p id="other">2</p>' }), /no #part/);
});
