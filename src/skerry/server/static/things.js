// The things on the table, as the templates mark them (see pieces.html): what each stands for when it is touched.

import { all } from "./dom.js";

/** @typedef {import("./grammar.js").Chosen} Chosen */
/** @typedef {import("./grammar.js").Thing} Thing */

/**
 * All that a thing stands for.
 * @param {HTMLElement} thing
 */
export function touchesOfThing({ dataset }) {
  return [...list(dataset.touch), ...list(dataset.also)];
}

/**
 * A thing as the grammar sees it.
 * @param {HTMLElement} thing
 * @returns {Thing}
 */
export function describeThing(thing) {
  const touches = touchesOfThing(thing);
  return {
    touches,
    isPlace: thing.getAttribute("role") === "gridcell" && thing.dataset.piece === undefined,
    does: list(thing.dataset.does),
    doers: [...touches, ...list(thing.dataset.on)],
  };
}

/**
 * The signs of where actions would end that hold after some touches.
 * @param {HTMLElement} table
 * @param {Chosen[]} chosen
 */
export function signsAfter(table, chosen) {
  const touched = chosen.flatMap(({ touches }) => touches);
  return all("[data-leads]", table).filter((sign) => {
    const after = list(sign.dataset.after);
    return !after.length || after.some((touch) => touched.includes(touch));
  });
}

/**
 * The parts of an attribute that lists several, with commas between them.
 * @param {string | undefined} value
 */
export function list(value) {
  return value ? value.split(",") : [];
}
