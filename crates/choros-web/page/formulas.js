// Ask formulas: patterns from a menu, the explanation as a tree.

import { connection } from "./connection.js";
import { byId, el, fill } from "./dom.js";

let patterns = null;

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
    el("p", {}, el("label", { for: "formula-model" }, "Model "), el("input", { id: "formula-model", type: "text", value: file?.path ?? "" })),
    el("form", { onsubmit: ask(() => ({ pattern: [`${pattern.value}:${byId("interaction").value}`] })) },
      el("h3", {}, "A pattern of service properties"),
      el("p", {}, el("label", { for: "pattern" }, "Pattern "), pattern, " ",
        el("label", { for: "interaction" }, "of the interaction "), el("input", { id: "interaction", type: "text", required: true, value: before.interaction, placeholder: "charge" }), " ",
        el("button", { type: "submit", id: "ask-pattern" }, "Ask"))),
    el("form", { onsubmit: ask(() => ({ formula: byId("formula").value.split("\n").map((it) => it.trim()).filter(Boolean) })) },
      el("h3", {}, "Formulas in SocL, one on each line"),
      el("p", {}, el("label", { class: "hidden", for: "formula" }, "Formulas"),
        el("textarea", { id: "formula", rows: "3", cols: "50", required: true, placeholder: "AG [request(charge,$v)] AF {responseOk(charge,$v)} true" }, before.formula)),
      el("p", {}, el("button", { type: "submit", id: "ask-formula" }, "Ask"))),
    el("details", {}, el("summary", {}, "Values of data"),
      el("p", {}, el("label", { for: "domains" }, "NAME=VALUES, one on each line "), el("textarea", { id: "domains", rows: "2", placeholder: "x=0..3" }))),
    verdicts);
}
