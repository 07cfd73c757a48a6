// The lobby: open tables come and go while it is being looked at.

import { morphParts } from "./morph.js";

const INTERVAL = 4000; // milliseconds between two questions
const TABLES = "open-tables";

async function refresh() {
  if (document.hidden) return;
  try {
    const answer = await fetch(`/lobby/${TABLES}`);
    if (answer.ok) morphParts({ [TABLES]: await answer.text() });
  } catch {
    // without a network they stay as they are
  }
}

setInterval(refresh, INTERVAL);
addEventListener("visibilitychange", refresh);
