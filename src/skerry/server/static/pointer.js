// Clicks on the table: which thing a click means, and what a click does while events are being shown.

import { touchesOf } from "./actions.js";

/** @typedef {import("./choice.js").Choice} Choice */
/** @typedef {import("./playback.js").Playback} Playback */

/** @typedef {HTMLElement & { name?: string, value?: string }} Control */

const THINGS = "[data-touch], [data-leads]";
const CONTROLS = `button, a, summary, input, label, ${THINGS}`;
const ONCE = `#act button, #ring button, #confirmation button, #table-actions summary, ${THINGS}`;
const AGAIN = "[data-cycle]"; // what is touched again and again on purpose
const TAPS = 350; // milliseconds between the two taps of a double tap
const SLOP = 24; // pixels between them

/**
 * Choose what is clicked, on the table or by a heading of the list.
 * @param {HTMLElement} table
 * @param {Choice} choice
 */
export function chooseByClicks(table, choice) {
  table.addEventListener("click", (event) => {
    if (!table.dataset.seat) return;
    const heading = closest(event.target, "#table-actions summary");
    const thing = thingMeant(event);
    if (heading) {
      event.preventDefault();
      const first = /** @type {HTMLButtonElement | null} */ (
        heading.parentElement?.querySelector("[data-touches]")
      );
      if (first) choice.chooseVerb(touchesOf(first)[0] ?? "");
    } else if (thing) choice.touch(thing);
  });
}

/**
 * While events are being shown, a click skips to their end. It also counts as a click if what was clicked means the
 * same then; on a thing of the table, only if that could be chosen before, so that skipping alone moves nothing.
 * @param {HTMLElement} table
 * @param {Choice} choice
 * @param {Playback} playback
 */
export function skipByClicks(table, choice, playback) {
  const listener = (/** @type {MouseEvent} */ event) => {
    if (!playback.playing) return;
    const control = /** @type {Control | null} */ (closest(event.target, CONTROLS));
    const name = control?.name;
    const before = meaningOf(control);
    const couldTouch = thingsAt(event).some((thing) => choice.couldTouch(thing));
    playback.finish();
    const isThing = control?.matches("[data-touch]");
    const counts = control && meaningOf(control) === before && (!isThing || (couldTouch && glowingAt(event)));
    if (counts) return;
    event.preventDefault();
    event.stopPropagation();
    if (name) clickAgain(table, name, before);
  };
  table.addEventListener("click", listener, true);
}

/**
 * Let a double click or a double tap do one thing, not two.
 * @param {HTMLElement} table
 */
export function ignoreDoubleClicks(table) {
  let last = { time: -Infinity, x: 0, y: 0 };
  const listener = (/** @type {MouseEvent} */ event) => {
    if (event.detail === 0) return; // by the keyboard
    const { timeStamp: time, clientX: x, clientY: y } = event;
    const isNear = Math.hypot(x - last.x, y - last.y) < SLOP;
    const isTap = event instanceof PointerEvent && event.pointerType === "touch";
    const isSecond = event.detail > 1 || (isTap && isNear && time - last.time < TAPS);
    last = { time, x, y };
    if (!isSecond || !closest(event.target, ONCE) || closest(event.target, AGAIN)) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  table.addEventListener("click", listener, true);
}

/**
 * Click a control that was drawn anew, and may be elsewhere now.
 * @param {HTMLElement} table
 * @param {string} name
 * @param {string | null | undefined} value
 */
function clickAgain(table, name, value) {
  const selector = `[name="${name}"][value="${CSS.escape(value ?? "")}"]`;
  const control = /** @type {HTMLElement | null} */ (table.querySelector(selector));
  control?.click();
}

/**
 * What a click on a control means: the action or the touch; null if the control is gone.
 * @param {Control | null} control
 */
function meaningOf(control) {
  if (!control?.isConnected) return null;
  return control.value ?? control.dataset.leads ?? control.dataset.touch;
}

/**
 * The thing that a click means: what glows or is chosen, else what it hit, to ask about.
 * @param {MouseEvent} event
 */
function thingMeant(event) {
  return glowingAt(event) ?? closest(event.target, "[data-touch]");
}

/**
 * The first thing at a point that can be chosen or is chosen, or a sign of where a choice would lead. What lies on it
 * and cannot be chosen itself is not in its way.
 * @param {MouseEvent} event
 */
function glowingAt(event) {
  return thingsAt(event).find((thing) => thing.matches(".can, .chosen"));
}

/**
 * The things at a point: those around what was hit, from the inside out, then those below it in the same picture.
 * What lies over the picture, as a hint does, hides what is below.
 * @param {Pick<MouseEvent, "target" | "clientX" | "clientY">} event
 * @returns {HTMLElement[]}
 */
export function thingsAt({ target, clientX, clientY }) {
  const hit = target instanceof Element ? target : null;
  const picture = outermostPicture(hit);
  const below = picture ? document.elementsFromPoint(clientX, clientY) : [];
  const inPicture = below.filter((element) => picture?.contains(element));
  return [...new Set([hit, ...inPicture].flatMap(thingsAround))];
}

/**
 * The things that an element is in, the innermost first.
 * @param {Element | null} element
 * @returns {HTMLElement[]}
 */
function thingsAround(element) {
  const thing = closest(element, THINGS);
  return thing ? [thing, ...thingsAround(thing.parentElement)] : [];
}

/** @param {Element | null} element */
function outermostPicture(element) {
  let picture = element?.closest("svg") ?? null;
  for (let outer = picture; outer; outer = outer.parentElement?.closest("svg") ?? null) picture = outer;
  return picture;
}

/**
 * @param {EventTarget | null} target
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
function closest(target, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}
