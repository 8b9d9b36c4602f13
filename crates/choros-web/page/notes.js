// What is shown after the text of a line: hints, what a problem says there, the steps of a run, and questions to ask.
//
// Nothing is put between the letters: the text area would not know of it, and the cursor would be elsewhere.

import { byId, dialog, el, fill } from "./dom.js";
import { language } from "./language.js";

const layer = byId("lenses");
let hints = new Map();
let lenses = [];

const add = (map, line, text) => map.set(line, [...(map.get(line) ?? []), text]);

export const notes = {
  clear() {
    hints = new Map();
    lenses = [];
    fill(layer);
  },
  /** Asks what is not written and may be shown all the same: sorts that were inferred, who knows a value. */
  async refresh(lines) {
    const end = { line: lines.length, character: 0 };
    const found = await language.ask("textDocument/inlayHint", { range: { start: { line: 0, character: 0 }, end } });
    if (!found) return;
    hints = new Map();
    for (const { position, label } of found) {
      const before = (lines[position.line] ?? "").slice(0, position.character);
      add(hints, position.line, `${/[\w.-]*$/.exec(before)[0]}${label}`);
    }
  },
  /** The notes of a line, each with its look; `steps` are those of a run by their lines. */
  of(line, problems, steps) {
    const related = problems.flatMap((it) => it.relatedInformation ?? [])
      .filter((it) => it.location.uri === language.uri() && it.location.range.start.line === line && it.message !== "here");
    return [
      ...(hints.get(line) ?? []).map((text) => ({ look: "hint-note", text })),
      ...[...new Set(related.map((it) => it.message))].map((text) => ({ look: "related-note", text })),
      ...(steps.get(line) ?? []).map((text) => ({ look: "step-note", text })),
    ];
  },
  /** Questions: each with its line, the name of its model, a title and what it does. */
  setLenses(found) {
    lenses = found;
  },
  /** Draws the questions in view after what else is in their lines; `endOf` says where that is. */
  drawLenses(endOf, [first, last]) {
    const byLine = Map.groupBy(lenses.filter((it) => first <= it.line && it.line < last), (it) => it.line);
    fill(layer, [...byLine].map(([line, group]) => {
      const width = group.reduce((sum, it) => sum + 18 + 7 * it.title.length, 0);
      const right = layer.clientWidth - width - 20;
      // Those about a whole file are at the first line that has room for them; the others keep to their own.
      let at = line;
      if (!group[0].name) while (at < last && endOf(at).left > right) at += 1;
      const { left, top } = endOf(at);
      // The keyboard has a key of its own for them, and does not have to pass them all.
      const row = el("div", { class: "lens" }, group.map((it) => el("button", {
        type: "button", class: "plain", tabindex: "-1", "data-lens": it.title, title: `${it.title} ${it.name}`.trim(), onclick: it.act,
      }, it.title)));
      row.style.left = `${Math.max(0, Math.min(left, right))}px`;
      row.style.top = `${top}px`;
      return row;
    }));
  },
  /** Asks which question is meant about the model at a line. */
  async choose(line) {
    const models = [...new Set(lenses.map((it) => it.line))].sort((a, b) => a - b);
    const here = models.filter((it) => it <= line).pop() ?? models[0];
    const own = lenses.filter((it) => it.line === here);
    if (!own.length) return;
    const chosen = await dialog(`Ask about ${own[0].name || "this file"}`, el("p", {}, "Which question?"),
      [...own.map((it) => [it.title, () => it]), ["Cancel", undefined]]);
    chosen?.act();
  },
};
