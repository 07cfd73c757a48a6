// What happened, in words: the newest on top, and said once to who cannot see it.
const log = document.getElementById("log");

export function write(steps) {
  const news = steps.flatMap(({ seq, words }) => words.map((textContent) => ({ seq, textContent })));
  for (const { seq, textContent } of news) {
    log.prepend(Object.assign(document.createElement("li"), { textContent }));
    log.firstElementChild.dataset.seq = seq;
  }
  if (news.length) document.getElementById("news").textContent = news.map((line) => line.textContent).join(". ");
}
