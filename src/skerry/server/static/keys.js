// The keyboard: arrows walk, Enter chooses, digits take from the list; the help tells of the rest.
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export function keys(table, choose, shown) {
  const help = document.getElementById("help");
  const press = {
    "?": () => help.showModal(),
    h: () => document.getElementById("ask-advice")?.click(),
    u: () => table.querySelector("#table-actions [name=undo]")?.click(),
    l: () => ((document.getElementById("tab-log").checked = true), document.getElementById("log").focus()),
    Escape: () => (shown.busy() ? shown.finish() : choose.clear()),
  };
  document.getElementById("ask").addEventListener("click", press["?"]);
  addEventListener("keydown", (event) => {
    const { key, target } = event;
    if (
      event.ctrlKey ||
      event.altKey ||
      event.metaKey ||
      document.querySelector(":modal, :popover-open") ||
      target.closest("input, select, textarea")
    )
      return;
    const touch = target.closest("[data-touch]")?.dataset.touch;
    if (ARROWS[key] && target.id !== "log") choose.walk(...ARROWS[key]);
    else if (/^[1-9]$/.test(key)) choose.digit(Number(key));
    else if (touch && (key === "Enter" || key === " ")) {
      if (shown.busy()) shown.finish();
      if (target === document.activeElement) choose.pick(touch); // what it was about may be over
    } else if (press[key]) press[key]();
    else return;
    event.preventDefault();
  });
  // A click while something is shown skips to its end. It counts if what was clicked means the same then; a thing on the
  // table, if it could be chosen before: who only wants to skip must not move.
  table.addEventListener(
    "click",
    (event) => {
      if (!shown.busy()) return;
      const control = event.target.closest("button, a, summary, input, label, [data-touch], [data-leads]");
      const means = () =>
        control?.isConnected && (control.value ?? control.dataset.leads ?? control.dataset.touch);
      const [meant, could, { name }] = [means(), choose.could(event), control ?? {}];
      shown.finish();
      if (
        control &&
        means() === meant &&
        (!control.matches("[data-touch]") || (could && choose.meant(event)))
      )
        return;
      event.preventDefault();
      event.stopPropagation();
      if (name) table.querySelector(`[name="${name}"][value="${CSS.escape(meant)}"]`)?.click(); // it lies elsewhere now
    },
    true,
  );
}
