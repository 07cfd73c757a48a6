// Calling for attention when it is the reader's turn: by the title and the icon of the page, a tone, a notification.

import { byId } from "./dom.js";
import { setting } from "./settings.js";
import { playTone } from "./tone.js";

const title = document.title;
/** @type {boolean | null} whether it was the reader's turn; null until that is known */
let wasMyTurn = null;

/**
 * @param {boolean} isMyTurn
 * @param {string} text  what a notification says
 */
export function showTurn(isMyTurn, text) {
  document.title = isMyTurn ? `● ${title}` : title;
  byId("icon", HTMLLinkElement).href = isMyTurn ? "/static/icon-turn.svg" : "/static/icon.svg";
  const begins = isMyTurn && wasMyTurn === false;
  wasMyTurn = isMyTurn;
  if (!begins) return;
  if (setting("sound")) playTone();
  if (setting("notice") && document.hidden) notify(text);
}

/** @param {string} text */
function notify(text) {
  if (globalThis.Notification?.permission === "granted") new Notification(title, { body: text, tag: "turn" });
}
