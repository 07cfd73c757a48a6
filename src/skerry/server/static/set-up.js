// The page on which a match is set up: below a list, what the chosen value brings, such as the power of a role.

import { all } from "./dom.js";

/** @param {HTMLSelectElement} list */
function showWhatItBrings(list) {
  const note = document.createElement("small");
  note.className = "brings";
  note.setAttribute("aria-live", "polite");
  const update = () => {
    note.textContent = list.selectedOptions[0]?.dataset.brings ?? "";
  };
  list.after(note);
  list.addEventListener("change", update);
  update();
}

for (const list of all("select:has([data-brings])"))
  showWhatItBrings(/** @type {HTMLSelectElement} */ (list));
