// The guide of a tutorial points at things on the table, and at the action that it says to do.

import { actionButtons, actionList } from "./actions.js";
import { all } from "./dom.js";

/**
 * Mark what the guide points at: the things with some touches, and the elements with some ids, given after a #. What is
 * to be touched is marked too; it stands out as soon as it glows.
 * @param {HTMLElement} table
 */
export function markPointedAt(table) {
  const guide = document.getElementById("table-guide");
  const points = guide?.dataset.points?.split(" ") ?? [];
  const means = guide?.dataset.means?.split("|") ?? [];
  for (const thing of all("[data-touch], [id]", table)) {
    const { touch } = thing.dataset;
    const pointed = (touch !== undefined && points.includes(touch)) || points.includes(`#${thing.id}`);
    thing.classList.toggle("pointed", pointed);
    thing.classList.toggle("meant", touch !== undefined && means.includes(touch));
  }
  markAction(guide?.dataset.action);
}

/**
 * Mark an action in the list, or the heading under which it is, and let it be seen.
 * @param {string | undefined} action
 */
function markAction(action) {
  for (const heading of all("summary.pointed", actionList())) heading.classList.remove("pointed");
  for (const button of actionButtons()) {
    const isMeant = button.value === action;
    const group = button.closest("details");
    button.classList.toggle("pointed", isMeant);
    if (!isMeant) continue;
    const shown = group && !group.open ? group.querySelector("summary") : button;
    if (shown !== button) shown?.classList.add("pointed");
    shown?.scrollIntoView({ block: "nearest" });
  }
}
