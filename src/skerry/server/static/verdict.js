// The end of a match says what decided it, once the match was analysed.

const main = /** @type {HTMLElement} */ (document.getElementById("main"));
const result = document.getElementById("table-result");
/** @type {Promise<string[]> | undefined} */
let asked;

/**
 * Ask what decided the match.
 * @param {string} url
 * @returns {Promise<string[]>} sentences; none if it was not analysed
 */
async function ask(url) {
  const { seat } = main.dataset;
  try {
    const reply = await fetch(seat === undefined ? url : `${url}?seat=${seat}`);
    return reply.ok ? (await reply.json()).sentences : [];
  } catch {
    return [];
  }
}

/** Put the verdict where the offer to analyse is. */
async function show() {
  const offer = /** @type {HTMLElement | null} */ (result?.querySelector("[data-verdict]"));
  const form = offer?.querySelector("form");
  if (!offer || !form || offer.querySelector(".said")) return;
  asked ??= ask(offer.dataset.verdict ?? "");
  const sentences = await asked;
  if (!sentences.length || offer.querySelector(".said")) return;
  const said = sentences.map((sentence) => {
    const line = document.createElement("p");
    line.className = "said";
    line.textContent = sentence;
    return line;
  });
  form.before(...said);
  form.hidden = true;
}

if (result) {
  new MutationObserver(show).observe(result, { childList: true, subtree: true });
  show();
}
