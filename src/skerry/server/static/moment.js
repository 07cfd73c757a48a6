// Moments: the time that people have before something goes by itself. The server decides when that is; here the time is
// shown as it runs out, and a person can ask for more or say that they need none.

import { byId } from "./dom.js";
import { post } from "./requests.js";

/**
 * @typedef {object} MomentOptions
 * @property {string} url  where a wish is sent
 * @property {number} now  the server's time when the page was made, in milliseconds
 * @property {(problem: import("./requests.js").Problem | undefined) => void} refused
 */

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
const TICK = 200; // milliseconds between two looks at the clock

export class Moment {
  #ahead;
  #options;

  /** @param {MomentOptions} options */
  constructor(options) {
    this.#options = options;
    this.#ahead = options.now - Date.now(); // of this device's clock
    setInterval(() => this.#hideIfOver(), TICK);
  }

  /** Show the time that is left, or nothing if it is over. */
  refresh() {
    const moment = byId("table-moment", HTMLElement);
    const { began = "0", until = "0" } = moment.dataset;
    moment.classList.toggle("timed", Number(until) > 0);
    this.#hideIfOver();
    const left = Number(until) - this.#now();
    if (left > 0) this.#runOut(moment.querySelector(".time"), left, Number(until) - Number(began));
  }

  /**
   * Let a line get shorter until the time is over.
   * @param {Element | null} line
   * @param {number} left
   * @param {number} whole
   */
  #runOut(line, left, whole) {
    for (const animation of line?.getAnimations() ?? []) animation.cancel();
    if (!reducedMotion.matches)
      line?.animate({ transform: [`scaleX(${Math.min(1, left / whole)})`, "scaleX(0)"] }, left);
  }

  /** The server's time. */
  #now() {
    return Date.now() + this.#ahead;
  }

  #hideIfOver() {
    const moment = byId("table-moment", HTMLElement);
    const until = Number(moment.dataset.until ?? 0);
    moment.classList.toggle("over", until > 0 && until <= this.#now());
  }

  /**
   * Send what a person says about the time they need.
   * @param {HTMLButtonElement} button
   */
  async send({ value, dataset }) {
    const problem = await post(this.#options.url, { seat: Number(dataset.seat), wait: value === "wait" });
    if (problem !== null) this.#options.refused(problem);
  }
}

/**
 * Press a button of the moment, if it is there and its time is not over.
 * @param {"wait" | "go"} value
 */
export function pressMoment(value) {
  const button = document.querySelector(`#table-moment:not(.over) [name=time][value=${value}]`);
  /** @type {HTMLElement | null} */ (button)?.click();
}
