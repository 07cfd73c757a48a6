// The arrow keys: move the focus to the nearest thing in a direction.

import { all } from "./dom.js";

const FOCUSABLE =
  "[data-touch][tabindex='0'], :is(#ring, #confirmation, #table-actions) :is(button, summary)";
const LEAST_STEP = 2; // pixels: what is nearer lies beside, not ahead

/**
 * @typedef {object} Point
 * @property {number} x
 * @property {number} y
 */

/** @type {Record<string, Point>} */
export const ARROWS = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/**
 * Focus the nearest thing in a direction that can be chosen; the first one if none has the focus.
 * @param {HTMLElement} table
 * @param {Point} direction
 */
export function focusNearest(table, direction) {
  const things = all(FOCUSABLE, table).filter((one) => one.checkVisibility());
  const focused = things.find((one) => one === document.activeElement);
  if (!focused) {
    things[0]?.focus();
    return;
  }
  const here = centre(focused);
  const distances = things.map((thing) => distance(here, centre(thing), direction));
  const least = Math.min(...distances);
  if (least < Infinity) things[distances.indexOf(least)]?.focus();
}

/**
 * How far a place is in a direction; infinite if it does not lie ahead. A step aside counts twice.
 * @param {Point} from
 * @param {Point} to
 * @param {Point} direction
 */
export function distance(from, to, direction) {
  const over = to.x - from.x;
  const down = to.y - from.y;
  const ahead = over * direction.x + down * direction.y;
  const aside = over * direction.y + down * direction.x;
  return ahead > LEAST_STEP ? ahead + 2 * Math.abs(aside) : Infinity;
}

/**
 * @param {Element} element
 * @returns {Point}
 */
function centre(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
