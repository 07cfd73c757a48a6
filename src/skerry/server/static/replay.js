// The page of a replay: fetches what leads from the shown step to the wanted one, and morphs the page. Whoever follows
// it listens to the event `shown` of #at.

import { all, byId } from "./dom.js";
import { addToLog } from "./log.js";
import { morphParts } from "./morph.js";

const AUTOPLAY_PACE = 1100; // milliseconds

const { match = "", seat = "" } = byId("main", HTMLElement).dataset;
const slider = byId("at", HTMLInputElement);
const autoplay = byId("autoplay", HTMLButtonElement);
const last = Number(slider.max);

let shown = Number(slider.defaultValue);
let wanted = shown;
let fetching = false;
/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;

/**
 * The step that each key leads to.
 * @type {Record<string, () => number>}
 */
const targets = {
  ArrowLeft: () => wanted - 1,
  ArrowRight: () => wanted + 1,
  Home: () => 0,
  End: () => last,
};

/**
 * A step of the replay as it leads from another.
 * @typedef {object} Frame
 * @property {number} at
 * @property {string} prompt
 * @property {string[]} words
 * @property {Record<string, string>} parts
 */

/**
 * Go to a step. If another one is wanted while a step is being fetched, go on to that.
 * @param {number} step
 */
export async function goTo(step) {
  wanted = Math.max(0, Math.min(last, step));
  slider.value = String(wanted);
  byId("count", HTMLElement).textContent = `${wanted} / ${last}`;
  if (fetching) return;
  fetching = true;
  try {
    while (shown !== wanted) {
      const query = new URLSearchParams({ at: String(wanted), was: String(shown), seat });
      const reply = await fetch(`/m/${match}/replay/frame?${query}`);
      if (!reply.ok) break;
      show(await reply.json());
    }
  } finally {
    fetching = false; // also without a network: the next touch tries again
  }
}

/** @param {Frame} frame */
function show({ at, prompt, words, parts }) {
  morphParts(parts);
  byId("prompt", HTMLElement).textContent = prompt;
  for (const line of all("#log li")) {
    if (Number(line.dataset.seq) > at) line.remove();
  }
  if (at > shown) addToLog([{ seq: at, words }]);
  shown = at;
  history.replaceState(null, "", `?${new URLSearchParams({ at: String(at), seat })}`);
  for (const field of all("input[name=at]")) /** @type {HTMLInputElement} */ (field).value = String(at);
  byId("play-on", HTMLButtonElement).disabled = at === last;
  slider.dispatchEvent(new CustomEvent("shown", { detail: at }));
}

/** @param {boolean} on */
function setAutoplay(on) {
  if (on && wanted === last) goTo(0);
  clearInterval(timer);
  timer = on ? setInterval(advance, AUTOPLAY_PACE) : undefined;
  autoplay.textContent = (on ? autoplay.dataset.pause : autoplay.dataset.play) ?? "";
}

function advance() {
  if (wanted >= last) setAutoplay(false);
  else if (!fetching) goTo(wanted + 1);
}

/**
 * Do what a key does, if it does something.
 * @param {Event} event
 * @param {string | undefined} key
 */
function press(event, key = "") {
  const target = targets[key];
  if (!target && key !== " ") return;
  event.preventDefault();
  if (!target) {
    setAutoplay(timer === undefined);
    return;
  }
  setAutoplay(false);
  goTo(target());
}

autoplay.hidden = false;
slider.addEventListener("input", () => {
  setAutoplay(false);
  goTo(Number(slider.value));
});
byId("steps", HTMLElement).addEventListener("click", (event) => {
  press(event, /** @type {HTMLElement} */ (event.target).dataset.key);
});
byId("seen-by", HTMLSelectElement).addEventListener("change", (event) => {
  /** @type {HTMLSelectElement} */ (event.target).form?.requestSubmit();
});
addEventListener("keydown", (event) => {
  const target = /** @type {HTMLElement} */ (event.target);
  const isCommand = event.ctrlKey || event.metaKey || event.altKey;
  if (!isCommand && !target.closest("input, select, button, a")) press(event, event.key);
});
goTo(Number(slider.value)); // it may have been moved before this script was loaded
