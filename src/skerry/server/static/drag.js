// Dragging: a piece or a card to where it shall go, or from one thing to another that something joins.

import { all } from "./dom.js";
import { thingsAt } from "./pointer.js";
import { list } from "./things.js";

/** @typedef {import("./choice.js").Choice} Choice */
/** @typedef {import("./playback.js").Playback} Playback */

const LEAST = 10; // pixels: what moves less is a click

/**
 * A drag from a thing. It is one once the pointer has left the thing.
 * @typedef {object} Drag
 * @property {HTMLElement} from
 * @property {number} x
 * @property {number} y
 * @property {"pressed" | "carried" | "joining" | "idle"} state
 */

/**
 * @param {HTMLElement} table
 * @param {Choice} choice
 * @param {Playback} playback
 */
export function chooseByDrags(table, choice, playback) {
  /** @type {Drag | null} */
  let drag = null;
  let isClickDue = false; // the click that follows a drag

  table.addEventListener("pointerdown", (event) => {
    isClickDue = false;
    drag = null;
    if (!event.isPrimary || event.button !== 0 || playback.playing || !table.dataset.seat) return;
    const from = thingsAt(event).find((thing) => isDraggable(table, thing));
    if (from) drag = { from, x: event.clientX, y: event.clientY, state: "pressed" };
  });

  table.addEventListener("pointermove", (event) => {
    if (drag?.state !== "pressed") return;
    const isFar = Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > LEAST;
    if (!isFar || thingsUnder(event).includes(drag.from)) return;
    const { from } = drag;
    if (joints(table, from).length) drag.state = "joining";
    else drag.state = choice.lift(from) ? "carried" : "idle";
    from.classList.toggle("dragged", drag.state !== "idle");
  });

  table.addEventListener("pointerup", (event) => {
    const { from, state } = drag ?? {};
    drag = null;
    if (!from || (state !== "carried" && state !== "joining")) return;
    from.classList.remove("dragged");
    isClickDue = true;
    const under = thingsUnder(event);
    const goal =
      state === "joining"
        ? joints(table, from).find((joint) => under.some((thing) => joins(joint, thing)))
        : under.find((thing) => thing.matches(".can"));
    if (goal) choice.touch(goal);
    else if (state === "carried") choice.clear();
  });

  table.addEventListener("pointercancel", () => {
    if (drag?.state === "carried") choice.clear();
    drag?.from.classList.remove("dragged");
    drag = null;
  });

  const listener = (/** @type {Event} */ event) => {
    if (!isClickDue) return;
    isClickDue = false;
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  table.addEventListener("click", listener, true);
}

/**
 * @param {HTMLElement} table
 * @param {HTMLElement} thing
 */
function isDraggable(table, thing) {
  return thing.matches(".can, [data-drag]") || joints(table, thing).length > 0;
}

/**
 * What glows and joins a thing to others.
 * @param {HTMLElement} table
 * @param {HTMLElement} thing
 */
function joints(table, thing) {
  return all("[data-joins].can", table).filter((joint) => joins(joint, thing));
}

/**
 * @param {HTMLElement} joint
 * @param {HTMLElement} thing
 */
function joins(joint, thing) {
  return list(joint.dataset.joins).includes(thing.dataset.touch ?? "");
}

/**
 * The things where the pointer is now. A finger's events go to where it was put down.
 * @param {PointerEvent} event
 */
function thingsUnder({ clientX, clientY }) {
  return thingsAt({ target: document.elementFromPoint(clientX, clientY), clientX, clientY });
}
