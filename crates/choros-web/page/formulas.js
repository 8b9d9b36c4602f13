// Ask formulas: patterns from menus, the explanation as a tree.

import { connection } from "./connection.js";
import { byId, el, fill } from "./dom.js";

let patterns = null;

/** What is often asked about messages, and how SocL says it. */
const SHAPES = [
  ["A can happen", (a) => `EF {${a}} true`],
  ["A always happens in the end", (a) => `AF {${a}} true`],
  ["A never happens", (a) => `AG [${a}] false`],
  ["After A, B always follows", (a, b) => `AG [${a}] AF {${b}} true`],
  ["After A, B never happens", (a, b) => `AG [${a}] AG [${b}] false`],
  ["B does not happen before A", (a, b) => `A[true {not ${b}} W {${a}} true]`],
];

export async function showFormulas(app) {
  if (!patterns) {
    const verbs = await connection.json("verbs");
    const help = verbs.find((it) => it.verb === "verify").help;
    patterns = (/Patterns: ([^.]*)\./.exec(help)?.[1] ?? "").split(",").map((it) => it.trim()).filter(Boolean);
  }
  const before = { formula: byId("formula")?.value ?? "", interaction: byId("interaction")?.value ?? "" };
  const file = app.file();
  const verdicts = byId("formula-answers") ?? el("div", { id: "formula-answers" });
  const pattern = el("select", { id: "pattern" }, ["all", ...patterns].map((it) => el("option", { value: it }, it)));
  pattern.value = "responsive";
  const ask = (more) => (event) => {
    event.preventDefault();
    const domains = byId("domains").value.split("\n").map((it) => it.trim()).filter(Boolean);
    app.ask("verify", { model: byId("formula-model").value, explain: true, ...(domains.length ? { domains } : {}), ...more() }, { into: verdicts, show: false });
  };
  fill(byId("formulas"),
    el("p", {}, el("label", { for: "formula-model" }, "Model "), el("input", { id: "formula-model", type: "text", value: file?.path ?? "", list: "step-models" })),
    el("form", { onsubmit: ask(() => ({ pattern: [`${pattern.value}:${byId("interaction").value}`] })) },
      el("h3", {}, "A pattern of service properties"),
      el("p", {}, el("label", { for: "pattern" }, "Pattern "), pattern, " ",
        el("label", { for: "interaction" }, "of the interaction "), el("input", { id: "interaction", type: "text", size: "10", required: true, value: before.interaction, placeholder: "charge" }), " ",
        el("button", { type: "submit", id: "ask-pattern" }, "Ask")),
      el("p", { class: "faint" }, "For models whose rules say which steps are requests and responses.")),
    el("form", { onsubmit: ask(() => ({ formula: byId("formula").value.split("\n").map((it) => it.trim()).filter(Boolean) })) },
      el("h3", {}, "Formulas in SocL, one on each line"),
      shapePart(app),
      el("p", {}, el("label", { class: "hidden", for: "formula" }, "Formulas"),
        el("textarea", { id: "formula", rows: "3", cols: "50", required: true, placeholder: "AG [request(charge,$v)] AF {responseOk(charge,$v)} true" }, before.formula)),
      el("p", {}, el("button", { type: "submit", id: "ask-formula" }, "Ask"))),
    el("details", {}, el("summary", {}, "Values of data"),
      el("p", {}, el("label", { for: "domains" }, "NAME=VALUES, one on each line "), el("textarea", { id: "domains", rows: "2", placeholder: "x=0..3" }))),
    verdicts);
}

/** A menu of shapes with the messages of the text; what is chosen is written as a formula, which can be changed. */
function shapePart(app) {
  const shape = el("select", { id: "shape" }, SHAPES.map(([title], index) => el("option", { value: String(index) }, title)));
  const messages = el("datalist", { id: "messages" });
  const input = (id) => el("input", { id, type: "text", size: "10", list: "messages", autocomplete: "off" });
  const [a, b] = [input("shape-a"), input("shape-b")];
  const second = el("label", {}, " B ", b);
  const chosen = () => SHAPES[Number(shape.value)][1];
  const show = () => {
    second.hidden = chosen().length < 2;
    fill(messages, app.editor.names("function").map((it) => el("option", { value: it })));
  };
  const write = () => {
    const missing = [a, ...(second.hidden ? [] : [b])].find((it) => !it.value.trim());
    if (missing) return missing.focus();
    const area = byId("formula");
    area.value = [area.value.trim(), chosen()(a.value.trim(), b.value.trim())].filter(Boolean).join("\n");
  };
  for (const it of [shape, a, b]) it.addEventListener("focus", show);
  shape.addEventListener("change", show);
  show();
  return el("p", {}, el("label", { for: "shape" }, "Shape "), shape, el("label", {}, " A ", a), second, " ",
    el("button", { type: "button", id: "write-shape", onclick: write }, "Write it"), messages);
}
