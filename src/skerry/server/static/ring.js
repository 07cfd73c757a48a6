// The ring: the few actions that can be done with what was touched, as buttons beside it.

import { byId } from "./dom.js";

const SVG = "http://www.w3.org/2000/svg";
const GAP = 8; // pixels between the ring and the thing, and to the edge of the window

/** @typedef {import("./actions.js").ListedAction} ListedAction */

export class Ring {
  #ring = byId("ring", HTMLElement);
  /** @type {Element | null} */
  #anchor = null;
  #shown = "";

  constructor() {
    window.addEventListener("resize", () => this.#place());
  }

  /**
   * Show some actions beside a thing; without any, nothing.
   * @param {ListedAction[]} actions
   * @param {Element | null} anchor
   */
  show(actions, anchor) {
    const shown = anchor ? actions : [];
    const values = shown.map(({ button }) => button.value).join("\n");
    const hadFocus = this.#ring.contains(document.activeElement);
    if (hadFocus && values !== this.#shown) focus(this.#anchor);
    this.#anchor = anchor;
    if (values !== this.#shown) this.#ring.replaceChildren(...buttonsFor(shown));
    this.#shown = values;
    this.#ring.hidden = !shown.length;
    this.#place();
  }

  /** Move the focus to the first action, if there is one. */
  focus() {
    this.#ring.querySelector("button")?.focus({ preventScroll: true });
  }

  /** Above the thing, else below it, and never outside the window. */
  #place() {
    if (this.#ring.hidden || !this.#anchor) return;
    const { left, width, top, bottom } = this.#anchor.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = this.#ring;
    const above = top - offsetHeight - GAP;
    const wanted = above >= GAP ? above : bottom + GAP;
    this.#ring.style.left = `${within(left + width / 2 - offsetWidth / 2, innerWidth - offsetWidth)}px`;
    this.#ring.style.top = `${within(wanted, innerHeight - offsetHeight)}px`;
  }
}

/** @param {Element | null} element */
function focus(element) {
  if (element instanceof HTMLElement || element instanceof SVGElement) element.focus({ preventScroll: true });
}

/**
 * @param {number} wanted
 * @param {number} most
 */
function within(wanted, most) {
  return Math.max(GAP, Math.min(wanted, most - GAP));
}

/**
 * A button for each action. What all their labels end with, as the place where they are done, is left out.
 * @param {ListedAction[]} actions
 */
function buttonsFor(actions) {
  const labels = actions.map(({ button }) => (button.textContent ?? "").trim().split(/\s+/));
  const common = actions.length > 1 ? commonEnd(labels) : 0;
  return actions.map((action, index) => {
    const words = labels[index] ?? [];
    return ringButton(action, words.slice(0, words.length - common).join(" "));
  });
}

/**
 * How many words all labels end with, leaving at least one of each.
 * @param {string[][]} labels
 */
function commonEnd(labels) {
  const most = Math.min(...labels.map(({ length }) => length)) - 1;
  let common = 0;
  while (common < most && new Set(labels.map((words) => words.at(-1 - common))).size === 1) common++;
  return common;
}

/**
 * A button that does what an action of the list does.
 * @param {ListedAction} action
 * @param {string} text
 */
function ringButton({ button, verb }, text) {
  const twin = document.createElement("button");
  twin.name = button.name;
  twin.value = button.value;
  twin.setAttribute("form", "act");
  twin.setAttribute("aria-label", (button.textContent ?? "").trim());
  if ("confirm" in button.dataset) twin.dataset.confirm = "";
  twin.append(...iconFor(verb), text);
  return twin;
}

/**
 * The picture of what a verb does, if the game has drawn one: the symbol icon-NAME.
 * @param {string} verb
 */
function iconFor(verb) {
  const id = verb.replace("verb:", "icon-").replaceAll(" ", "-");
  if (!document.getElementById(id)) return [];
  const icon = document.createElementNS(SVG, "svg");
  icon.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${id}`);
  icon.append(use);
  return [icon];
}
