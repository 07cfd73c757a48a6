// The names of people who share a device, one a seat: asked for once a match, at its first curtain, and kept in this
// browser only.

import { all } from "./dom.js";
import { storage } from "./settings.js";

const LAST = "skerry-names"; // those of the last match, which are suggested for the next one

/** @typedef {Record<string, string>} Names  by seat; a seat without one is missing */

export class SeatNames {
  #key;
  #table;
  /** @type {Names} */
  #names;

  /** @param {HTMLElement} table */
  constructor(table) {
    this.#table = table;
    this.#key = `${LAST}-${table.dataset.match}`;
    const own = storage[this.#key];
    this.#names = read(own ?? storage[LAST]);
    this.#askAtCurtain(own === undefined);
  }

  /** Show the names, instead of that of the one guest whom the server knows, also after the page has changed. */
  show() {
    for (const [seat, name] of Object.entries(this.#names)) {
      const label = this.#table.querySelector(`#table-seat-${seat} .name`);
      if (label) label.textContent = name;
    }
    for (const opener of all("[data-curtain]", this.#table)) {
      const { curtain = "", pass = "", title = "" } = opener.dataset;
      const name = this.#names[curtain];
      const who = name ? `${name} (${title})` : title;
      opener.replaceChildren(...[...opener.children].slice(0, 1), textWith(pass.replace("{name}", who)));
    }
  }

  /** @param {boolean} isFirst  whether nobody has been asked yet in this match */
  #askAtCurtain(isFirst) {
    const form = this.#table.querySelector("#seat-names");
    if (!(form instanceof HTMLDetailsElement)) return;
    form.open = isFirst;
    for (const field of fieldsOf(form)) field.value = this.#names[field.name] ?? "";
    form.addEventListener("input", () => {
      this.#names = namesIn(form);
      this.show();
    });
    const keep = () => {
      storage[this.#key] = storage[LAST] = JSON.stringify(namesIn(form));
    };
    form.addEventListener("change", keep);
    for (const opener of all("[data-curtain]", this.#table)) opener.addEventListener("click", keep);
  }
}

/** @param {Element} form */
function fieldsOf(form) {
  return /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input"));
}

/**
 * @param {Element} form
 * @returns {Names}
 */
function namesIn(form) {
  const filled = [...fieldsOf(form)].filter(({ value }) => value.trim());
  return Object.fromEntries(filled.map(({ name, value }) => [name, value.trim()]));
}

/** @param {string} text */
function textWith(text) {
  const span = document.createElement("span");
  span.textContent = text;
  return span;
}

/**
 * What was stored, unless something else was.
 * @param {string | undefined} stored
 * @returns {Names}
 */
function read(stored) {
  try {
    return JSON.parse(stored ?? "{}");
  } catch {
    return {};
  }
}
