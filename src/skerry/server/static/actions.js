// The list of actions that the server offers: which there are, and what each touches.

import { all, byId } from "./dom.js";

/** The list itself. It is looked up each time, since it may be replaced. */
export function actionList() {
  return byId("table-actions", HTMLElement);
}

/** @returns {HTMLButtonElement[]} */
export function actionButtons() {
  return /** @type {HTMLButtonElement[]} */ (all("[data-touches]", actionList()));
}

/** @returns {HTMLDetailsElement[]} */
export function actionGroups() {
  return /** @type {HTMLDetailsElement[]} */ (all("details", actionList()));
}

/**
 * What an action touches: its verb, then the things that it is done with.
 * @param {HTMLButtonElement} button
 * @returns {string[]}
 */
export function touchesOf(button) {
  return (button.dataset.touches ?? "").split("|");
}

/**
 * The actions that touch all that is wanted. Of several touches with commas between them any will do.
 * @param {string[]} wanted
 */
export function actionsTouching(wanted) {
  return actionButtons().filter((button) => {
    const touches = touchesOf(button);
    return wanted.every((alternatives) => alternatives.split(",").some((one) => touches.includes(one)));
  });
}
