// The page of a rulebook: a search as one types. What has all the words stays, and so do the headings above it.

import { all, byId } from "./dom.js";

const field = byId("search", HTMLInputElement);
const nothingFound = byId("nothing-found", HTMLElement);
const sections = all(".rules section");

/**
 * A text without accents and capitals.
 * @param {string | null | undefined} text
 */
function plain(text) {
  return (text ?? "").normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

function search() {
  const words = plain(field.value).split(/\s+/).filter(Boolean);
  for (const section of sections) filter(section, words);
  nothingFound.hidden = sections.some((section) => !section.hidden);
}

/**
 * Hide what does not have all the words; under a heading that has them, all stays.
 * @param {HTMLElement} section
 * @param {string[]} words
 */
function filter(section, words) {
  const [heading, ...blocks] = /** @type {HTMLElement[]} */ ([...section.children]);
  const allStays = hasAll(heading, words);
  for (const block of blocks) block.hidden = !allStays && !hasAll(block, words);
  section.hidden = words.length > 0 && !allStays && blocks.every((block) => block.hidden);
}

/**
 * @param {HTMLElement | undefined} element
 * @param {string[]} words
 */
function hasAll(element, words) {
  const text = plain(element?.textContent);
  return words.every((word) => text.includes(word));
}

/** A link to a rule shows it, whatever was searched for. */
function showTarget() {
  field.value = "";
  search();
  document.querySelector(":target")?.scrollIntoView();
}

const searchBox = /** @type {HTMLElement} */ (field.closest("[hidden]"));
searchBox.hidden = false;
field.addEventListener("input", search);
addEventListener("hashchange", showTarget);
