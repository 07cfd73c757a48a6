// The course of a match as a curve: the value of each step, with marks where something mattered.

const SVG = "http://www.w3.org/2000/svg";
const WIDTH = 1000;
const HEIGHT = 100;

/**
 * A curve: the values of one seat, or of all together if `seat` is null.
 * @typedef {{ seat: number | null, title: string, values: number[] }} Curve
 */

/**
 * A moment that is marked: `at` is the step to look at.
 * @typedef {{ step: number, at: number, kind: string, value: number, label: string }} Mark
 */

/**
 * What is drawn. Values go from 0 to `top`; a chance is shown in per cent.
 * @typedef {{ unit: "chance" | "points", top: number, curves: Curve[], moments: Mark[] }} Course
 */

/**
 * Draw the curves as an SVG, which screen readers skip: the same is in a table.
 * @param {Course} course
 */
export function drawCurves(course) {
  const drawing = element("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" });
  drawing.setAttribute("aria-hidden", "true");
  drawing.append(element("line", { class: "half", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }));
  for (const { seat, values } of course.curves) {
    const points = values.map((value, step) => {
      return `${round(WIDTH * along(step, values.length - 1))},${round(HEIGHT * down(value, course.top))}`;
    });
    if (seat === null) {
      const area = `0,${HEIGHT} ${points.join(" ")} ${WIDTH},${HEIGHT}`;
      drawing.append(element("polygon", { class: "area", points: area }));
    }
    drawing.append(
      element("polyline", { class: seat === null ? "line" : `line of-${seat}`, points: points.join(" ") }),
    );
  }
  drawing.append(element("line", { class: "now", x1: 0, x2: 0, y1: 0, y2: HEIGHT }));
  return drawing;
}

/**
 * Where a mark lies, in per cent of the drawing.
 * @param {Course} course
 * @param {Mark} mark
 */
export function placeOf(course, mark) {
  const last = (course.curves[0]?.values.length ?? 1) - 1;
  return { left: 100 * along(mark.step, last), top: 100 * down(mark.value, course.top) };
}

/**
 * The values of all curves at a step, in words.
 * @param {Course} course
 * @param {number} step
 */
export function valuesAt(course, step) {
  const texts = course.curves.map(({ seat, title, values }) => {
    const value = values[Math.min(step, values.length - 1)] ?? 0;
    const text = course.unit === "chance" ? `${Math.round(100 * value)} %` : value.toFixed(1);
    return seat === null ? text : `${title} ${text}`;
  });
  return texts.join(" · ");
}

/**
 * Move the line that shows the present step.
 * @param {Element} drawing
 * @param {number} step
 * @param {number} last
 */
export function moveNow(drawing, step, last) {
  const x = String(round(WIDTH * along(step, last)));
  drawing.querySelector(".now")?.setAttribute("x1", x);
  drawing.querySelector(".now")?.setAttribute("x2", x);
}

/**
 * @param {number} step
 * @param {number} last
 */
function along(step, last) {
  return last > 0 ? step / last : 0;
}

/**
 * @param {number} value
 * @param {number} top
 */
function down(value, top) {
  return 1 - Math.max(0, Math.min(1, value / top));
}

/** @param {number} value */
function round(value) {
  return Math.round(value * 10) / 10;
}

/**
 * @param {string} name
 * @param {Record<string, string | number>} attributes
 */
function element(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}
