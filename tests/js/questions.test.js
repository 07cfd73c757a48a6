import assert from "node:assert/strict";
import { test } from "node:test";

import { Choice } from "../../src/skerry/server/static/choice.js";
import { find, offer, openPage } from "./page.js";

test("an action whose button has a question is asked about, also if nothing else can be done", () => {
  openPage();
  const choice = new Choice(find("#main"), { perform() {}, dismiss() {}, explain() {} });
  offer({ "blast a": "verb:blast|place:a", "blast b": "verb:blast|place:b" });
  const [wasted, useful] = document.querySelectorAll("#table-actions button");
  /** @type {HTMLButtonElement} */ (wasted).dataset.ask = "No sand there. Anyway?";
  assert.equal(choice.questionBefore(/** @type {HTMLButtonElement} */ (wasted)), "No sand there. Anyway?");
  assert.equal(choice.questionBefore(/** @type {HTMLButtonElement} */ (useful)), undefined);
});
