// Requests to the server about a match.

const ATTEMPTS = 4;
const FIRST_WAIT = 400; // milliseconds; doubled after each attempt

/**
 * Why an action was refused: in the reader's language, with the rule of the game that says so.
 * @typedef {{ message: string, rule?: string | null }} Problem
 */

/**
 * Send something to be done. If the answer is lost, the same is sent again with the same key, and the server does it
 * once only.
 * @param {string} url
 * @param {Record<string, unknown>} body
 * @returns {Promise<Problem | null | undefined>} null if it is done, undefined if there was no answer
 */
export function postOnce(url, body) {
  const key = crypto.randomUUID?.() ?? `${Date.now()}-${Math.random()}`;
  return post(url, { ...body, key });
}

/**
 * Send something that does no harm if the server gets it twice.
 * @param {string} url
 * @param {Record<string, unknown>} body
 * @param {string} [method]
 * @returns {Promise<Problem | null | undefined>} null if it is done, undefined if there was no answer
 */
export async function post(url, body, method = "POST") {
  const request = {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  };
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    try {
      const reply = await fetch(url, request);
      return reply.ok ? null : (await reply.json()).error;
    } catch {
      await sleep(FIRST_WAIT * 2 ** attempt);
    }
  }
  return undefined;
}

/**
 * Ask a question that the server answers in HTML.
 * @param {string} url
 * @param {Record<string, string>} fields
 * @returns {Promise<string | undefined>} undefined if there was no answer
 */
export async function fetchAnswer(url, fields) {
  try {
    const reply = await fetch(url, { method: "POST", body: new URLSearchParams(fields) });
    return reply.ok ? await reply.text() : undefined;
  } catch {
    return undefined;
  }
}

/** @param {number} time */
function sleep(time) {
  return new Promise((resolve) => {
    setTimeout(resolve, time);
  });
}
