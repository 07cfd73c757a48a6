// The theme that the person chose, set before anything is drawn. This is a classic script: a module would run later.
try {
  const chosen = localStorage.getItem("skerry-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage may be forbidden.
}
