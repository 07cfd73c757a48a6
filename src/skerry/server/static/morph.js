// Change an element into what some markup says, touching only what differs, so that styles can animate the difference.
const SVG = "http://www.w3.org/2000/svg";

export function redraw(parts) {
  for (const [id, html] of Object.entries(parts)) {
    const element = document.getElementById(id);
    if (element && html) morph(element, html);
  }
}

function morph(element, html) {
  const holder = document.createElement("template");
  holder.innerHTML = element.namespaceURI === SVG ? `<svg>${html}</svg>` : html;
  const fresh = holder.content.getElementById(element.id);
  if (fresh.tagName === element.tagName) become(element, fresh);
  else element.replaceWith(fresh);
}

function become(old, fresh) {
  const own = old.tagName === "DETAILS" ? "open" : null; // what the reader unfolded stays so
  for (const { name } of [...old.attributes])
    if (name !== own && !fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes)
    if (old.getAttribute(name) !== value) old.setAttribute(name, value);
  const wanted = [...fresh.childNodes];
  for (const [place, child] of wanted.entries()) {
    const twin = match(old, child, place);
    if (twin) {
      if (old.childNodes[place] !== twin) old.insertBefore(twin, old.childNodes[place]);
      if (twin.nodeType === Node.ELEMENT_NODE) become(twin, child);
      else if (twin.data !== child.data) twin.data = child.data;
    } else old.insertBefore(child, old.childNodes[place] ?? null);
  }
  while (old.childNodes.length > wanted.length) old.lastChild.remove();
}

// The same thing as it was before: by its id, else what stands in its place and is of its kind.
function match(old, child, place) {
  if (child.id) return [...old.children].find((one) => one.id === child.id);
  const there = old.childNodes[place];
  return there && !there.id && there.nodeType === child.nodeType && there.nodeName === child.nodeName
    ? there
    : null;
}
