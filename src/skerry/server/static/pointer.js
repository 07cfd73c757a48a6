// Clicks on the table: which thing a click means, and what a click does while events are being shown.

/** @typedef {import("./choice.js").Choice} Choice */
/** @typedef {import("./playback.js").Playback} Playback */

/** @typedef {HTMLElement & { name?: string, value?: string }} Control */

const CONTROLS = "button, a, summary, input, label, [data-touch], [data-leads]";

/**
 * Choose what is clicked.
 * @param {HTMLElement} table
 * @param {Choice} choice
 */
export function chooseByClicks(table, choice) {
  table.addEventListener("click", (event) => {
    const thing = thingMeant(event) ?? closest(event.target, "[data-touch]");
    const touch = thing?.dataset.leads ?? thing?.dataset.touch;
    if (touch !== undefined && table.dataset.seat) choice.touch(touch);
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
    const couldTouch = thingsAt(event).some((thing) => choice.couldTouch(thing?.dataset.touch));
    playback.finish();
    const isThing = control?.matches("[data-touch]");
    const counts =
      control && meaningOf(control) === before && (!isThing || (couldTouch && thingMeant(event)));
    if (counts) return;
    event.preventDefault();
    event.stopPropagation();
    if (name) clickAgain(table, name, before);
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
 * The thing that a click means: the first at its point that can be chosen, is chosen, or shows where a choice would
 * lead (`data-leads`). What lies on that thing and cannot be chosen itself is not in its way.
 * @param {MouseEvent} event
 */
function thingMeant(event) {
  const things = thingsAt(event);
  return things.find((thing) => {
    if (!thing?.matches(".can, .chosen, [data-leads]")) return false;
    return thing === things[0] || !thing.contains(/** @type {Node} */ (event.target));
  });
}

/**
 * The things at the point of a click: that of its target first, then from the top down.
 * @param {MouseEvent} event
 */
function thingsAt(event) {
  const elements = [event.target, ...document.elementsFromPoint(event.clientX, event.clientY)];
  return elements.map((element) => closest(element, "[data-touch], [data-leads]"));
}

/**
 * @param {EventTarget | null} target
 * @param {string} selector
 * @returns {HTMLElement | null}
 */
function closest(target, selector) {
  return target instanceof Element ? target.closest(selector) : null;
}
