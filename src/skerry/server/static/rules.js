// Search as you type: only what has all the words stays, and headings of what stays.
const [field, none] = ["search", "nothing-found"].map((id) => document.getElementById(id));
const sections = [...document.querySelectorAll(".rules section")];
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

function search() {
  const words = plain(field.value).split(/\s+/).filter(Boolean);
  for (const section of sections) {
    const blocks = [...section.children].slice(1);
    const titled = words.every((word) => plain(section.firstElementChild.textContent).includes(word));
    for (const block of blocks)
      block.hidden = !titled && !words.every((word) => plain(block.textContent).includes(word));
    section.hidden = words.length > 0 && !titled && blocks.every((block) => block.hidden);
  }
  none.hidden = sections.some((section) => !section.hidden);
}

field.closest("[hidden]").hidden = false;
field.addEventListener("input", search);
addEventListener(
  "hashchange",
  () => ((field.value = ""), search(), document.querySelector(":target")?.scrollIntoView()),
);
