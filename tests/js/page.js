// A page for the tests: a window without layout, and the elements of a match that the script needs.

import { Window } from "happy-dom";

/** The names of the browser that the modules use. */
const GLOBALS = [
  "window",
  "document",
  "CSS",
  "Element",
  "HTMLElement",
  "HTMLButtonElement",
  "HTMLDialogElement",
  "HTMLInputElement",
  "SVGGraphicsElement",
  "Event",
  "MouseEvent",
  "PointerEvent",
  "SVGElement",
  "innerWidth",
  "innerHeight",
];

const MATCH = `
  <main id="main" data-seat="0">
    <svg><g id="board"></g></svg>
    <p id="caption"></p>
    <div id="missed" hidden><b></b> <button value="show"></button> <button value="leave"></button></div>
    <dialog id="confirmation"><span id="confirmation-question"></span><button></button></dialog>
    <div id="ring" hidden></div>
    <div id="table-actions" tabindex="-1"></div>
    <ol id="log"></ol>
    <div id="news"></div>
  </main>`;

/**
 * Open a new page, whose document and types are global from then on.
 * @param {string} [html]  the body; without it, that of a match
 */
export function openPage(html = MATCH) {
  const window = new Window({ url: "http://localhost/" });
  for (const name of GLOBALS) {
    Object.defineProperty(globalThis, name, { value: Reflect.get(window, name), configurable: true });
  }
  document.elementsFromPoint = () => [];
  document.body.innerHTML = html;
}

/**
 * The element that matches a selector.
 * @param {string} selector
 */
export function find(selector) {
  const found = /** @type {HTMLElement | null} */ (document.querySelector(selector));
  if (!found) throw new Error(`no ${selector}`);
  return found;
}

/**
 * Draw things on the board, which have touches. A place is a place of the board.
 * @param {...string} touches  each with further attributes after a space, if it has any
 */
export function drawThings(...touches) {
  find("#board").innerHTML = touches.map(thingWith).join("");
}

/** @param {string} text */
function thingWith(text) {
  const [touch = "", attributes = ""] = text.split(/ (.*)/);
  const role = touch.startsWith("place:") ? "gridcell" : "button";
  return `<g data-touch="${touch}" role="${role}" ${attributes}></g>`;
}

/**
 * The thing on the board with a touch.
 * @param {string} touch
 */
export function thing(touch) {
  return find(`#board [data-touch="${touch}"]`);
}

/**
 * Offer actions: the touches of each, by its value.
 * @param {Record<string, string>} actions
 */
export function offer(actions) {
  find("#table-actions").innerHTML = Object.entries(actions)
    .map(([value, touches]) => `<button value="${value}" data-touches="${touches}">${value}</button>`)
    .join("");
}

/**
 * The touches of the things with a class, in the order of the page.
 * @param {string} name
 */
export function touchesWithClass(name) {
  const found = /** @type {NodeListOf<HTMLElement>} */ (
    document.querySelectorAll(`#main [data-touch].${name}`)
  );
  return [...found].map((one) => one.dataset.touch);
}

/** What the ring offers. */
export function ringValues() {
  const ring = find("#ring");
  const buttons = /** @type {NodeListOf<HTMLButtonElement>} */ (ring.querySelectorAll("button"));
  return ring.hidden ? [] : [...buttons].map(({ value }) => value);
}

/** A clock that stands still until it is turned. */
export class Clock {
  #now = 0;
  #next = 1;
  /** @type {Map<unknown, { due: number, act: () => void }>} */
  #waiting = new Map();

  /** Replace the timers of the page. */
  install() {
    Object.assign(globalThis, {
      setTimeout: (/** @type {() => void} */ act, time = 0) => {
        const id = this.#next++;
        this.#waiting.set(id, { due: this.#now + time, act });
        return id;
      },
      clearTimeout: (/** @type {unknown} */ id) => this.#waiting.delete(id),
    });
  }

  /**
   * Let time pass, and let happen what is due meanwhile.
   * @param {number} time
   */
  tick(time) {
    const end = this.#now + time;
    for (let first = this.#first(); first && first.due <= end; first = this.#first()) {
      this.#waiting.delete(first.id);
      this.#now = first.due;
      first.act();
    }
    this.#now = end;
  }

  #first() {
    const waiting = [...this.#waiting].map(([id, timer]) => ({ id, ...timer }));
    return waiting.sort((one, other) => one.due - other.due)[0];
  }
}
