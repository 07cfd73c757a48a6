// Buttons that copy a link; without a clipboard they stay hidden, and the link can be selected.
for (const button of document.querySelectorAll("[data-copy]")) {
  const link = document.getElementById(button.dataset.copy);
  link.addEventListener("focus", () => link.select());
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(link.value);
    button.textContent = button.dataset.copied;
  });
}
