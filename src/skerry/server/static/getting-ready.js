// The page that is shown while a game is compiled: it shows how far that is, and goes on by itself.

import { byId } from "./dom.js";

const INTERVAL = 300; // milliseconds between two questions

const page = byId("getting-ready", HTMLElement);
const bar = byId("getting-ready-bar", HTMLProgressElement);
const count = byId("getting-ready-count", HTMLElement);
const problem = byId("getting-ready-problem", HTMLElement);

/** How far the server is. */
async function ask() {
  const answer = await fetch(`/getting-ready/${page.dataset.gettingReady}`);
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

/**
 * Show how many parts are compiled. Before the total is known, the bar only moves.
 * @param {number} done
 * @param {number} total
 */
function show(done, total) {
  if (!total) return;
  bar.max = total;
  bar.value = done;
  const text = count.dataset.text ?? "";
  count.textContent = text.replace("{done}", String(done)).replace("{total}", String(total));
}

/** Post again what led here, or open the page again. */
function goOn() {
  const form = document.querySelector("#getting-ready-form");
  if (form instanceof HTMLFormElement) form.submit();
  else location.reload();
}

async function look() {
  try {
    const { ready, done, total } = await ask();
    problem.hidden = true;
    show(done, total);
    if (ready) {
      goOn();
      return;
    }
  } catch {
    problem.hidden = false;
  }
  setTimeout(look, INTERVAL);
}

look();
