// The keyboard: arrows move the focus, Enter chooses, digits press what is in the list; the help names the rest.

import { ARROWS, focusNearest } from "./arrows.js";
import { pressDigit } from "./digits.js";
import { byId } from "./dom.js";
import { pressMoment } from "./moment.js";

/** @typedef {import("./choice.js").Choice} Choice */
/** @typedef {import("./playback.js").Playback} Playback */

const OVERLAYS = ":modal, :popover-open";
const PRESSES = new Set(["Enter", " "]);
const FIELDS = "input, select, textarea";

/**
 * @param {HTMLElement} table
 * @param {Choice} choice
 * @param {Playback} playback
 */
export function listenToKeys(table, choice, playback) {
  const commands = commandsFor(table, choice, playback);
  byId("show-help", HTMLElement).addEventListener("click", showHelp);
  addEventListener("keydown", (event) => {
    const focused = /** @type {HTMLElement} */ (event.target);
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (document.querySelector(OVERLAYS) || focused.closest(FIELDS)) return;
    if (event.repeat && PRESSES.has(event.key)) {
      event.preventDefault(); // a key that is held down does one thing only
      return;
    }
    const command = commandOf(event.key, focused) ?? commands[event.key];
    if (!command) return;
    command();
    event.preventDefault();
  });

  /**
   * What a key does that depends on the focus, or that is one of many.
   * @param {string} key
   * @param {HTMLElement} focused
   */
  function commandOf(key, focused) {
    const direction = ARROWS[key];
    if (direction && focused.id !== "log") return () => focusNearest(table, direction);
    if (/^[1-9]$/.test(key)) return () => pressDigit(Number(key));
    const thing = /** @type {HTMLElement | null} */ (focused.closest("[data-touch]"));
    if (thing && PRESSES.has(key)) return () => touchFocused(focused, thing);
    return null;
  }

  /**
   * @param {HTMLElement} focused
   * @param {HTMLElement} thing
   */
  function touchFocused(focused, thing) {
    if (playback.playing) playback.finish();
    const isStillFocused = focused === document.activeElement; // else its question may be over
    if (!isStillFocused) return;
    choice.touch(thing);
    choice.focusRing();
  }
}

/**
 * @param {HTMLElement} table
 * @param {Choice} choice
 * @param {Playback} playback
 * @returns {Record<string, () => void>}
 */
function commandsFor(table, choice, playback) {
  return {
    "?": showHelp,
    h: () => document.getElementById("ask-advice")?.click(),
    u: () => /** @type {HTMLElement | null} */ (table.querySelector("#table-actions [name=undo]"))?.click(),
    l: showLog,
    w: () => pressMoment("wait"),
    g: () => pressMoment("go"),
    Escape: () => (playback.playing ? playback.finish() : choice.clear()),
  };
}

function showHelp() {
  byId("help", HTMLDialogElement).showModal();
}

function showLog() {
  byId("tab-log", HTMLInputElement).checked = true;
  byId("log", HTMLElement).focus();
}
