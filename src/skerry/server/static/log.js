// What happened, in words: the newest on top, and said once to who cannot see it.
const log = document.getElementById("log");

export function write(steps, later = false) {
  const news = steps.flatMap(({ seq, words }) => words.map((textContent) => ({ seq, textContent })));
  for (const { seq, textContent } of news) {
    log.prepend(Object.assign(document.createElement("li"), { textContent, hidden: later }));
    log.firstElementChild.dataset.seq = seq;
  }
  if (news.length)
    document.getElementById("news").textContent = news.map((line) => line.textContent).join(". ");
}

// Lines that were held back until the board shows what they tell of, the oldest first.
export function reveal(count) {
  const held = [...log.querySelectorAll("[hidden]")];
  for (const line of held.slice(Math.max(0, held.length - count))) line.hidden = false;
}
