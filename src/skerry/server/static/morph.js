// Morphing: change an element into what some markup says, touching only what differs, so that styles can animate
// the difference and the focus stays where it is.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Morph parts of the page.
 * @param {Record<string, string>} parts  the new markup of elements, by id
 */
export function morphParts(parts) {
  for (const [id, html] of Object.entries(parts)) {
    const element = document.getElementById(id);
    if (element && html) morph(element, html);
  }
}

/**
 * Morph an element into the element with its id in some markup.
 * @param {Element} element
 * @param {string} html
 */
function morph(element, html) {
  const fresh = parse(html, element.namespaceURI).getElementById(element.id);
  if (!fresh) throw new Error(`The new markup has no #${element.id}.`);
  if (fresh.tagName === element.tagName) morphElement(element, fresh);
  else element.replaceWith(fresh);
}

/**
 * @param {string} html
 * @param {string | null} namespace  of the element that the markup describes
 */
function parse(html, namespace) {
  const holder = document.createElement("template");
  holder.innerHTML = namespace === SVG ? `<svg>${html}</svg>` : html;
  return holder.content;
}

/**
 * @param {Element} old
 * @param {Element} fresh
 */
function morphElement(old, fresh) {
  morphAttributes(old, fresh);
  morphChildren(old, fresh);
}

/**
 * @param {Element} old
 * @param {Element} fresh
 */
function morphAttributes(old, fresh) {
  const kept = old.tagName === "DETAILS" ? "open" : null; // the reader decides what is expanded
  for (const { name } of [...old.attributes]) {
    if (name !== kept && !fresh.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}

/**
 * @param {Element} old
 * @param {Element} fresh
 */
function morphChildren(old, fresh) {
  const wanted = [...fresh.childNodes];
  for (const [index, child] of wanted.entries()) {
    const there = old.childNodes[index] ?? null;
    const match = counterpart(old, child, there);
    if (!match) {
      old.insertBefore(child, there);
      continue;
    }
    if (match !== there) old.insertBefore(match, there);
    morphNode(match, child);
  }
  while (old.childNodes.length > wanted.length) old.lastChild?.remove();
}

/**
 * @param {ChildNode} old
 * @param {ChildNode} fresh
 */
function morphNode(old, fresh) {
  if (old instanceof Element && fresh instanceof Element) morphElement(old, fresh);
  else if (old.nodeValue !== fresh.nodeValue) old.nodeValue = fresh.nodeValue;
}

/**
 * The old node that a new child continues: the one with its id, else the one in its place if that is of its kind.
 * @param {Element} old
 * @param {ChildNode} child
 * @param {ChildNode | null} there
 * @returns {ChildNode | null}
 */
function counterpart(old, child, there) {
  if (idOf(child)) return [...old.children].find((one) => one.id === idOf(child)) ?? null;
  if (!there || idOf(there)) return null;
  return there.nodeType === child.nodeType && there.nodeName === child.nodeName ? there : null;
}

/** @param {ChildNode} node */
function idOf(node) {
  return node instanceof Element ? node.id : "";
}
