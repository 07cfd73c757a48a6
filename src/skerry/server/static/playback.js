// Playback: events are shown one after another. While the words of an event are read, the things that it names light
// up, and the parts of the page change that show it. It can be skipped, or turned off by the settings.

import { cuesOf } from "./cues.js";
import { all, byId, thingsWith } from "./dom.js";
import { revealLog } from "./log.js";
import { morphParts } from "./morph.js";

/** @typedef {import("./cues.js").Cue} Cue */

const LINGER = 1200; // milliseconds that things stay lit which are not shown one by one
const LONGEST = 5000; // milliseconds for all that waits to be shown
const LONGEST_REPLAY = 20000; // milliseconds for what somebody asks to see again

/**
 * @typedef {object} PlaybackOptions
 * @property {import("./cues.js").EventKinds} kinds
 * @property {() => number} pace  milliseconds for an event; 0 if they are not shown one by one
 * @property {(playing: boolean) => boolean} refresh  called when the page has changed; whether there is something
 *     else to decide
 */

export class Playback {
  /** @type {Cue[]} */
  #queue = [];
  /** @type {ReturnType<typeof setTimeout> | null} runs while something is being shown */
  #timer = null;
  /** how long each cue is shown at most, so that all is shown in time */
  #most = LONGEST;
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
   * @param {Parameters<typeof cuesOf>[0]} message
   */
  play(message) {
    this.#queue.push(...cuesOf(message, this.#options.kinds));
    this.#most = LONGEST / this.#queue.length;
    if (this.#timer === null || !this.#options.pace()) this.#next();
  }

  /**
   * Show some cues, beginning from how the page was before them.
   * @param {Record<string, string>} before
   * @param {Cue[]} cues
   */
  replay(before, cues) {
    this.#queue = [...cues];
    this.#most = LONGEST_REPLAY / cues.length;
    this.apply(before);
    this.#next();
  }

  /** Skip to the end. */
  finish() {
    const rest = this.#queue.splice(0);
    this.#table.classList.remove("behind");
    if (rest.length) this.apply(Object.assign({}, ...rest.map((cue) => cue.parts)));
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
    const time = Math.min(this.#options.pace(), this.#most);
    const cue = time ? this.#queue.shift() : undefined;
    if (!cue) {
      this.finish();
      return;
    }
    this.apply(cue.parts);
    this.#table.classList.toggle("behind", cue.isBehind ?? false);
    this.#slide(cue, time);
    this.#highlight([cue], time);
  }

  /**
   * Light up what some events name, and show their words.
   * @param {Cue[]} cues
   * @param {number} time
   */
  #highlight(cues, time) {
    for (const thing of all(".told", this.#table)) thing.classList.remove("told");
    this.#table.style.setProperty("--cue-time", `${time}ms`);
    const named = cues.flatMap((cue) => cue.touches);
    for (const thing of thingsWith(this.#table, named)) thing.classList.add("told");

    const told = cues.filter((cue) => cue.text);
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
   * What was at one place is at another now: let it slide there, and what stands on it with it.
   * @param {Cue} cue
   * @param {number} time
   */
  #slide({ from, to, parts }, time) {
    if (!from || !to) return;
    const [old] = thingsWith(this.#table, [from]);
    const [now] = thingsWith(this.#table, [to]);
    if (!(old instanceof SVGGraphicsElement && now instanceof SVGGraphicsElement)) return;
    const [start, end] = [cornerOf(old), cornerOf(now)];
    const riders = all(`[data-stands="${CSS.escape(to)}"]`, this.#table).filter(({ id }) => id in parts);
    for (const thing of [now, ...riders]) {
      if (!(thing instanceof SVGGraphicsElement)) continue;
      const { x, y } = cornerOf(thing);
      const before = { x: x + start.x - end.x, y: y + start.y - end.y };
      thing.animate([translation(before), translation({ x, y })], { duration: time, easing: "ease-in-out" });
    }
    old.animate({ opacity: [0, 0] }, time);
  }
}

/**
 * Where a thing is drawn.
 * @param {SVGGraphicsElement} thing
 */
function cornerOf({ transform }) {
  const matrix = transform.baseVal.consolidate()?.matrix;
  return { x: matrix?.e ?? 0, y: matrix?.f ?? 0 };
}

/**
 * A place as a keyframe.
 * @param {{ x: number, y: number }} place
 */
function translation({ x, y }) {
  return { transform: `translate(${x}px,${y}px)` };
}
