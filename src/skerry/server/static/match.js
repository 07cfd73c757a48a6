// The page of a match: it shows what happens, and turns clicks and keys into the actions that the server allows.

import { actionButtons } from "./actions.js";
import { Choice } from "./choice.js";
import { Connection } from "./connection.js";
import { byId, thingsWith } from "./dom.js";
import { chooseByDrags } from "./drag.js";
import { markPointedAt } from "./guide.js";
import { Handover } from "./handover.js";
import { listenToKeys } from "./keyboard.js";
import { addToLog } from "./log.js";
import { MissedEvents } from "./missed.js";
import { Moment } from "./moment.js";
import { morphParts } from "./morph.js";
import { Notices } from "./notices.js";
import { Playback } from "./playback.js";
import { chooseByClicks, ignoreDoubleClicks, skipByClicks } from "./pointer.js";
import { postOnce } from "./requests.js";
import { asksBefore, noteAsked, pace } from "./settings.js";
import { showStatus } from "./status.js";

const table = byId("main", HTMLElement);
const { match = "", seat = "", game = "", thinking = "", failed = "" } = table.dataset;
const api = `/api/v1/matches/${match}`;
const kinds = JSON.parse(table.dataset.kinds ?? "{}");

const playback = new Playback(table, { kinds, pace, refresh });
const missed = new MissedEvents(playback, kinds);
const notices = new Notices({ match, seat, game, thinking, failed, beforeAnswer: finishPlayback });
const moment = new Moment({
  url: `${api}/time`,
  now: Number(table.dataset.now),
  refused: (problem) => notices.showProblem(problem),
});
const choice = new Choice(table, {
  perform: decideByTouch,
  dismiss: () => notices.dismiss(),
  explain: (touches) => notices.askWhyNot(touches),
});
const handover = new Handover(table);
/** @type {{ action: string, seq: number } | null} what is to be done once more when the step after seq is shown */
let again = null;
/** @type {number | null} the step that was shown when something was sent to be done, until it is refused */
let sentAt = null;
/** @type {string | null} a thing that was touched once more while something was being done */
let waiting = null;
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
  showMoment(message.parts);
  if (document.hidden || wasLost) missed.record(message);
  else playback.play(message);
}

/**
 * Show at once who has how much time, and not with the events of a message: it runs while they are being shown.
 * @param {Record<string, string>} parts
 */
function showMoment(parts) {
  const { "table-moment": part } = parts;
  if (part === undefined) return;
  delete parts["table-moment"];
  morphParts({ "table-moment": part });
  moment.refresh();
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
  if (!playing) goOn();
  moment.refresh();
  markPointedAt(table);
  showStatus(table);
  handover.refresh(playing);
  return changed;
}

/** An answer is about how the match stands: the page must show that too. */
function finishPlayback() {
  if (playback.playing) playback.finish();
}

/**
 * Do what a touch means. What is touched again and again waits until what was done before is shown.
 * @param {HTMLButtonElement} button
 * @param {number} times
 * @param {HTMLElement} thing
 */
function decideByTouch(button, times, thing) {
  if (isSending() && thing.dataset.cycle) waiting = thing.dataset.touch ?? null;
  else decide(button, times);
}

/**
 * Do an action, or first ask about it if it reveals hidden information, or if something else was to be done before.
 * @param {HTMLButtonElement} button
 * @param {number} [times]
 */
function decide(button, times = 1) {
  const isSure = button.closest("#confirmation") !== null;
  const question = isSure ? undefined : choice.questionBefore(button);
  const kind = `${game}-${button.value.split(" ")[0]}`;
  if (isSure) noteAsked(kind);
  const reveals = "confirm" in button.dataset && asksBefore(kind);
  if (question !== undefined || reveals) {
    notices.confirm(button, question);
    return;
  }
  again = times > 1 ? { action: button.value, seq: currentSeq() } : null;
  act("actions", { action: button.value });
}

/** Once what was done is shown, do what is to be done after it. */
function goOn() {
  if (again && again.seq !== currentSeq()) {
    const { action } = again;
    again = null;
    if (actionButtons().some(({ value }) => value === action)) act("actions", { action });
  }
  if (waiting && !isSending()) {
    const [thing] = thingsWith(table, [waiting]);
    waiting = null;
    if (thing) choice.touch(thing);
  }
}

/** Whether something is being done whose end is not shown yet. */
function isSending() {
  return sentAt === currentSeq();
}

/** The step that the page shows. */
function currentSeq() {
  return Number(byId("table-seq", HTMLInputElement).value);
}

/**
 * Send something to be done, one thing at a time.
 * @param {string} path
 * @param {Record<string, string>} body
 */
async function act(path, body) {
  if (isSending()) return;
  notices.dismiss();
  missed.forget();
  handover.expect();
  sentAt = currentSeq();
  const problem = await postOnce(`${api}/${path}`, { ...body, seat: Number(seat), seq: sentAt });
  if (problem === null) return;
  sentAt = null;
  again = null;
  waiting = null;
  notices.showProblem(problem);
}

/** @param {SubmitEvent} event */
function submit(event) {
  event.preventDefault();
  const button = /** @type {HTMLButtonElement} */ (event.submitter);
  if (button.name === "action" && choice.isSettling(button)) return;
  if (button.name === "time") {
    moment.send(button);
    return;
  }
  choice.clear();
  if (button.name === "undo") act("undo", {});
  else if (button.name === "action") decide(button);
  else if (button.name === "advice") notices.askForAdvice();
}

notices.onClose(() => choice.clear());
byId("act", HTMLFormElement).addEventListener("submit", submit);
ignoreDoubleClicks(table);
chooseByDrags(table, choice, playback);
skipByClicks(table, choice, playback);
chooseByClicks(table, choice);
listenToKeys(table, choice, playback);
refresh(false);
connection.start();
