// Choosing by touching: each touch on a named thing leaves the actions that touch it, until one is left.
// Which actions there are, and what each touches, the server says; there is no rule and no game in here.

export function chooser(table, act, tell, why) {
  let [chosen, could] = [[], new Set()]; // what is touched, and what could be when something was last offered
  let quiet = false; // while something is being shown, nothing is offered
  let asked = null; // what I am asked in my turn, and what I may do
  const list = () => document.getElementById("table-actions");
  const buttons = () => [...list().querySelectorAll("[data-touches]")];
  const touches = (button) => button.dataset.touches.split("|");
  // Of several things in one touch any will do.
  const fitting = (wanted) =>
    buttons().filter((button) =>
      wanted.every((touch) => touch.split(",").some((one) => touches(button).includes(one))),
    );

  function show() {
    const left = quiet ? [] : fitting(chosen);
    // What has a thing of its own, as a card that is played, is begun with that: nothing else points to it before.
    const begun = chosen.length
      ? []
      : [...table.querySelectorAll("[data-touch^='verb:']")].map((thing) => thing.dataset.touch);
    const can = new Set(
      left.map(touches).flatMap(([verb, ...rest]) => (begun.includes(verb) ? [verb] : [verb, ...rest])),
    );
    if (!quiet) could = can;
    for (const thing of table.querySelectorAll("[data-touch]")) {
      const is = chosen.includes(thing.dataset.touch);
      const may = !is && can.has(thing.dataset.touch);
      for (const [name, on] of [
        ["can", may],
        ["chosen", is],
      ])
        thing.classList.toggle(name, on);
      Object.assign(thing, { tabIndex: may || is ? 0 : -1, ariaDisabled: !may && !is, ariaCurrent: is });
    }
    for (const button of buttons())
      button.classList.toggle("beside", chosen.length > 0 && !left.includes(button));
    if (chosen.length)
      for (const group of list().querySelectorAll("details"))
        group.open = left.some((one) => group.contains(one));
    number();
  }

  // What the digits take: the answer to a question, a choice, or a folded group, which then opens.
  function offered() {
    const answers = document.querySelectorAll("#asking[open] button");
    if (answers.length) return [...answers];
    return [...list().querySelectorAll("[data-touches], details:not([open]) > summary")].filter((one) =>
      one.checkVisibility(),
    );
  }

  function number() {
    for (const one of list().querySelectorAll("[data-key]")) delete one.dataset.key;
    for (const [place, one] of offered().slice(0, 9).entries()) one.dataset.key = place + 1;
  }

  function clear() {
    for (const group of list().querySelectorAll("details[open]")) group.open = false;
    [chosen, could] = [[], new Set()];
    tell("");
    show();
  }

  function pick(touch) {
    if (chosen.includes(touch)) chosen = chosen.filter((one) => one !== touch);
    else if (fitting([...chosen, touch]).length) chosen = [...chosen, touch];
    else if (fitting([touch]).length) chosen = [touch];
    else return explain(touch);
    const left = fitting(chosen);
    tell("");
    if (!chosen.length || left.length === 1) clear();
    if (left.length === 1) act(left[0]);
    show();
  }

  // Nothing can be done with it. The server says why not: it knows the rules.
  function explain(touch) {
    const unfolded = list().querySelector("details[open] [data-touches]");
    tell("");
    why([...(unfolded ? touches(unfolded).slice(0, 1) : []), ...chosen, touch].join("|"));
  }

  // To the nearest thing in a direction: what lies straight ahead is nearer than what lies beside.
  function walk(x, y) {
    const centre = (one) =>
      (({ left, top, width, height }) => [left + width / 2, top + height / 2])(one.getBoundingClientRect());
    const all = [
      ...table.querySelectorAll(
        "[data-touch][tabindex='0'], :is(#asking, #table-actions) :is(button, summary)",
      ),
    ].filter((one) => one.checkVisibility());
    if (!all.includes(document.activeElement)) return all[0]?.focus();
    const [left, top] = centre(document.activeElement);
    const way = (one) => {
      const [over, down] = [centre(one)[0] - left, centre(one)[1] - top];
      const ahead = over * x + down * y;
      return ahead > 2 ? ahead + 2 * Math.abs(over * y + down * x) : Infinity;
    };
    const nearest = all.reduce((best, one) => (way(one) < way(best) ? one : best));
    if (way(nearest) < Infinity) nearest.focus();
  }

  // Whether there is something else to decide now. Another question lets go of what was begun to answer the last.
  function renew(telling) {
    const now = [
      document.querySelector("#table-prompt[data-turn]")?.textContent,
      buttons()
        .map((one) => one.value)
        .join(),
    ];
    const [question, may] = asked ?? now;
    const other = now[0] !== question || now[1] !== may;
    [asked, quiet] = [now, telling];
    if (now[0] !== question || (other && !fitting(chosen).length)) clear();
    else if (other) tell("");
    show();
    return other;
  }

  // What lies on a thing that can be chosen, and cannot be chosen itself, is not in its way. A sign of where things would
  // lead to (data-leads) means what leads there.
  const at = ({ target, clientX, clientY }) =>
    [target, ...document.elementsFromPoint(clientX, clientY)].map((one) =>
      one.closest("[data-touch], [data-leads]"),
    );
  const meant = (event) =>
    at(event).find(
      (one, _, all) =>
        one?.matches(".can, .chosen, [data-leads]") && (one === all[0] || !one.contains(event.target)),
    );

  table.addEventListener("click", (event) => {
    const thing = meant(event) ?? event.target.closest("[data-touch]");
    if (thing && table.dataset.seat) pick(thing.dataset.leads ?? thing.dataset.touch);
  });
  table.addEventListener("toggle", number, true);
  return {
    clear,
    pick,
    meant,
    could: (event) => at(event).some((one) => could.has(one?.dataset.touch)),
    walk,
    renew,
    digit: (place) => offered()[place - 1]?.click(),
  };
}
