// Settling: what ends a round does not count in the first moment of the next, so that a double click ends only one.

import { all } from "./dom.js";

const SETTLE = 700; // milliseconds

export class Settling {
  /** @type {Map<string, string>} what each thing was of when it was last seen, by its touch */
  #of = new Map();
  /** @type {Map<string, number>} until when, by touch */
  #until = new Map();
  #table;
  #changed;

  /**
   * @param {HTMLElement} table
   * @param {() => void} changed  called when something has settled
   */
  constructor(table, changed) {
    this.#table = table;
    this.#changed = changed;
  }

  /** Notice what belongs to something new, as a seal does to the next round. */
  refresh() {
    for (const { dataset } of all("[data-touch][data-settle]", this.#table)) {
      const { touch = "", settle = "" } = dataset;
      const before = this.#of.get(touch);
      this.#of.set(touch, settle);
      if (before === undefined || before === settle) continue;
      this.#until.set(touch, performance.now() + SETTLE);
      setTimeout(this.#changed, SETTLE + 1);
    }
  }

  /**
   * Whether a verb does not count yet.
   * @param {string} verb
   */
  holds(verb) {
    return (this.#until.get(verb) ?? 0) > performance.now();
  }
}
