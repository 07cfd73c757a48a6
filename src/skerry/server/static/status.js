// Whose turn it is: in the header on small screens, and by the title of the page.

import { showTurn } from "./attention.js";
import { all, byId } from "./dom.js";

/** @param {HTMLElement} table */
export function showStatus(table) {
  const status = byId("status", HTMLElement);
  const { yours = "", over = "" } = status.dataset;
  const isMyTurn = document.querySelector("#table-prompt[data-turn]") !== null;
  const waitingFor = all(".sitting.waiting b", table).map((name) => name.textContent);
  status.dataset.now = isMyTurn ? yours : waitingFor.join(", ") || over; // for small screens
  showTurn(isMyTurn, yours);
}
