// What happened while nobody looked, or while the connection was lost: the board shows the present at once, and a bar
// offers to play back what was missed.

import { beatsOf, isOfTable } from "./beats.js";
import { byId } from "./dom.js";
import { revealLog } from "./log.js";

/** @typedef {import("./beats.js").Beat} Beat */

export class MissedEvents {
  /** @type {Beat[]} */
  #beats = [];
  /** @type {Record<string, string>} the markup that parts had before, by id */
  #before = {};
  #playback;
  #kinds;
  #bar = byId("missed", HTMLElement);

  /**
   * @param {import("./playback.js").Playback} playback
   * @param {import("./beats.js").EventKinds} kinds
   */
  constructor(playback, kinds) {
    this.#playback = playback;
    this.#kinds = kinds;
    this.#bar.addEventListener("click", ({ target }) => {
      if (target instanceof HTMLButtonElement) this.#answer(target.value);
    });
  }

  /**
   * Show the end of a message at once, and remember its events.
   * @param {Parameters<typeof beatsOf>[0]} message
   */
  record({ steps, parts }) {
    this.#playback.finish();
    const board = Object.fromEntries(Object.entries(parts).filter(([id]) => !isOfTable(id)));
    for (const id of Object.keys(board)) this.#before[id] ??= markupOf(id);
    const beats = beatsOf({ steps, parts: board }, this.#kinds);
    this.#beats.push(...beats.filter((beat) => beat.text));
    this.#playback.apply(parts);
    revealLog(Infinity);
    this.#offer();
  }

  /** Stop offering what was missed. */
  forget() {
    this.#beats = [];
    this.#before = {};
    this.#bar.hidden = true;
  }

  #offer() {
    const count = this.#bar.querySelector("b");
    if (count) count.textContent = String(this.#beats.length);
    this.#bar.hidden = !this.#beats.length;
  }

  /** @param {string} answer */
  #answer(answer) {
    if (answer === "show") this.#playBack();
    if (answer) this.forget();
  }

  /** Go back to how the board was, show all that was missed, and end with how it is now. */
  #playBack() {
    this.#playback.finish();
    const ids = Object.keys(this.#before);
    const after = Object.fromEntries(ids.map((id) => [id, markupOf(id)]));
    this.#playback.replay(this.#before, [...this.#beats, { touches: [], parts: after }]);
  }
}

/** @param {string} id */
function markupOf(id) {
  return document.getElementById(id)?.outerHTML ?? "";
}
