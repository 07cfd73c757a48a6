// A replay: fetches what leads from the shown step to the wanted one, and morphs the page.
import { write } from "./log.js";
import { redraw } from "./morph.js";

const { match, seat } = document.getElementById("main").dataset;
const [slider, play] = ["at", "autoplay"].map((id) => document.getElementById(id));
const last = Number(slider.max);
let shown = Number(slider.value);
let [wanted, busy, timer] = [shown, false, 0];

async function show(at) {
  wanted = Math.max(0, Math.min(last, at));
  slider.value = wanted;
  document.getElementById("count").textContent = `${wanted} / ${last}`;
  if (busy) return;
  busy = true;
  while (shown !== wanted) {
    const reply = await fetch(
      `/m/${match}/replay/frame?${new URLSearchParams({ at: wanted, was: shown, seat })}`,
    );
    if (!reply.ok) break;
    turn(await reply.json());
  }
  busy = false;
}

function turn({ at, prompt, words, parts }) {
  redraw(parts);
  document.getElementById("prompt").textContent = prompt;
  for (const line of document.querySelectorAll("#log li")) if (line.dataset.seq > at) line.remove();
  if (at > shown) write([{ seq: at, words }]);
  shown = at;
  history.replaceState(null, "", `?${new URLSearchParams({ at, seat })}`);
  for (const field of document.querySelectorAll("input[name=at]")) field.value = at;
  document.getElementById("play-on").disabled = at === last;
}

function run(on) {
  if (on && wanted === last) show(0);
  clearInterval(timer);
  timer = on ? setInterval(() => (wanted < last ? busy || show(wanted + 1) : run(false)), 1100) : 0;
  play.textContent = on ? play.dataset.pause : play.dataset.play;
}

const ways = { ArrowLeft: () => wanted - 1, ArrowRight: () => wanted + 1, Home: () => 0, End: () => last };
function go(event, way) {
  if (!ways[way] && way !== " ") return;
  event.preventDefault();
  if (way === " ") return run(!timer);
  run(false);
  show(ways[way]());
}

play.hidden = false;
slider.addEventListener("input", () => (run(false), show(Number(slider.value))));
document.getElementById("steps").addEventListener("click", (event) => go(event, event.target.dataset.key));
document.getElementById("seen-by").addEventListener("change", (event) => event.target.form.requestSubmit());
addEventListener("keydown", (event) => {
  const typing =
    event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, button, a");
  if (!typing) go(event, event.key);
});
