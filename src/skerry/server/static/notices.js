// Notices over the desk: why something cannot be done, a hint, and whether hidden information shall be revealed.

import { byId } from "./dom.js";
import { fetchAnswer } from "./requests.js";

/**
 * @typedef {object} NoticeOptions
 * @property {string} match
 * @property {string} seat  empty for spectators
 * @property {string} game
 * @property {string} thinking  shown until there is an answer
 * @property {string} failed  shown if there is none
 * @property {() => void} beforeAnswer  called before an answer is shown
 */

export class Notices {
  #answer = byId("answer", HTMLElement);
  #advice = byId("advice", HTMLElement);
  #confirmation = byId("confirmation", HTMLDialogElement);
  #question = byId("confirmation-question", HTMLElement);
  #revealing = this.#question.textContent ?? "";
  /** @type {(() => void) | null} asks the question again that has no answer yet */
  #pending = null;
  #options;

  /** @param {NoticeOptions} options */
  constructor(options) {
    this.#options = options;
  }

  /** Asks the question again that has no answer yet; null if there is none. */
  get pending() {
    return this.#pending;
  }

  /**
   * Call a function when the reader clicks on a reason, which is how it is closed.
   * @param {() => void} listener
   */
  onClose(listener) {
    this.#answer.addEventListener("click", listener);
  }

  /** Remove all notices, and do not wait for an answer any more. */
  dismiss() {
    this.#pending = null;
    this.#confirmation.close();
    this.#answer.textContent = "";
    this.#advice.replaceChildren();
  }

  /** Remove the notices that something did not get through, once something does. */
  dismissFailures() {
    for (const notice of [this.#answer, this.#advice]) {
      if (notice.textContent?.trim() === this.#options.failed) notice.replaceChildren();
    }
  }

  /**
   * Say why an action was refused.
   * @param {import("./requests.js").Problem | undefined} problem  undefined if there was no answer
   */
  showProblem(problem) {
    this.#answer.textContent = `${problem?.message ?? this.#options.failed} `;
    if (!problem?.rule) return;
    const link = document.createElement("a");
    link.href = `/rules/${this.#options.game}#${problem.rule}`;
    link.textContent = problem.rule;
    this.#answer.append(link);
  }

  /**
   * Ask whether to do something: by default, since it reveals hidden information.
   * @param {HTMLButtonElement} action
   * @param {string} [question]
   */
  confirm(action, question = this.#revealing) {
    const yes = this.#confirmation.querySelector("button");
    this.#question.textContent = question;
    if (yes) {
      yes.value = action.value;
      yes.textContent = action.ariaLabel ?? action.textContent;
    }
    this.#confirmation.show();
  }

  /** Ask what a good player would do. */
  async askForAdvice() {
    await this.#ask(this.#advice, "advice", {});
  }

  /**
   * Ask why nothing can be done with what was touched.
   * @param {string} touches
   */
  async askWhyNot(touches) {
    await this.#ask(this.#answer, "why", { touches });
  }

  /**
   * Ask the server, and show its answer unless something else was asked or done meanwhile.
   * @param {HTMLElement} notice
   * @param {string} path
   * @param {Record<string, string>} fields
   */
  async #ask(notice, path, fields) {
    const { match, seat, thinking, failed, beforeAnswer } = this.#options;
    const askAgain = () => {
      this.#ask(notice, path, fields);
    };
    this.#pending = askAgain;
    notice.textContent = thinking;
    const answer = await fetchAnswer(`/m/${match}/${path}`, { seat, ...fields });
    beforeAnswer();
    if (this.#pending !== askAgain) return;
    notice.innerHTML = answer ?? failed;
    this.#pending = null;
  }
}
