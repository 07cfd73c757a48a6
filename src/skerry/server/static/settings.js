// Settings that a person makes for this browser. They are kept in its storage, if that is allowed.

import { all } from "./dom.js";
import { post } from "./requests.js";
import { playTone } from "./tone.js";

/** @typedef {HTMLInputElement | HTMLSelectElement} Field */

/** @type {Record<string, number>} milliseconds for an event */
const PACES = { slow: 900, normal: 400, fast: 180, off: 0 };
const TRANSITION = 0.75; // of the time for an event

const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
export const storage = openStorage();
const fields = new Map(
  all("[data-setting]").map((field) => [field.dataset.setting ?? "", /** @type {Field} */ (field)]),
);

/**
 * What a setting does at once. `byHand` says whether the person has just changed it, or whether the page was opened.
 * @type {Record<string, (value: string | boolean, byHand: boolean) => void>}
 */
const effects = {
  theme: (value) => setTheme(String(value)),
  speed: () => document.documentElement.style.setProperty("--pace", `${TRANSITION * pace()}ms`),
  sound: (on, byHand) => {
    if (on && byHand) playTone();
  },
  notice: (on, byHand) => {
    if (on && byHand) globalThis.Notification?.requestPermission();
  },
};

for (const [name, field] of fields) {
  restore(name, field);
  effects[name]?.(setting(name), false);
  field.addEventListener("change", () => {
    storage[keyOf(name)] = String(setting(name));
    effects[name]?.(setting(name), true);
  });
}

// Settings that belong to the person, whatever browser they use, are kept by the server.
for (const field of all("[data-profile]")) {
  field.addEventListener("change", () => {
    const { value } = /** @type {HTMLSelectElement} */ (field);
    post("/api/v1/me", { [field.dataset.profile ?? ""]: value !== "" }, "PATCH");
  });
}

/**
 * @param {string} name
 * @returns {string | boolean}
 */
export function setting(name) {
  const field = fields.get(name);
  if (!field) throw new Error(`There is no setting ${name}.`);
  return isCheckbox(field) ? field.checked : field.value;
}

/**
 * Whether to ask before an action of a kind that reveals hidden information: by default only the first time.
 * @param {string} kind
 */
export function asksBefore(kind) {
  const when = setting("ask");
  return when === "always" || (when === "once" && !storage[keyOf(`asked-${kind}`)]);
}

/**
 * Note that a person has been asked before an action of a kind, and has gone on.
 * @param {string} kind
 */
export function noteAsked(kind) {
  storage[keyOf(`asked-${kind}`)] = "true";
}

/** Milliseconds for an event; 0 if events are not shown one by one. */
export function pace() {
  return reducedMotion.matches ? 0 : (PACES[String(setting("speed"))] ?? 0);
}

/** @param {string} theme */
function setTheme(theme) {
  const root = document.documentElement;
  if (theme === "auto") delete root.dataset.theme;
  else root.dataset.theme = theme;
}

/**
 * Set a field to what was stored, if that is still one of its values.
 * @param {string} name
 * @param {Field} field
 */
function restore(name, field) {
  const stored = storage[keyOf(name)];
  if (!stored) return;
  if (isCheckbox(field)) field.checked = stored === "true";
  else if (field.querySelector(`[value="${CSS.escape(stored)}"]`)) field.value = stored;
}

/**
 * @param {Field} field
 * @returns {field is HTMLInputElement}
 */
function isCheckbox(field) {
  return field.type === "checkbox";
}

/** @param {string} name */
function keyOf(name) {
  return `skerry-${name}`;
}

/**
 * The browser's storage; where that is forbidden, settings hold until the page is left.
 * @returns {Record<string, string>}
 */
function openStorage() {
  try {
    return localStorage;
  } catch {
    return {};
  }
}
