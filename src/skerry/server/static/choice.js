// Choosing an action by touching things, one after another, until it is clear which is meant.
// The server says which actions there are and what each touches; there is no rule and no game in here.

import { actionButtons, actionGroups, listedActions, touchesOf } from "./actions.js";
import { labelDigits } from "./digits.js";
import { all } from "./dom.js";
import { Grammar } from "./grammar.js";
import { Ring } from "./ring.js";
import { Settling } from "./settling.js";
import { describeThing, list, signsAfter, touchesOfThing } from "./things.js";

/** @typedef {import("./actions.js").ListedAction} ListedAction */
/** @typedef {import("./grammar.js").Chosen} Chosen */

/**
 * What a choice needs from the page.
 * @typedef {object} ChoiceCallbacks
 * @property {(button: HTMLButtonElement, times: number, thing: HTMLElement) => void} perform  do the action that is
 *     meant, so often, by touching a thing
 * @property {() => void} dismiss  remove the messages about what was chosen before
 * @property {(touches: string) => void} explain  say why nothing can be done with these touches together
 */

/**
 * What the reader is asked, and the actions that would answer it.
 * @typedef {{ prompt: string | undefined, actions: string }} Decision
 */

const MOST_IN_RING = 6;

export class Choice {
  /** @type {Chosen[]} what has been touched */
  #chosen = [];
  /** @type {Element | null} what was touched last */
  #anchor = null;
  /** @type {Set<string>} what could be touched when something was last offered */
  #offered = new Set();
  /** whether events are being shown: then nothing is offered */
  #playing = false;
  /** @type {Decision | null} */
  #decision = null;
  #ring = new Ring();
  #settling;
  #table;
  #callbacks;

  /**
   * @param {HTMLElement} table
   * @param {ChoiceCallbacks} callbacks
   */
  constructor(table, callbacks) {
    this.#table = table;
    this.#callbacks = callbacks;
    this.#settling = new Settling(table, () => this.#show());
    table.addEventListener("toggle", labelDigits, true);
  }

  /** @param {HTMLElement | null | undefined} thing */
  couldTouch(thing) {
    return Boolean(thing && this.#meaningsOf(thing).some((touch) => this.#offered.has(touch)));
  }

  /**
   * Whether an action does not count yet, since what it ends has only just begun.
   * @param {HTMLButtonElement} button
   */
  isSettling(button) {
    const twin = actionButtons().find(({ value }) => value === button.value);
    return twin !== undefined && this.#settling.holds(touchesOf(twin)[0] ?? "");
  }

  /**
   * What is asked before an action: as its button in the list says, or, while something else can be done, its thing
   * on the table.
   * @param {HTMLButtonElement} button
   */
  questionBefore(button) {
    const actions = listedActions();
    const listed = actions.find((action) => action.button.value === button.value);
    if (listed?.button.dataset.ask) return listed.button.dataset.ask;
    const verb = listed?.verb;
    const asking = all("[data-touch][data-ask]", this.#table).find(({ dataset }) => dataset.touch === verb);
    return actions.some((action) => action.verb !== verb) ? asking?.dataset.ask : undefined;
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
   * Touch a thing: choose it, put it back if it was chosen, or begin anew with it if it does not go with the others.
   * Only what glows can do an action.
   * @param {HTMLElement} thing
   */
  touch(thing) {
    const given = this.#givenBy(thing);
    const grammar = this.#grammar();
    if (this.#chosen.some((one) => isSame(one, given))) this.#putBack(given);
    else if (this.#goesOn(grammar, given)) this.#goOn(grammar, given, thing);
    else if (given.by === "thing" && isIn(given.touches, grammar.offered(this.#actions(), [])))
      this.#choose([given], thing);
    else this.#explain(thing);
  }

  /**
   * Choose a kind of action by its heading in the list; again to let go of it.
   * @param {string} verb
   */
  chooseVerb(verb) {
    const given = /** @type {Chosen} */ ({ touches: [verb], by: "verb" });
    if (this.#chosen.some((one) => isSame(one, given))) this.clear();
    else this.#choose([given], null);
  }

  /**
   * Begin to drag a thing: choose it, or what it does when it is dragged, without doing anything yet.
   * @param {HTMLElement} thing
   * @returns {boolean} whether there is anywhere to drag it
   */
  lift(thing) {
    const grammar = this.#grammar();
    const verbs = list(thing.dataset.drag);
    /** @type {Chosen[]} */
    const ways = [
      { touches: verbs, by: "verb" },
      { touches: touchesOfThing(thing), by: "thing" },
    ];
    const way = ways.find((one) => {
      const left = grammar.left(this.#actions(), [one]);
      return left.some((action) => grammar.next(action, [one]).length);
    });
    if (!way) return false;
    this.#choose([way], thing);
    return true;
  }

  /** Move the focus to the actions beside what was touched, if there are any. */
  focusRing() {
    this.#ring.focus();
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
    this.#settling.refresh();
    if (asksOther || (changed && !this.#left().length)) this.clear();
    else if (changed) this.#callbacks.dismiss();
    this.#show();
    return changed;
  }

  #grammar() {
    return new Grammar(all("[data-touch]", this.#table).map(describeThing));
  }

  /** The actions that count now. */
  #actions() {
    return listedActions().filter(({ verb }) => !this.#settling.holds(verb));
  }

  #left() {
    return this.#grammar().left(this.#actions(), this.#chosen);
  }

  /**
   * What touching a thing means: the thing itself, or what a sign on it stands for.
   * @param {HTMLElement} thing
   * @returns {Chosen}
   */
  #givenBy(thing) {
    const { leads } = thing.dataset;
    if (leads !== undefined) return { touches: list(leads), by: "sign" };
    const touches = touchesOfThing(thing);
    const isChosen = this.#chosen.some((one) => isSame(one, { touches, by: "thing" }));
    const direct = isIn(touches, this.#grammar().offered(this.#actions(), this.#chosen));
    if (isChosen || direct || !this.#chosen.length) return { touches, by: "thing" };
    const signs = signsAfter(this.#table, this.#chosen).filter(({ dataset }) =>
      isIn(list(dataset.at), touches),
    );
    const led = signs.flatMap((sign) => list(sign.dataset.leads));
    return led.length ? { touches: led, by: "sign" } : { touches, by: "thing" };
  }

  /**
   * @param {Grammar} grammar
   * @param {Chosen} given
   */
  #goesOn(grammar, given) {
    return grammar.left(this.#actions(), [...this.#chosen, given]).length > 0;
  }

  /**
   * Choose what glows, and do the action that is meant then.
   * @param {Grammar} grammar
   * @param {Chosen} given
   * @param {HTMLElement} thing
   */
  #goOn(grammar, given, thing) {
    const chosen = [...this.#chosen, given];
    const left = grammar.left(this.#actions(), chosen);
    const meant = actionMeant(grammar, left, chosen, thing);
    if (!meant) {
      this.#choose(chosen, thing);
      return;
    }
    this.clear();
    this.#callbacks.perform(meant.button, Number(thing.dataset.cycle) || 1, thing);
    this.#show();
  }

  /**
   * @param {Chosen[]} chosen
   * @param {Element | null} anchor
   */
  #choose(chosen, anchor) {
    this.#callbacks.dismiss();
    this.#chosen = chosen;
    this.#anchor = anchor;
    this.#show();
  }

  /** @param {Chosen} given */
  #putBack(given) {
    const kept = this.#chosen.filter((one) => !isSame(one, given));
    if (kept.length && this.#grammar().left(this.#actions(), kept).length) this.#choose(kept, null);
    else this.clear();
  }

  /** @param {HTMLElement} thing */
  #explain(thing) {
    const [left] = this.#left();
    const before = left
      ? this.#chosen.map(({ touches }) => touches.find((one) => touchesOf(left.button).includes(one)))
      : [];
    this.#callbacks.dismiss();
    this.#callbacks.explain([...before, thing.dataset.touch ?? ""].filter(Boolean).join("|"));
  }

  /** Mark what can be chosen and what is chosen, on the table and in the list. */
  #show() {
    const grammar = this.#grammar();
    const left = this.#playing ? [] : grammar.left(this.#actions(), this.#chosen);
    const offered = new Set(left.flatMap((action) => grammar.next(action, this.#chosen)));
    for (const touch of this.#markSigns(left)) offered.add(touch);
    if (!this.#playing) this.#offered = offered;
    this.#markThings(offered);
    this.#markActions(left.map(({ button }) => button));
    this.#showRing(grammar, left);
    labelDigits();
  }

  /**
   * Mark the signs that can be touched.
   * @param {ListedAction[]} left
   * @returns {string[]} what they stand for, and where they end
   */
  #markSigns(left) {
    const possible = new Set(signsAfter(this.#table, this.#chosen));
    const hasSign = this.#chosen.at(-1)?.by === "sign";
    return all("[data-leads]", this.#table).flatMap((sign) => {
      const leads = list(sign.dataset.leads);
      const can =
        !hasSign && possible.has(sign) && left.some((action) => leads.some((touch) => names(action, touch)));
      sign.classList.toggle("can", can);
      return can && this.#chosen.length ? [sign.dataset.leads ?? "", ...list(sign.dataset.at)] : [];
    });
  }

  /** @param {Set<string>} offered */
  #markThings(offered) {
    for (const thing of all("[data-touch]", this.#table)) {
      const touches = touchesOfThing(thing);
      const chosen = this.#chosen.some((one) => isSame(one, { touches, by: "thing" }));
      const can = !chosen && isIn(touches, offered);
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
      button.classList.toggle("settling", this.#settling.holds(touchesOf(button)[0] ?? ""));
    }
    if (!begun) return;
    for (const group of actionGroups()) {
      group.open = left.some((button) => group.contains(button));
    }
  }

  /**
   * Offer what is done by one touch more, unless a sign on the table does so.
   * @param {Grammar} grammar
   * @param {ListedAction[]} left
   */
  #showRing(grammar, left) {
    const last = this.#chosen.at(-1);
    const signs = all("[data-leads].can", this.#table).flatMap(({ dataset }) => list(dataset.leads));
    const meant = left.filter((action) =>
      last?.by === "sign"
        ? true
        : grammar.isComplete(action, this.#chosen) && !signs.some((touch) => names(action, touch)),
    );
    const below = this.#chosen.length === 1 && !this.#playing ? this.#plainBelow(grammar) : [];
    const ways = [[...meant, ...below.filter((action) => !meant.includes(action))], below, meant];
    const shown = ways.find(({ length }) => length && length <= MOST_IN_RING) ?? [];
    this.#ring.show(last && last.by !== "verb" ? shown : [], this.#anchorNow());
  }

  /**
   * What a touch on the place would do where the chosen piece stands, which covers it.
   * @param {Grammar} grammar
   */
  #plainBelow(grammar) {
    const place = this.#anchorNow()?.getAttribute("data-stands");
    if (!place || this.#chosen[0]?.by !== "thing") return [];
    const touched = [/** @type {Chosen} */ ({ touches: [place], by: "thing" })];
    const left = grammar.left(this.#actions(), touched);
    return left.filter((action) => grammar.isComplete(action, touched));
  }

  /** What was touched last, or what is drawn for it now. */
  #anchorNow() {
    if (this.#anchor?.isConnected) return this.#anchor;
    const touch = this.#chosen.at(-1)?.touches[0] ?? "";
    const drawn = all(`[data-touch="${CSS.escape(touch)}"]`, this.#table);
    return drawn.find((thing) => thing.checkVisibility()) ?? null;
  }

  /**
   * All that a touch on a thing could mean.
   * @param {HTMLElement} thing
   */
  #meaningsOf(thing) {
    return thing.dataset.leads === undefined ? touchesOfThing(thing) : [thing.dataset.leads];
  }
}

/**
 * The action that is meant, if that is clear: the only one that is left, unless the thing only offers; or the first one,
 * where touching a thing again and again goes through all that can be done with it.
 * @param {Grammar} grammar
 * @param {ListedAction[]} left
 * @param {Chosen[]} chosen
 * @param {HTMLElement} thing
 */
function actionMeant(grammar, left, chosen, thing) {
  const isSign = chosen.at(-1)?.by === "sign";
  const meant = left.filter((action) => isSign || grammar.isComplete(action, chosen));
  if (thing.dataset.offer !== undefined) return undefined;
  if (thing.dataset.cycle !== undefined) return meant[0];
  return left.length === 1 ? meant[0] : undefined;
}

/**
 * Whether an action touches something.
 * @param {ListedAction} action
 * @param {string} touch
 */
function names({ verb, entities }, touch) {
  return touch === verb || entities.includes(touch);
}

/**
 * @param {Chosen} one
 * @param {Chosen} other
 */
function isSame(one, other) {
  return one.by === other.by && one.touches.join() === other.touches.join();
}

/**
 * Whether any of some touches is among others.
 * @param {string[]} touches
 * @param {Set<string> | string[]} others
 */
function isIn(touches, others) {
  const set = new Set(others);
  return touches.some((touch) => set.has(touch));
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
