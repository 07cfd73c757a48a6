// Typed access to the elements of a page.

/**
 * The element with an id, which must be there and of the given type.
 * @template {Element} T
 * @param {string} id
 * @param {new () => T} type
 * @returns {T}
 */
export function byId(id, type) {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new Error(`The page has no ${type.name} #${id}.`);
  return found;
}

/**
 * All elements that match a selector. Things on a board are SVG elements; of what they share with HTML elements,
 * `dataset`, `tabIndex` and `focus` are used.
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement[]}
 */
export function all(selector, root = document) {
  return [.../** @type {NodeListOf<HTMLElement>} */ (root.querySelectorAll(selector))];
}

/**
 * The things on the table with one of some touches, which are `kind:slug` of an entity or `verb:NAME` of an action.
 * @param {ParentNode} table
 * @param {string[]} touches
 */
export function thingsWith(table, touches) {
  return touches.flatMap((touch) => all(`[data-touch="${CSS.escape(touch)}"]`, table));
}
