// The what-if board: follows its links without leaving the page, shows what each position is worth, and finds the
// actions that touch something on the board.

import { all, byId, thingsWith } from "./dom.js";
import { morphParts } from "./morph.js";

/** @type {string[]} what has been touched */
let touched = [];
let latest = 0; // counts what was asked, so that a late answer is dropped

/**
 * Show another position.
 * @param {string} url
 * @param {boolean} [isNew]  whether it is one to come back from
 */
async function show(url, isNew = true) {
  const asked = ++latest;
  const reply = await fetch(url).catch(() => null);
  if (!reply?.ok) {
    location.assign(url);
    return;
  }
  const fresh = new DOMParser().parseFromString(await reply.text(), "text/html").getElementById("main");
  if (asked !== latest || !fresh) return;
  morphParts({ main: fresh.outerHTML });
  if (isNew) history.pushState(null, "", url);
  touched = [];
  offer();
  await showValue();
}

/** Ask what the position is worth. */
async function showValue() {
  const asked = latest;
  const reply = await fetch(byId("main", HTMLElement).dataset.value ?? "").catch(() => null);
  if (asked !== latest || !reply?.ok) return;
  /** @type {{ values: { title: string, text: string, change: string }[] }} */
  const { values } = await reply.json();
  const texts = values.map(({ title, text, change }) => `${title} ${text}${change && ` (${change})`}`.trim());
  byId("values", HTMLElement).textContent = texts.join(" · ");
}

/** The actions that touch all that has been touched. */
function meant() {
  return all("#tries .try").filter((link) => touched.every((touch) => touchesOf(link).includes(touch)));
}

/** @param {HTMLElement} link */
function touchesOf(link) {
  return (link.dataset.touches ?? "").split("|");
}

/** Show the actions that are meant, and let glow what can be touched next. */
function offer() {
  const links = meant();
  const table = byId("main", HTMLElement);
  for (const link of all("#tries .try")) link.hidden = !links.includes(link);
  for (const group of all("#tries details")) {
    const some = group.querySelector(".try:not([hidden])") !== null;
    group.hidden = !some;
    if (some && touched.length) group.setAttribute("open", "");
  }
  for (const thing of all("[data-touch].can", table)) thing.classList.remove("can", "chosen");
  // Before anything is touched, only the seats that the game waits for: others could do something at any time.
  const shown = touched.length ? links : links.filter((link) => !link.closest(".quiet-seat"));
  const next = shown.flatMap(touchesOf).filter((touch) => !touch.startsWith("verb:"));
  for (const thing of thingsWith(table, next)) thing.classList.add("can");
  for (const thing of thingsWith(table, touched)) thing.classList.add("can", "chosen");
  byId("show-all", HTMLButtonElement).hidden = touched.length === 0;
}

/** @param {string} touch */
function choose(touch) {
  touched = touched.includes(touch) ? touched.filter((one) => one !== touch) : [...touched, touch];
  if (!meant().length) touched = [touch];
  const links = meant();
  if (!links.length) touched = [];
  const [only] = links;
  if (links.length === 1 && only instanceof HTMLAnchorElement) show(only.href);
  else offer();
}

document.addEventListener("click", (event) => {
  const target = /** @type {Element} */ (event.target);
  const link = /** @type {HTMLAnchorElement | null} */ (target.closest(".try, #what-if-tools a[href^='?']"));
  const thing = /** @type {HTMLElement | null} */ (target.closest("[data-touch].can"));
  if (target.closest("#show-all")) {
    touched = [];
    offer();
  } else if (link && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    show(link.href);
  } else if (thing) {
    choose(thing.dataset.touch ?? "");
  }
});
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const undo = /** @type {HTMLAnchorElement | null} */ (
    document.querySelector("#what-if-tools [data-key=u]")
  );
  if (event.key === "u" && undo) show(undo.href);
  if (event.key === "Escape") {
    touched = [];
    offer();
  }
});
addEventListener("popstate", () => show(location.href, false));
offer();
showValue();
