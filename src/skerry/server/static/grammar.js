// The grammar of touch, the same for all games: which thing of an action is touched when, and when an action is meant.
//
// A card comes first, then its targets; a piece first, then its destinations; a place alone means what is simply done
// there. What an action needs next glows, and nothing else acts.

/**
 * Something on the table that can be touched.
 * @typedef {object} Thing
 * @property {string[]} touches  what it stands for: `kind:slug` of an entity, or `verb:NAME`
 * @property {boolean} isPlace  whether it is a place of the board: the last of all that an action names
 * @property {string[]} does  the verbs that are done with it alone, whatever else their actions name
 * @property {string[]} doers  what can be touched to do them: the thing itself, and the place where it is
 */

/**
 * What an action touches: its verb, then the entities that it names.
 * @typedef {{ verb: string, entities: string[] }} Touched
 */

/**
 * One touch of a choice. A sign or a heading stands for actions without being one of their things.
 * @typedef {object} Chosen
 * @property {string[]} touches  any of them will do
 * @property {"thing" | "sign" | "verb"} by  what was touched
 */

export class Grammar {
  /** @type {Set<string>} */
  #onTable = new Set();
  /** @type {Set<string>} */
  #places = new Set();
  /** @type {Map<string, string[]>} by verb, the things that do it */
  #doers = new Map();

  /** @param {Thing[]} things  all that can be touched */
  constructor(things) {
    for (const { touches, isPlace, does, doers } of things) {
      for (const touch of touches) {
        this.#onTable.add(touch);
        if (isPlace) this.#places.add(touch);
      }
      for (const verb of does) this.#doers.set(verb, [...(this.#doers.get(verb) ?? []), ...doers]);
    }
  }

  /**
   * What can be touched next for an action.
   * @param {Touched} action
   * @param {Chosen[]} chosen
   * @returns {string[]}
   */
  next(action, chosen) {
    if (this.#isDone(action, chosen)) return [];
    const missing = this.#missing(action, chosen);
    const doers = chosen.length ? [] : (this.#doers.get(action.verb) ?? []);
    if (missing.includes(action.verb)) return [action.verb, ...doers];
    const beforePlaces = missing.filter((touch) => !this.#places.has(touch));
    return [...(beforePlaces.length ? beforePlaces : missing), ...doers];
  }

  /**
   * Whether all is touched that an action needs.
   * @param {Touched} action  one that goes with all that is chosen
   * @param {Chosen[]} chosen
   */
  isComplete(action, chosen) {
    return this.#isDone(action, chosen) || !this.#missing(action, chosen).length;
  }

  /**
   * The actions that some touches, one after another, leave.
   * @template {Touched} A
   * @param {A[]} actions
   * @param {Chosen[]} chosen
   * @returns {A[]}
   */
  left(actions, chosen) {
    let left = actions;
    for (const [index, { touches, by }] of chosen.entries()) {
      const before = chosen.slice(0, index);
      left = left.filter((action) => {
        const wanted = by === "thing" ? this.next(action, before) : allOf(action);
        return touches.some((touch) => wanted.includes(touch));
      });
    }
    return left;
  }

  /**
   * What can be touched next.
   * @param {Touched[]} actions
   * @param {Chosen[]} chosen
   */
  offered(actions, chosen) {
    return new Set(this.left(actions, chosen).flatMap((action) => this.next(action, chosen)));
  }

  /**
   * Whether an action is done by the thing that was touched first.
   * @param {Touched} action
   * @param {Chosen[]} chosen
   */
  #isDone({ verb }, [first]) {
    const doers = this.#doers.get(verb);
    return first?.by === "thing" && Boolean(doers?.some((touch) => first.touches.includes(touch)));
  }

  /**
   * What on the table an action still needs. What is not on the table cannot be asked for.
   * @param {Touched} action
   * @param {Chosen[]} chosen
   */
  #missing(action, chosen) {
    const touched = chosen.flatMap(({ touches, by }) => (by === "sign" ? [] : touches));
    return allOf(action).filter((touch) => this.#onTable.has(touch) && !touched.includes(touch));
  }
}

/** @param {Touched} action */
function allOf({ verb, entities }) {
  return [verb, ...entities];
}
