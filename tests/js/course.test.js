import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { drawCurves, moveNow, placeOf, valuesAt } from "../../src/skerry/server/static/course.js";
import { openPage } from "./page.js";

const together = { seat: null, title: "Diver", values: [0.5, 0.75, 0] };
const mark = { step: 1, at: 0, kind: "luck", value: 0.75, label: "Good luck" };
/** @type {import("../../src/skerry/server/static/course.js").Course} */
const course = { unit: "chance", top: 1, curves: [together], moments: [mark] };

beforeEach(() => openPage("<div></div>"));

test("a curve goes from the left to the right, and high values are up", () => {
  const line = drawCurves(course).querySelector(".line");
  assert.equal(line?.getAttribute("points"), "0,50 500,25 1000,100");
});

test("the curves of rivals are lines without an area, told apart by their seats", () => {
  const rivals = [0, 1].map((seat) => ({ seat, title: `seat ${seat}`, values: [0.5, seat] }));
  const drawing = drawCurves({ ...course, curves: rivals });
  assert.equal(drawing.querySelectorAll(".area").length, 0);
  assert.equal(drawing.querySelectorAll(".line.of-0, .line.of-1").length, 2);
  assert.equal(valuesAt({ ...course, curves: rivals }, 1), "seat 0 0 % · seat 1 100 %");
});

test("a mark lies on its curve", () => {
  assert.deepEqual(placeOf(course, mark), { left: 50, top: 25 });
});

test("points are said as points, and a step after the end as the end", () => {
  assert.equal(
    valuesAt({ ...course, unit: "points", top: 9, curves: [{ ...together, values: [3.25] }] }, 7),
    "3.3",
  );
});

test("the line of the present step moves", () => {
  const drawing = drawCurves(course);
  moveNow(drawing, 1, 2);
  assert.equal(drawing.querySelector(".now")?.getAttribute("x1"), "500");
});
