// The guide of a tutorial points at things on the table.

import { all } from "./dom.js";

/**
 * Mark what the guide points at: the things with some touches, and the elements with some ids, given after a #.
 * @param {HTMLElement} table
 */
export function markPointedAt(table) {
  const points = document.getElementById("table-guide")?.dataset.points?.split(" ") ?? [];
  for (const thing of all("[data-touch], [id]", table)) {
    const { touch } = thing.dataset;
    const pointed = (touch !== undefined && points.includes(touch)) || points.includes(`#${thing.id}`);
    thing.classList.toggle("pointed", pointed);
  }
}
