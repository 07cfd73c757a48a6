// What happened, one thing after another: the things an event names light up while its words are read, and the parts
// of the page that tell of it change. Who does not want to wait sees the end at once.
import { reveal } from "./log.js";
import { redraw } from "./morph.js";
import { pace } from "./settings.js";

const LINGER = 1200; // how long things stay lit that are not shown one by one
const LONGEST = 5000; // for all that waits to be shown

export function stage(table, renewed) {
  const kinds = JSON.parse(table.dataset.kinds);
  const caption = document.getElementById("caption");
  const bar = document.getElementById("missed");
  let queue = [];
  let clock = null; // runs while something is being shown
  let missed = []; // what came while nobody looked
  let before = {}; // how the parts were then

  const things = (touches) =>
    touches.flatMap((touch) => [...table.querySelectorAll(`[data-touch="${CSS.escape(touch)}"]`)]);
  const drawn = (id) => document.getElementById(id)?.outerHTML ?? "";

  // A message as beats: an event each. A part changes with the last event that names something on it.
  function beats({ steps, parts }) {
    const told = steps.flatMap(({ words, events = [] }) =>
      words.map((text, n) => ({ text, ...named(events[n] ?? {}), parts: {} })),
    );
    if (!told.length) return [{ touches: [], parts }];
    for (const [id, html] of Object.entries(parts)) {
      const on = (beat) =>
        !id.startsWith("table-") && beat.touches.some((touch) => html.includes(`data-touch="${touch}"`));
      (told.findLast(on) ?? told.at(-1)).parts[id] = html;
    }
    return told;
  }

  function named(event) {
    const values = Object.entries(kinds[event.event] ?? {}).map(([name, kind]) => [
      name,
      kind,
      [event[name] ?? []].flat().map((slug) => `${kind}:${slug}`),
    ]);
    const [, kind, [to]] = values.find(([name]) => name === "to") ?? [, , []];
    const from = to && values.find(([name, other]) => name !== "to" && other === kind)?.[2][0];
    return { touches: values.flatMap(([, , some]) => some), from, to };
  }

  function apply(parts) {
    const held = document.activeElement;
    const acts = held.matches("#table-actions button, [data-touch^='verb:']");
    redraw(parts);
    if (!(renewed(queue.length > 0) && acts) && held.isConnected && held.checkVisibility()) return;
    // What had the focus is gone: give it to its like. But what acts when pressed must not answer another question too.
    (things(acts ? [] : [held.dataset.touch ?? ""])[0] ?? document.getElementById("table-actions")).focus({
      preventScroll: true,
    });
  }

  // What lay at one place lies at another now: let it go there, from where it was.
  function slide({ from, to }, time) {
    const [[old], [now]] = [things([from]), things([to])];
    if (!old?.transform || !now?.transform) return;
    const at = ({ transform }) => ({
      transform: `translate(${["e", "f"].map((axis) => `${transform.baseVal.consolidate()?.matrix[axis] ?? 0}px`)})`,
    });
    now.animate([at(old), at(now)], { duration: time, easing: "ease-in-out" });
    old.animate({ opacity: [0, 0] }, time);
  }

  function light(beats, time) {
    for (const thing of table.querySelectorAll(".told")) thing.classList.remove("told");
    table.style.setProperty("--beat", `${time}ms`);
    for (const thing of things(beats.flatMap((beat) => beat.touches))) thing.classList.add("told");
    const told = beats.filter((beat) => beat.text);
    const words = told.at(-1)?.text;
    reveal(queue.length ? told.length : Infinity);
    if (words) caption.textContent = words;
    caption.classList.toggle("shown", Boolean(words));
    clearTimeout(clock);
    clock = words || queue.length ? setTimeout(next, words ? time : 0) : null;
  }

  function next() {
    const time = Math.min(pace(), LONGEST / queue.length);
    if (!time || !queue.length) return finish();
    const beat = queue.shift();
    apply(beat.parts);
    if (beat.from) slide(beat, time);
    light([beat], time);
  }

  function finish() {
    const all = queue.splice(0);
    if (all.length) apply(Object.assign({}, ...all.map((beat) => beat.parts)));
    light(all, LINGER);
  }

  function tell(message) {
    queue.push(...beats(message));
    if (clock === null || !pace()) next();
  }

  function miss({ steps, parts }) {
    finish();
    const board = Object.fromEntries(Object.entries(parts).filter(([id]) => !id.startsWith("table-")));
    for (const id of Object.keys(board)) before[id] ??= drawn(id);
    missed.push(...beats({ steps, parts: board }).filter((beat) => beat.text));
    apply(parts);
    reveal(Infinity);
    bar.querySelector("b").textContent = missed.length;
    bar.hidden = !missed.length;
  }

  // Back to how it was, then all that was missed, and at last how it is.
  function again() {
    finish();
    const after = Object.fromEntries(Object.keys(before).map((id) => [id, drawn(id)]));
    queue = [...missed, { touches: [], parts: after }];
    apply(before);
    next();
  }

  const forget = () => ([missed, before, bar.hidden] = [[], {}, true]);
  bar.addEventListener("click", ({ target }) => {
    if (target.value === "show") again();
    if (target.value) forget();
  });
  return { tell, miss, forget, finish, busy: () => queue.length > 0 };
}
