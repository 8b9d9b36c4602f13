// The picture of an explanation: the states that its claims pass, and the steps between them.
//
// It has what is unfolded in the tree and nothing else, so that it grows with the tree; a claim that is chosen lights up
// its run.

import { el } from "./dom.js";
import { svg } from "./live_chart.js";

const ROW = 40;
const MOST = 60;

/** The runs of the claims that are unfolded below an element, outermost first. */
const shownRuns = (tree) => [...tree.querySelectorAll(".run")].filter((it) => !it.closest("details:not([open])")).map((it) => it.choros);

export function explanationPicture(tree, textOf) {
  const figure = el("figure", { class: "explanation", tabindex: "0", role: "group", "aria-label": "The runs of the unfolded claims" });
  let lit = null;
  const draw = () => {
    const runs = shownRuns(tree).filter((it) => it?.steps.some((step) => step.states?.length === 2));
    figure.hidden = runs.length === 0;
    figure.replaceChildren(chart(runs, lit, textOf));
    const first = figure.querySelector(".edge.lit .way");
    if (first) figure.scrollTop += first.getBoundingClientRect().top - figure.getBoundingClientRect().top - ROW;
  };
  // `toggle` does not bubble; a claim is lit where it, or what is in it, is pressed.
  tree.addEventListener("toggle", draw, true);
  const light = (event) => {
    const claim = event.target.closest(".claim");
    lit = claim && new Set([...claim.querySelectorAll(".run")].map((it) => it.choros));
    for (const it of tree.querySelectorAll(".claim.lit")) it.classList.remove("lit");
    claim?.classList.add("lit");
    draw();
  };
  tree.addEventListener("click", light);
  tree.addEventListener("focusin", light);
  draw();
  return figure;
}

function chart(runs, lit, textOf) {
  const rows = new Map();
  const edges = [];
  const row = (state) => {
    if (!rows.has(state)) rows.set(state, rows.size);
    return rows.get(state);
  };
  for (const run of runs) {
    for (const step of run.steps) {
      if (step.states?.length !== 2 || rows.size > MOST) continue;
      const [from, to] = step.states.map(row);
      edges.push({ from, to, text: textOf(step.event), isLit: Boolean(lit?.has(run)) });
    }
  }
  const y = (at) => 18 + at * ROW;
  const left = 100;
  const longest = Math.max(0, ...edges.map((it) => it.text.length));
  const parts = edges.map(({ from, to, text, isLit }) => {
    const isNext = to === from + 1;
    const bend = Math.min(70, 20 + 6 * Math.abs(to - from));
    const path = isNext ? `M ${left} ${y(from) + 10} V ${y(to) - 16}` : `M ${left - 10} ${y(from)} C ${left - bend} ${y(from)} ${left - bend} ${y(to)} ${left - 16} ${y(to)}`;
    const head = isNext ? `M ${left} ${y(to) - 10} l -4 -7 h 8 z` : `M ${left - 10} ${y(to)} l -7 -4 v 8 z`;
    const middle = isNext ? { x: left + 14, y: (y(from) + y(to)) / 2 + 4 } : { x: left + 46, y: y(from) + 4 };
    return svg("g", { class: isLit ? "edge lit" : "edge" }, svg("path", { class: "way", d: path }), svg("path", { class: "head", d: head }),
      svg("text", middle, isNext ? text : `${text} ⤴`));
  });
  for (const [state, at] of rows) {
    const isLit = edges.some((it) => it.isLit && (it.from === at || it.to === at));
    parts.push(svg("g", { class: isLit ? "state lit" : "state" }, svg("circle", { cx: left, cy: y(at), r: 9 }), svg("text", { x: left + 14, y: y(at) + 4 }, state)));
  }
  if (rows.size > MOST) parts.push(svg("text", { x: left, y: y(rows.size) }, "and more: the table has it all"));
  const width = left + 60 + longest * 7;
  const height = y(rows.size) + 6;
  return svg("svg", { role: "img", "aria-label": `${rows.size} states and ${edges.length} steps`, width, height, viewBox: `0 0 ${width} ${height}` }, ...parts);
}
