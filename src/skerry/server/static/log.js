// The log: what happened, in words, the newest on top; and the same for screen readers, announced once.

import { all, byId } from "./dom.js";

/** @typedef {import("./connection.js").Step} Step */

/**
 * Add the lines of some steps.
 * @param {Pick<Step, "seq" | "words">[]} steps
 * @param {boolean} [held]  whether the lines stay hidden until the board shows what they say
 */
export function addToLog(steps, held = false) {
  const log = byId("log", HTMLElement);
  const announced = [];
  for (const { seq, words } of steps) {
    for (const text of words) {
      const line = document.createElement("li");
      line.textContent = text;
      line.hidden = held;
      line.dataset.seq = String(seq);
      log.prepend(line);
      announced.push(text);
    }
  }
  if (announced.length) byId("news", HTMLElement).textContent = announced.join(". ");
}

/**
 * Show the oldest of the lines that were held back.
 * @param {number} count
 */
export function revealLog(count) {
  const held = all("#log [hidden]");
  for (const line of held.slice(Math.max(0, held.length - count))) line.hidden = false;
}
