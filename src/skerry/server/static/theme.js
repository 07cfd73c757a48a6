// Before anything is drawn: the light that the person chose.
try {
  const chosen = localStorage.getItem("skerry-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {} // storage may be forbidden
