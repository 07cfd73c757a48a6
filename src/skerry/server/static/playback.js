// Playback: events are shown one after another. While the words of an event are read, the things that it names light
// up, and the parts of the page change that show it. It can be skipped, or turned off by the settings.

import { beatsOf } from "./beats.js";
import { all, byId, thingsWith } from "./dom.js";
import { revealLog } from "./log.js";
import { morphParts } from "./morph.js";

/** @typedef {import("./beats.js").Beat} Beat */

const LINGER = 1200; // milliseconds that things stay lit which are not shown one by one
const LONGEST = 5000; // milliseconds for all that waits to be shown

/**
 * @typedef {object} PlaybackOptions
 * @property {import("./beats.js").EventKinds} kinds
 * @property {() => number} pace  milliseconds for an event; 0 if they are not shown one by one
 * @property {(playing: boolean) => boolean} refresh  called when the page has changed; whether there is something
 *     else to decide
 */

export class Playback {
  /** @type {Beat[]} */
  #queue = [];
  /** @type {ReturnType<typeof setTimeout> | null} runs while something is being shown */
  #timer = null;
  #table;
  #options;

  /**
   * @param {HTMLElement} table
   * @param {PlaybackOptions} options
   */
  constructor(table, options) {
    this.#table = table;
    this.#options = options;
  }

  /** Whether something waits to be shown. */
  get playing() {
    return this.#queue.length > 0;
  }

  /**
   * Show a message after what is being shown.
   * @param {Parameters<typeof beatsOf>[0]} message
   */
  play(message) {
    this.#queue.push(...beatsOf(message, this.#options.kinds));
    if (this.#timer === null || !this.#options.pace()) this.#next();
  }

  /**
   * Show some beats, beginning from how the page was before them.
   * @param {Record<string, string>} before
   * @param {Beat[]} beats
   */
  replay(before, beats) {
    this.#queue = [...beats];
    this.apply(before);
    this.#next();
  }

  /** Skip to the end. */
  finish() {
    const rest = this.#queue.splice(0);
    if (rest.length) this.apply(Object.assign({}, ...rest.map((beat) => beat.parts)));
    this.#highlight(rest, LINGER);
  }

  /**
   * Change parts of the page, and keep the focus where it was if that is still there. But a control that acts when it
   * is pressed must not answer the next question too.
   * @param {Record<string, string>} parts
   */
  apply(parts) {
    const focused = /** @type {HTMLElement} */ (document.activeElement ?? document.body);
    const acts = focused.matches("#table-actions button, [data-touch^='verb:']");
    morphParts(parts);
    const changed = this.#options.refresh(this.playing);
    if (!(changed && acts) && focused.isConnected && focused.checkVisibility()) return;
    const touch = focused.dataset.touch;
    const [similar] = acts || !touch ? [] : thingsWith(this.#table, [touch]);
    const next = similar ?? byId("table-actions", HTMLElement);
    next.focus({ preventScroll: true });
  }

  #next() {
    const time = Math.min(this.#options.pace(), LONGEST / this.#queue.length);
    const beat = time ? this.#queue.shift() : undefined;
    if (!beat) {
      this.finish();
      return;
    }
    this.apply(beat.parts);
    this.#slide(beat, time);
    this.#highlight([beat], time);
  }

  /**
   * Light up what some events name, and show their words.
   * @param {Beat[]} beats
   * @param {number} time
   */
  #highlight(beats, time) {
    for (const thing of all(".told", this.#table)) thing.classList.remove("told");
    this.#table.style.setProperty("--beat", `${time}ms`);
    const named = beats.flatMap((beat) => beat.touches);
    for (const thing of thingsWith(this.#table, named)) thing.classList.add("told");

    const told = beats.filter((beat) => beat.text);
    revealLog(this.playing ? told.length : Infinity);
    const text = told.at(-1)?.text;
    const caption = byId("caption", HTMLElement);
    if (text) caption.textContent = text;
    caption.classList.toggle("shown", Boolean(text));
    this.#continueAfter(text ? time : 0, Boolean(text) || this.playing);
  }

  /**
   * @param {number} time
   * @param {boolean} more  whether there is anything to wait for
   */
  #continueAfter(time, more) {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = more ? setTimeout(() => this.#next(), time) : null;
  }

  /**
   * What was at one place is at another now: let it slide there.
   * @param {Beat} beat
   * @param {number} time
   */
  #slide({ from, to }, time) {
    if (!from || !to) return;
    const [old] = thingsWith(this.#table, [from]);
    const [now] = thingsWith(this.#table, [to]);
    if (!(old instanceof SVGGraphicsElement && now instanceof SVGGraphicsElement)) return;
    now.animate([translation(old), translation(now)], { duration: time, easing: "ease-in-out" });
    old.animate({ opacity: [0, 0] }, time);
  }
}

/**
 * Where a thing is drawn, as a keyframe.
 * @param {SVGGraphicsElement} thing
 */
function translation({ transform }) {
  const matrix = transform.baseVal.consolidate()?.matrix;
  return { transform: `translate(${matrix?.e ?? 0}px,${matrix?.f ?? 0}px)` };
}
