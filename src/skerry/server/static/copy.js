// Buttons that copy a link. Without a clipboard they stay hidden, and the link can be selected.

import { all, byId } from "./dom.js";

/** @param {HTMLElement} button  with the id of the field in `data-copy` */
function activate(button) {
  const link = byId(button.dataset.copy ?? "", HTMLInputElement);
  link.addEventListener("focus", () => link.select());
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(link.value);
    button.textContent = button.dataset.copied ?? "";
  });
}

for (const button of all("[data-copy]")) activate(button);
