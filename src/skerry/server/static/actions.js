// The list of actions that the server offers: which there are, and what each touches.

import { all, byId } from "./dom.js";

/**
 * An action of the list, with what it touches: its verb, and the entities that it names.
 * @typedef {{ button: HTMLButtonElement, verb: string, entities: string[] }} ListedAction
 */

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

/** @returns {ListedAction[]} */
export function listedActions() {
  return actionButtons().map((button) => {
    const [verb = "", ...entities] = touchesOf(button);
    return { button, verb, entities };
  });
}

/**
 * What an action touches: its verb, then the things that it is done with.
 * @param {HTMLButtonElement} button
 * @returns {string[]}
 */
export function touchesOf(button) {
  return (button.dataset.touches ?? "").split("|");
}
