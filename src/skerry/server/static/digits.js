// The digits 1 to 9: each presses one of the visible controls that decide something.

import { actionList } from "./actions.js";
import { all } from "./dom.js";

const DIGITS = 9;

/** What the digits press: the answers to a question, else actions, and folded groups of actions, which then open. */
function targets() {
  const answers = all("#confirmation[open] button");
  if (answers.length) return answers;
  const controls = all("[data-touches], details:not([open]) > summary", actionList());
  return controls.filter((control) => control.checkVisibility());
}

/** Write on each control which digit presses it. */
export function labelDigits() {
  for (const control of all("[data-key]", actionList())) delete control.dataset.key;
  for (const [index, control] of targets().slice(0, DIGITS).entries())
    control.dataset.key = String(index + 1);
}

/** @param {number} digit */
export function pressDigit(digit) {
  targets()[digit - 1]?.click();
}
