// Choosing an action by touching things: each touch leaves the actions that touch this thing too, until one is left.
// The server says which actions there are and what each touches; there is no rule and no game in here.

import { actionButtons, actionGroups, actionList, actionsTouching, touchesOf } from "./actions.js";
import { labelDigits } from "./digits.js";
import { all } from "./dom.js";

/**
 * What a choice needs from the page.
 * @typedef {object} ChoiceCallbacks
 * @property {(button: HTMLButtonElement) => void} perform  do the action that is left
 * @property {() => void} dismiss  remove the messages about what was chosen before
 * @property {(touches: string) => void} explain  say why nothing can be done with these touches together
 */

/**
 * What the reader is asked, and the actions that would answer it.
 * @typedef {{ prompt: string | undefined, actions: string }} Decision
 */

export class Choice {
  /** @type {string[]} what has been touched */
  #chosen = [];
  /** @type {Set<string>} what could be touched when something was last offered */
  #offered = new Set();
  /** whether events are being shown: then nothing is offered */
  #playing = false;
  /** @type {Decision | null} */
  #decision = null;
  #table;
  #callbacks;

  /**
   * @param {HTMLElement} table
   * @param {ChoiceCallbacks} callbacks
   */
  constructor(table, callbacks) {
    this.#table = table;
    this.#callbacks = callbacks;
    table.addEventListener("toggle", labelDigits, true);
  }

  /** @param {string | undefined} touch */
  couldTouch(touch) {
    return touch !== undefined && this.#offered.has(touch);
  }

  /** Let go of all that was touched. */
  clear() {
    for (const group of actionGroups()) group.open = false;
    this.#chosen = [];
    this.#offered = new Set();
    this.#callbacks.dismiss();
    this.#show();
  }

  /**
   * Touch a thing: choose it, let go of it if it was chosen, or begin anew with it if it does not go with the others.
   * @param {string} touch
   */
  touch(touch) {
    const chosen = this.#afterTouching(touch);
    if (!chosen) {
      this.#explain(touch);
      return;
    }
    this.#chosen = chosen;
    const left = actionsTouching(chosen);
    const [only] = left.length === 1 ? left : [];
    this.#callbacks.dismiss();
    if (!chosen.length || only) this.clear();
    if (only) this.#callbacks.perform(only);
    this.#show();
  }

  /**
   * After the page has changed: offer what can be chosen now. A different question lets go of what was chosen.
   * @param {boolean} playing  whether events are being shown
   * @returns {boolean} whether there is something else to decide
   */
  refresh(playing) {
    const now = currentDecision();
    const before = this.#decision ?? now;
    const asksOther = now.prompt !== before.prompt;
    const changed = asksOther || now.actions !== before.actions;
    this.#decision = now;
    this.#playing = playing;
    if (asksOther || (changed && !actionsTouching(this.#chosen).length)) this.clear();
    else if (changed) this.#callbacks.dismiss();
    this.#show();
    return changed;
  }

  /**
   * What is chosen after a touch; null if nothing can be done with it.
   * @param {string} touch
   * @returns {string[] | null}
   */
  #afterTouching(touch) {
    if (this.#chosen.includes(touch)) return this.#chosen.filter((one) => one !== touch);
    if (actionsTouching([...this.#chosen, touch]).length) return [...this.#chosen, touch];
    if (actionsTouching([touch]).length) return [touch];
    return null;
  }

  /** @param {string} touch */
  #explain(touch) {
    const expanded = /** @type {HTMLButtonElement | null} */ (
      actionList().querySelector("details[open] [data-touches]")
    );
    const verb = expanded ? touchesOf(expanded).slice(0, 1) : [];
    this.#callbacks.dismiss();
    this.#callbacks.explain([...verb, ...this.#chosen, touch].join("|"));
  }

  /** Mark what can be chosen and what is chosen, on the table and in the list. */
  #show() {
    const left = this.#playing ? [] : actionsTouching(this.#chosen);
    const offered = this.#touchesOffered(left);
    if (!this.#playing) this.#offered = offered;
    this.#markThings(offered);
    this.#markActions(left);
    labelDigits();
  }

  /**
   * What can be touched for some actions. If the verb of an action is a thing on the table, as a card that is played,
   * that is touched first, and nothing else points to the action before.
   * @param {HTMLButtonElement[]} actions
   */
  #touchesOffered(actions) {
    const verbThings = this.#chosen.length ? [] : all("[data-touch^='verb:']", this.#table);
    const first = new Set(verbThings.map((thing) => thing.dataset.touch));
    const touches = actions.map(touchesOf);
    return new Set(
      touches.flatMap(([verb = "", ...others]) => (first.has(verb) ? [verb] : [verb, ...others])),
    );
  }

  /** @param {Set<string>} offered */
  #markThings(offered) {
    for (const thing of all("[data-touch]", this.#table)) {
      const touch = thing.dataset.touch ?? "";
      const chosen = this.#chosen.includes(touch);
      const can = !chosen && offered.has(touch);
      thing.classList.toggle("can", can);
      thing.classList.toggle("chosen", chosen);
      thing.tabIndex = can || chosen ? 0 : -1;
      thing.setAttribute("aria-disabled", String(!can && !chosen));
      thing.setAttribute("aria-current", String(chosen));
    }
  }

  /** @param {HTMLButtonElement[]} left */
  #markActions(left) {
    const begun = this.#chosen.length > 0;
    for (const button of actionButtons()) {
      button.classList.toggle("beside", begun && !left.includes(button));
    }
    if (!begun) return;
    for (const group of actionGroups()) {
      group.open = left.some((button) => group.contains(button));
    }
  }
}

/** @returns {Decision} */
function currentDecision() {
  const prompt = document.querySelector("#table-prompt[data-turn]");
  return {
    prompt: prompt?.textContent ?? undefined,
    actions: actionButtons()
      .map((button) => button.value)
      .join(),
  };
}
