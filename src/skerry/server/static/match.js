// The page of a match: it shows what happens, and turns clicks and keys into the actions that the server allows.

import { Choice } from "./choice.js";
import { Connection } from "./connection.js";
import { byId } from "./dom.js";
import { markPointedAt } from "./guide.js";
import { listenToKeys } from "./keyboard.js";
import { addToLog } from "./log.js";
import { MissedEvents } from "./missed.js";
import { Notices } from "./notices.js";
import { Playback } from "./playback.js";
import { chooseByClicks, skipByClicks } from "./pointer.js";
import { postOnce } from "./requests.js";
import { pace, setting } from "./settings.js";
import { showStatus } from "./status.js";

const table = byId("main", HTMLElement);
const { match = "", seat = "", game = "", thinking = "", failed = "" } = table.dataset;
const api = `/api/v1/matches/${match}`;
const kinds = JSON.parse(table.dataset.kinds ?? "{}");

const playback = new Playback(table, { kinds, pace, refresh });
const missed = new MissedEvents(playback, kinds);
const notices = new Notices({ match, seat, game, thinking, failed, beforeAnswer: finishPlayback });
const choice = new Choice(table, {
  perform: decide,
  dismiss: () => notices.dismiss(),
  explain: (touches) => notices.askWhyNot(touches),
});
const connection = new Connection({
  address: streamAddress,
  since: Number(table.dataset.seq),
  banner: byId("connection", HTMLElement),
  receive,
});

/** @param {number} since */
function streamAddress(since) {
  const query = new URLSearchParams({ page: "true", since: String(since) });
  if (seat) query.set("seat", seat);
  return `${api}/stream?${query}`;
}

/** @type {import("./connection.js").ConnectionOptions["receive"]} */
function receive(message, wasLost) {
  notices.dismissFailures();
  addToLog(message.steps, true);
  if (document.hidden || wasLost) missed.record(message);
  else playback.play(message);
}

/**
 * After the page has changed.
 * @param {boolean} playing  whether events are being shown
 * @returns {boolean} whether there is something else to decide
 */
function refresh(playing) {
  const askAgain = notices.pending;
  const changed = choice.refresh(playing);
  if (changed) askAgain?.();
  markPointedAt(table);
  showStatus(table);
  return changed;
}

/** An answer is about how the match stands: the page must show that too. */
function finishPlayback() {
  if (playback.playing) playback.finish();
}

/**
 * Do an action, or first ask about it if it reveals hidden information.
 * @param {HTMLButtonElement} button
 */
function decide(button) {
  const asks = "asks" in button.dataset && setting("ask");
  if (asks) notices.confirm(button);
  else act("actions", { action: button.value });
}

/**
 * @param {string} path
 * @param {Record<string, string>} body
 */
async function act(path, body) {
  notices.dismiss();
  missed.forget();
  const seq = Number(byId("table-seq", HTMLInputElement).value);
  const problem = await postOnce(`${api}/${path}`, { ...body, seat: Number(seat), seq });
  if (problem !== null) notices.showProblem(problem);
}

/** @param {SubmitEvent} event */
function submit(event) {
  event.preventDefault();
  const button = /** @type {HTMLButtonElement} */ (event.submitter);
  choice.clear();
  if (button.name === "undo") act("undo", {});
  else if (button.name === "action") decide(button);
  else if (button.name === "advice") notices.askForAdvice();
}

notices.onClose(() => choice.clear());
byId("act", HTMLFormElement).addEventListener("submit", submit);
skipByClicks(table, choice, playback);
chooseByClicks(table, choice);
listenToKeys(table, choice, playback);
refresh(false);
connection.start();
