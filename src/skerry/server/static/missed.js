// What happened while nobody looked, or while the connection was lost: the board shows the present at once, and a bar
// offers to play back what was missed.

import { cuesOf } from "./cues.js";
import { byId } from "./dom.js";
import { revealLog } from "./log.js";

/** @typedef {import("./cues.js").Cue} Cue */

const MOST = 200; // cues that are kept to be played back

export class MissedEvents {
  /** @type {Cue[]} */
  #cues = [];
  /** @type {Record<string, string>} the markup that parts had before, by id */
  #before = {};
  #playback;
  #kinds;
  #bar = byId("missed", HTMLElement);

  /**
   * @param {import("./playback.js").Playback} playback
   * @param {import("./cues.js").EventKinds} kinds
   */
  constructor(playback, kinds) {
    this.#playback = playback;
    this.#kinds = kinds;
    this.#bar.addEventListener("click", ({ target }) => {
      if (target instanceof HTMLButtonElement) this.#answer(target.value);
    });
  }

  /**
   * Show the end of a message at once, and remember its events with all that changed with them.
   * @param {Parameters<typeof cuesOf>[0]} message
   */
  record(message) {
    this.#playback.finish();
    for (const id of Object.keys(message.parts)) this.#before[id] ??= markupOf(id);
    this.#cues.push(...cuesOf(message, this.#kinds));
    for (const { parts } of this.#cues.splice(0, this.#cues.length - MOST))
      Object.assign(this.#before, parts);
    this.#playback.apply(message.parts);
    revealLog(Infinity);
    this.#offer();
  }

  /** Stop offering what was missed. */
  forget() {
    this.#cues = [];
    this.#before = {};
    this.#bar.hidden = true;
  }

  #offer() {
    const told = this.#cues.filter(({ text }) => text).length;
    const count = this.#bar.querySelector("b");
    if (count) count.textContent = String(told);
    this.#bar.hidden = !told;
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
    this.#playback.replay(this.#before, [...this.#cues, { touches: [], parts: after }]);
  }
}

/** @param {string} id */
function markupOf(id) {
  return document.getElementById(id)?.outerHTML ?? "";
}
