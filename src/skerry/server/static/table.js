// An open table: hears what happens, shows it, and turns clicks into one of the actions the server allows.
import { chooser } from "./choose.js";
import { keys } from "./keys.js";
import { write } from "./log.js";
import { attention, setting } from "./settings.js";
import { stage } from "./show.js";

const table = document.getElementById("main");
const { match, seat } = table.dataset;
const api = `/api/v1/matches/${match}`;
const [answer, advice, asking, connection, place] = [
  "answer",
  "advice",
  "asking",
  "connection",
  "status",
].map((id) => document.getElementById(id));
let seen = Number(table.dataset.seq);
let wondering = null; // asks anew what has no answer yet

let stream;
let alive = 0; // when the table was last heard of
let cut = false; // whether the line was lost since

function listen() {
  stream?.close();
  const query = new URLSearchParams({ page: "true", since: seen, ...(seat && { seat }) });
  stream = new EventSource(`${api}/stream?${query}`);
  alive = Date.now();
  stream.onopen = () => (connection.hidden = true);
  stream.onmessage = (event) => told(JSON.parse(event.data));
  stream.addEventListener("beat", () => (alive = Date.now()));
  stream.onerror = () => {
    lost();
    if (stream.readyState === EventSource.CLOSED) setTimeout(listen, 2000); // it was refused: begin anew
  };
}

// A device that slept, or lost its network, may hold a line that is dead without knowing it.
addEventListener("offline", () => (stream?.close(), lost()));
addEventListener("online", listen);
setInterval(() => navigator.onLine && Date.now() - alive > 45000 && listen(), 5000);

const lost = () => ([cut, connection.hidden] = [true, false]);

// What did not get through is no news once something does.
const heard = () =>
  [answer, advice].forEach(
    (said) => said.textContent.trim() === table.dataset.failed && said.replaceChildren(),
  );

function told({ seq, steps, parts }) {
  alive = Date.now();
  heard();
  const news = steps.filter((step) => step.seq > seen);
  seen = Math.max(seen, seq);
  write(news, true);
  shown[document.hidden || (cut && news.length) ? "miss" : "tell"]({ steps: news, parts });
  cut &&= !news.length;
}

// What a guide points at is marked; whose turn it is stands in one line for small screens.
function status(telling) {
  const [anew, other] = [wondering, choose.renew(telling)];
  if (other) anew?.();
  const points = document.getElementById("table-guide")?.dataset.points.split(" ") ?? [];
  for (const thing of table.querySelectorAll("[data-touch], [id]"))
    thing.classList.toggle(
      "pointed",
      points.includes(thing.dataset.touch) || points.includes(`#${thing.id}`),
    );
  const who = [...table.querySelectorAll(".sitting.waiting b")].map((name) => name.textContent).join(", ");
  const turn = Boolean(document.querySelector("#table-prompt[data-turn]"));
  place.dataset.now = turn ? place.dataset.yours : who || place.dataset.over;
  attention(turn, place.dataset.yours);
  return other;
}

// A request whose answer is lost is sent again with the same key: it is not played twice.
async function send(path, body) {
  const key = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
  const request = JSON.stringify({
    ...body,
    seat: Number(seat),
    seq: Number(document.getElementById("table-seq").value),
    key,
  });
  for (let attempt = 0; attempt < 4; attempt++) {
    try {
      const reply = await fetch(`${api}/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: request,
      });
      return reply.ok ? null : (await reply.json()).error;
    } catch {
      await new Promise((done) => setTimeout(done, 400 * 2 ** attempt));
    }
  }
  return { message: table.dataset.failed };
}

async function act(path, body) {
  tell("");
  shown.forget();
  const error = await send(path, body);
  if (!error) return;
  answer.textContent = `${error.message} `;
  const link = { href: `/rules/${table.dataset.game}#${error.rule}`, textContent: error.rule };
  if (error.rule) answer.append(Object.assign(document.createElement("a"), link));
}

// A question to the table: its answer is drawn by the server. Once there is something else to decide, it is asked anew.
async function ask(where, path, body) {
  const mine = (wondering = () => ask(where, path, body));
  where.textContent = table.dataset.thinking;
  const reply = await fetch(`/m/${match}/${path}`, {
    method: "POST",
    body: new URLSearchParams({ seat, ...body }),
  }).catch(() => ({}));
  const text = reply.ok ? await reply.text() : table.dataset.failed;
  if (shown.busy()) shown.finish(); // the answer is about how it is now
  if (wondering === mine) [where.innerHTML, wondering] = [text, null];
}

// What shows something hidden is asked about first: nobody can take it back.
function decide(button) {
  if (!("asks" in button.dataset) || !setting("ask")) return act("actions", { action: button.value });
  const { value, textContent } = button;
  Object.assign(asking.querySelector("button"), { value, textContent });
  asking.show();
}

function tell(text) {
  wondering = null;
  asking.close();
  answer.textContent = text;
  advice.replaceChildren();
}

const choose = chooser(table, decide, tell, (touches) => ask(answer, "why", { touches }));
const shown = stage(table, status);
keys(table, choose, shown);
answer.addEventListener("click", choose.clear);

document.getElementById("act").addEventListener("submit", (event) => {
  event.preventDefault();
  const button = event.submitter;
  choose.clear();
  if (button.name === "undo") act("undo", {});
  else if (button.name === "action") decide(button);
  else if (button.name === "advice") ask(advice, "advice");
});

status(false);
listen();
