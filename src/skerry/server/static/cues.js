// Cues: a message from the stream, taken apart so that its events can be shown one after another.

/** @typedef {import("./connection.js").Step} Step */
/** @typedef {import("./connection.js").GameEvent} GameEvent */

/**
 * What each argument of a kind of event is, as `place` or `pawn`: by the event's name, then by the argument's.
 * @typedef {Record<string, Record<string, string>>} EventKinds
 */

/**
 * What is shown together: an event, and the parts of the page that change with it.
 * @typedef {object} Cue
 * @property {string} [text]  the event in words
 * @property {string[]} touches  what the event names
 * @property {string} [from]  where something moves from
 * @property {string} [to]  where it moves to
 * @property {boolean} [isBehind]  whether the page may say of the table what is true only some steps later
 * @property {Record<string, string>} parts  markup by the id of its element
 */

/**
 * One cue for each event. A part of the board changes with the last event that names something on it, or the place
 * where it stands; all else changes with the last event.
 * @param {{ steps: Step[], parts: Record<string, string> }} message
 * @param {EventKinds} kinds
 * @returns {Cue[]}
 */
export function cuesOf({ steps, parts }, kinds) {
  const cues = steps.flatMap(({ words, events = [] }) =>
    words.map((text, index) => cueOf(text, events[index], kinds)),
  );
  const last = cues.at(-1);
  if (!last) return [{ touches: [], parts }];
  if (steps.length > 1) for (const cue of cues.slice(0, -1)) cue.isBehind = true;
  for (const [id, html] of Object.entries(parts)) {
    const naming = isOfTable(id) ? undefined : cues.findLast((cue) => isNamedIn(html, cue.touches));
    (naming ?? last).parts[id] = html;
  }
  return cues;
}

/**
 * Whether a part belongs to the table around the game, as the prompt does, and not to the game.
 * @param {string} id
 */
export function isOfTable(id) {
  return id.startsWith("table-");
}

/**
 * @param {string} html
 * @param {string[]} touches
 */
function isNamedIn(html, touches) {
  return touches.some((touch) =>
    ["touch", "stands"].some((attribute) => html.includes(`data-${attribute}="${touch}"`)),
  );
}

/**
 * @param {string} text
 * @param {GameEvent | undefined} event
 * @param {EventKinds} kinds
 * @returns {Cue}
 */
function cueOf(text, event, kinds) {
  const named = namedBy(event, kinds);
  const target = named.find(({ name }) => name === "to");
  const to = target?.touches[0];
  const source = to ? named.find(({ name, kind }) => name !== "to" && kind === target?.kind) : undefined;
  return {
    text,
    touches: named.flatMap(({ touches }) => touches),
    from: source?.touches[0],
    to,
    parts: {},
  };
}

/**
 * The things that an event names, argument by argument.
 * @param {GameEvent | undefined} event
 * @param {EventKinds} kinds
 */
function namedBy(event, kinds) {
  if (!event) return [];
  return Object.entries(kinds[event.event] ?? {}).map(([name, kind]) => {
    const slugs = [event[name] ?? []].flat();
    return { name, kind, touches: slugs.map((slug) => `${kind}:${slug}`) };
  });
}
