// The analysis beside a replay: asks for it, follows its progress, draws the curve, and leads through the moments.

import { drawCurves, moveNow, placeOf, valuesAt } from "./course.js";
import { all, byId, thingsWith } from "./dom.js";
import { morphParts } from "./morph.js";
import { goTo } from "./replay.js";

/** @typedef {import("./course.js").Course} Course */

/**
 * The analysis as far as it is.
 * @typedef {{ unfinished: boolean, parts: Record<string, string>, course: Course | null }} Report
 */

const SOON = 400; // milliseconds between two questions until there is a curve
const LATER = 1000; // and from then on
const ASKED_SOON = 10; // questions, while it waits for others
const MARKS = { played: "was-played", better: "was-better" };
const SVG = "http://www.w3.org/2000/svg";
const MARGIN = 3; // of the frame around a thing of the board, in its units

const { match = "" } = byId("main", HTMLElement).dataset;
const slider = byId("at", HTMLInputElement);
const last = Number(slider.max);
const place = byId("course", HTMLElement);
const shownMoment = byId("moment", HTMLElement);

/** @type {Course | null} */
let course = null;
let chosen = ""; // the step of the moment that is looked at
/** @type {ReturnType<typeof setTimeout> | undefined} */
let waiting;

/** Ask how far the analysis is, again and again until it is finished. */
async function follow(asked = 0) {
  clearTimeout(waiting);
  try {
    const reply = await fetch(`/m/${match}/analysis`);
    if (!reply.ok) return;
    /** @type {Report} */
    const report = await reply.json();
    morphParts(report.parts);
    if (report.course) draw(report.course);
    if (!report.unfinished) return;
  } catch {
    // without a network for a moment: it asks again
  }
  const soon = course === null && asked < ASKED_SOON;
  waiting = setTimeout(() => follow(asked + 1), soon ? SOON : LATER);
}

/** @param {Course} found */
function draw(found) {
  course = found;
  place.hidden = false;
  byIdIn(".drawn").replaceChildren(drawCurves(found));
  const marks = byIdIn(".marks");
  const focused = /** @type {HTMLElement | null} */ (marks.querySelector(":focus"))?.dataset.step;
  marks.replaceChildren(...found.moments.map((moment) => markOf(found, moment)));
  all(`[data-step="${focused}"]`, marks)[0]?.focus();
  followStep(Number(slider.value));
}

/** @param {string} selector */
function byIdIn(selector) {
  const found = place.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`The curve has no ${selector}.`);
  return found;
}

/**
 * @param {Course} found
 * @param {import("./course.js").Mark} moment
 */
function markOf(found, moment) {
  const mark = document.createElement("button");
  const { left, top } = placeOf(found, moment);
  mark.type = "button";
  mark.className = `mark ${moment.kind}`;
  mark.style.left = `${left}%`;
  mark.style.top = `${top}%`;
  mark.dataset.step = String(moment.step);
  mark.title = moment.label;
  const text = byIdIn(".marks").dataset.go ?? "";
  mark.setAttribute("aria-label", text.replace("{moment}", moment.label).replace("{step}", `${moment.at}`));
  return mark;
}

// Moments

/**
 * Look at a moment: go to its step, and say what happened and what would have been better.
 * @param {string} step
 */
async function lookAt(step) {
  const item = document.getElementById(`moment-${step}`);
  if (!item) return;
  chosen = step;
  await goTo(Number(item.dataset.at));
  showMoment();
  document.getElementById(`moment-${step}`)?.scrollIntoView({ block: "nearest" });
}

/** Show the moment that is looked at, as long as its step is shown. */
function showMoment() {
  const item = document.getElementById(`moment-${chosen}`);
  const here = item !== null && item.dataset.at === slider.value;
  shownMoment.hidden = !here;
  for (const one of all("#moments > li")) one.classList.toggle("looked-at", here && one === item);
  for (const one of all(".course .mark")) {
    const is = here && one.dataset.step === chosen;
    one.classList.toggle("looked-at", is);
    one.setAttribute("aria-current", String(is));
  }
  clearBoard();
  if (!here || !item) return;
  tell(item);
  for (const one of [item, shownMoment]) one.classList.toggle("compares", Boolean(item.dataset.better));
  if (item.dataset.better) markBoard(item);
}

/**
 * Say beside the board what the list says of a moment.
 * @param {HTMLElement} item
 */
function tell(item) {
  const texts = { headline: "jump", text: "text", why: "why" };
  for (const [to, from] of Object.entries(texts)) {
    const target = shownMoment.querySelector(`.${to}`);
    if (target) target.textContent = item.querySelector(`.${from}`)?.textContent ?? "";
  }
}

// What was played and what would have been better, on the board

/** Take the marks from the board. */
function clearBoard() {
  for (const frame of all("#main .moment-frame")) frame.remove();
  for (const name of Object.values(MARKS)) {
    for (const one of all(`#main .${name}:not(.legend)`)) one.classList.remove(name);
  }
}

/** @param {HTMLElement} item */
function markBoard(item) {
  for (const [key, name] of Object.entries(MARKS)) {
    const touches = (item.dataset[key] ?? "").split("|").filter(Boolean);
    for (const thing of thingsWith(byId("main", HTMLElement), touches)) {
      const drawing = thing.closest("svg.board-svg");
      if (drawing instanceof SVGSVGElement) drawing.append(...framesAround(drawing, thing, name));
      else thing.classList.add(name);
    }
  }
}

/**
 * A frame around a thing of the board, on a white one that sets it off from every ground. They are drawn last, so that
 * nothing covers them.
 * @param {SVGSVGElement} drawing
 * @param {Element} thing
 * @param {string} name
 */
function framesAround(drawing, thing, name) {
  const edge = thing.querySelector(":scope > .edge"); // pictures may be larger than what shows of them
  const graphics = /** @type {SVGGraphicsElement} */ (edge ?? thing);
  const { x, y, width, height } = graphics.getBBox();
  const { a, b, c, d, e, f } = (drawing.getScreenCTM() ?? new DOMMatrix())
    .inverse()
    .multiply(graphics.getScreenCTM() ?? new DOMMatrix());
  const place = {
    x: x - MARGIN,
    y: y - MARGIN,
    width: width + 2 * MARGIN,
    height: height + 2 * MARGIN,
    transform: `matrix(${a} ${b} ${c} ${d} ${e} ${f})`,
  };
  return ["casing", name].map((kind) => {
    const frame = document.createElementNS(SVG, "rect");
    frame.setAttribute("class", `moment-frame ${kind}`);
    for (const [key, value] of Object.entries(place)) frame.setAttribute(key, String(value));
    return frame;
  });
}

/**
 * Look at the next or the previous moment: after the one that is looked at, else from the shown step on. Several may
 * be at one step.
 * @param {number} direction  1 or -1
 */
function nextMoment(direction) {
  const steps = all("#moments > li").map((item) => ({ at: Number(item.dataset.at), step: item.id.slice(7) }));
  const found = direction > 0 ? steps : steps.reverse();
  const now = Number(slider.value);
  const current = found.findIndex(({ at, step }) => step === chosen && at === now);
  const next = current < 0 ? found.find(({ at }) => direction * (at - now) >= 0) : found[current + 1];
  if (next) lookAt(next.step);
}

/** @param {number} step */
function followStep(step) {
  const drawing = place.querySelector("svg");
  if (!course || !drawing) return;
  moveNow(drawing, step, last);
  byId("course-value", HTMLOutputElement).textContent = valuesAt(course, step);
  showMoment();
}

/**
 * Send a form of the analysis without leaving the page.
 * @param {SubmitEvent} event
 */
async function sendForm(event) {
  const form = /** @type {HTMLFormElement} */ (event.target);
  if (form.id !== "analyse" && form.id !== "analysis-cancel") return;
  event.preventDefault();
  for (const button of all("button", form)) /** @type {HTMLButtonElement} */ (button).disabled = true;
  try {
    const reply = await fetch(form.action, { method: "POST", redirect: "manual" });
    if (reply.type !== "opaqueredirect")
      form.submit(); // the page of the answer says why
    else await follow();
  } catch {
    form.submit();
  }
}

/** @param {MouseEvent} event */
function press(event) {
  const target = /** @type {Element} */ (event.target);
  const mark = /** @type {HTMLElement | null} */ (target.closest(".course .mark"));
  const jump = /** @type {HTMLAnchorElement | null} */ (target.closest("#analysis a.jump"));
  if (mark) {
    lookAt(mark.dataset.step ?? "");
  } else if (jump && !event.ctrlKey && !event.metaKey) {
    event.preventDefault();
    const item = jump.closest("#moments > li");
    if (item) lookAt(item.id.slice("moment-".length));
    else goTo(Number(new URL(jump.href).searchParams.get("at")));
  } else if (target.closest(".course .drawn")) {
    const box = byIdIn(".drawn").getBoundingClientRect();
    goTo(Math.round(((event.clientX - box.left) / box.width) * last));
  }
}

document.addEventListener("submit", sendForm);
document.addEventListener("click", press);
slider.addEventListener("shown", () => followStep(Number(slider.value)));
addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select")) return;
  if (event.key === "m") nextMoment(1);
  if (event.key === "M") nextMoment(-1);
});
follow();
