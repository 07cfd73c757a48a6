// Handing over: several people play at one device. Whose turn begins gets the page of their seat by itself; where hands
// are hidden, nobody's is shown until the curtain between two turns is opened.

import { all } from "./dom.js";
import { SeatNames } from "./seat-names.js";
import { list } from "./things.js";

const LOOK_AGAIN = 100; // milliseconds between two looks whether all that happened has been told

export class Handover {
  /** @type {string} who was to move when the page was opened, or when something was last done here */
  #before;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #names;
  #table;
  #sharing;
  #hidesHands;

  /** @param {HTMLElement} table */
  constructor(table) {
    this.#table = table;
    this.#sharing = list(table.dataset.sharing);
    this.#hidesHands = table.dataset.hidesHands !== undefined;
    this.#names = new SeatNames(table);
    this.#before = this.#waiting().join();
  }

  /** The reader does something: whoever is to move after it is next. */
  expect() {
    this.#before = "";
  }

  /**
   * After the page has changed.
   * @param {boolean} playing  whether events are being shown
   */
  refresh(playing) {
    if (!this.#sharing.length) return;
    this.#names.show();
    clearTimeout(this.#timer);
    const { seat } = this.#table.dataset;
    const waiting = this.#waiting();
    if (isOver()) showCurtain([]);
    else if (this.#hidesHands) this.#hide(seat, waiting, playing);
    else if (!playing) this.#change(seat, waiting);
  }

  /**
   * Show no hand but that of a seat that is to move, and none of those before it is asked for.
   * @param {string | undefined} seat
   * @param {string[]} waiting
   * @param {boolean} playing
   */
  #hide(seat, waiting, playing) {
    if (seat === undefined) {
      showCurtain(playing ? [] : waiting);
      return;
    }
    const isDone = !waiting.includes(seat) && !all("#table-actions [data-touches]", this.#table).length;
    this.#table.classList.toggle("handed-over", isDone);
    if (isDone && !playing) this.#goTo(location.pathname);
  }

  /**
   * Go to the seat that is to move, once that has changed.
   * @param {string | undefined} seat
   * @param {string[]} waiting
   */
  #change(seat, waiting) {
    const [next] = waiting;
    if (next === undefined || (seat !== undefined && waiting.includes(seat))) {
      this.#before = waiting.join();
      return;
    }
    const isChoosing = all(".chosen", this.#table).length > 0;
    if (waiting.join() !== this.#before && !isChoosing) this.#goTo(`?seat=${next}`);
  }

  /**
   * Leave for another page, once the last event has been told.
   * @param {string} address
   */
  #goTo(address) {
    if (isTelling()) this.#timer = setTimeout(() => this.refresh(false), LOOK_AGAIN);
    else location.replace(address);
  }

  /** The seats at this device that are to move. */
  #waiting() {
    return this.#sharing.filter((seat) => document.querySelector(`#table-seat-${seat}.waiting`));
  }
}

/** @param {string[]} waiting  the seats that may open it; none while events are being shown */
function showCurtain(waiting) {
  const curtain = document.getElementById("curtain");
  if (!curtain) return;
  const wasHidden = curtain.hidden;
  curtain.hidden = !waiting.length;
  const openers = all("[data-curtain]", curtain);
  for (const opener of openers) opener.hidden = !waiting.includes(opener.dataset.curtain ?? "");
  if (wasHidden && waiting.length) openers.find((opener) => !opener.hidden)?.focus({ preventScroll: true });
}

function isTelling() {
  return document.querySelector("#caption.shown") !== null;
}

function isOver() {
  return document.querySelector("#table-result:not([hidden])") !== null;
}
