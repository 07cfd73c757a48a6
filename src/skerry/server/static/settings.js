// What a person sets for this browser, and how the page calls for attention.
const fields = Object.fromEntries(
  [...document.querySelectorAll("[data-setting]")].map((field) => [field.dataset.setting, field]),
);
const still = matchMedia("(prefers-reduced-motion: reduce)");
const root = document.documentElement;
const title = document.title;
let mine = null; // whether it is my turn; not known at first

export const setting = (name) =>
  fields[name].type === "checkbox" ? fields[name].checked : fields[name].value;
export const pace = () =>
  still.matches ? 0 : { slow: 900, normal: 400, fast: 180, off: 0 }[setting("speed")];

const use = {
  theme: (value) => (value === "auto" ? delete root.dataset.theme : (root.dataset.theme = value)),
  speed: () => root.style.setProperty("--pace", `${0.75 * pace()}ms`),
  sound: (on, asked) => on && asked && tone(),
  notice: (on, asked) => on && asked && globalThis.Notification?.requestPermission(),
};

let kept = {}; // storage may be forbidden: then a setting holds for this page
try {
  kept = localStorage;
} catch {}

for (const [name, field] of Object.entries(fields)) {
  const was = kept[`skerry-${name}`];
  if (field.type === "checkbox") field.checked = was ? was === "true" : field.checked;
  else if (field.querySelector(`[value="${CSS.escape(was)}"]`)) field.value = was;
  use[name]?.(setting(name), false);
  field.addEventListener("change", () => {
    kept[`skerry-${name}`] = setting(name);
    use[name]?.(setting(name), true);
  });
}

// Two notes, a third apart, that come and go softly.
function tone() {
  const audio = new AudioContext();
  const [voice, loud] = [audio.createOscillator(), audio.createGain()];
  for (const [note, at] of [
    [523, 0],
    [659, 0.14],
  ])
    voice.frequency.setValueAtTime(note, at);
  for (const [level, at] of [
    [0.0001, 0],
    [0.08, 0.04],
    [0.0001, 0.5],
  ])
    loud.gain.exponentialRampToValueAtTime(level, at);
  voice.connect(loud).connect(audio.destination);
  voice.onended = () => audio.close();
  voice.start();
  voice.stop(0.5);
}

export function attention(now, words) {
  document.title = now ? `● ${title}` : title;
  document.getElementById("icon").href = `/static/icon${now ? "-turn" : ""}.svg`;
  const called = now && mine === false;
  mine = now;
  if (called && setting("sound")) tone();
  if (called && setting("notice") && document.hidden && globalThis.Notification?.permission === "granted")
    new Notification(title, { body: words, tag: "turn" });
}
