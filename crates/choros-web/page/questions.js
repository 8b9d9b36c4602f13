// Every verb of the command line, with a form made from what it declares.

import { connection } from "./connection.js";
import { byId, el, fill } from "./dom.js";
import { explorer } from "./explorer.js";

let verbs = null;
const drafts = new Map();

export async function showQuestions(app) {
  verbs ??= await connection.json("verbs");
  const isDeclared = (name) => verbs.some((it) => it.fields.some((field) => `${it.verb} ${field.name}` === name));
  for (const name of MAIN) if (!isDeclared(name)) console.error(`There is no option ${name}.`);
  const panel = byId("ask");
  const before = panel.querySelector("select")?.value ?? "check";
  const select = el("select", { id: "verb", onchange: () => showForm(app) },
    verbs.map((it) => el("option", { value: it.verb }, `${it.verb}: ${it.about}`)));
  select.value = before;
  fill(panel, el("p", {}, el("label", { for: "verb" }, "Question "), select), el("div", { id: "form" }));
  showForm(app);
}

/** Opens the form of a verb with some values. */
export async function askWith(app, verb, values) {
  drafts.set(verb, values);
  await showQuestions(app);
  byId("verb").value = verb;
  showForm(app);
  app.show("ask");
}

function showForm(app) {
  const verb = verbs.find((it) => it.verb === byId("verb").value);
  const draft = drafts.get(verb.verb) ?? {};
  const rooted = app.root();
  const isModel = (field) => field.option === null;
  const file = app.file()?.path ?? "";
  const fits = (TAKES[verb.verb] ?? /./).test(file);
  const value = (field) => draft[field.name] ?? (fits && isModel(field) && field === verb.fields.find(isModel) && field.kind === "path" ? file : "");
  const main = verb.fields.filter((it) => isModel(it) || it.required || MAIN.has(`${verb.verb} ${it.name}`));
  const rest = verb.fields.filter((it) => !main.includes(it));
  const ask = async (event) => {
    event.preventDefault();
    const filled = read(event.target, verb);
    drafts.set(verb.verb, filled);
    app.ask(verb.verb, filled);
  };
  fill(byId("form"),
    el("datalist", { id: "paths" }, [...models(app), ...explorer.paths(rooted)].map((it) => el("option", { value: it }))),
    el("form", { class: "verb", onsubmit: ask },
      main.map((field) => fieldPart(field, value(field))),
      el("details", {}, el("summary", {}, "More options"), rest.map((field) => fieldPart(field, value(field)))),
      el("p", {}, el("button", { type: "submit", class: "main", id: "ask-it" }, `Ask: ${verb.verb}`))),
    el("details", {}, el("summary", {}, "Help"), el("pre", { class: "out", tabindex: "0" }, verb.help)));
}

/** The models of the open file that has several, by their names. */
const models = (app) => app.components().filter((it) => it.name).map((it) => `${app.file().path}#${it.name}`);

/** Verbs that the open file is not for, unless it ends like this. */
const TAKES = {
  init: /^$/, script: /\.schora$/, solve: /\.solve$/, replay: /\.json$/, certify: /\.json$/, monitor: /\.prop$/,
  comply: /\.(fsa|gc)$/, mutate: /\.(fsa|gc)$/,
};

/** Options that belong to what is mostly asked. */
const MAIN = new Set([
  "realize repair", "realize mode", "verify formula", "verify pattern", "verify rules", "drive target", "drive role",
  "drive binding", "drive mock_partners", "drive mock_at", "tests role", "project role", "audit logs", "monitor logs", "monitor follow",
  "conform role", "draw style", "capture listen", "capture forward", "capture names", "capture output",
]);

function fieldPart(field, value) {
  const id = `field-${field.name}`;
  const label = field.option ? `--${field.option}` : field.value || field.name;
  const common = { id, name: field.name, "aria-describedby": `${id}-help` };
  let control;
  if (field.kind === "flag") control = el("input", { ...common, type: "checkbox", checked: value === true });
  else if (field.kind === "choice" && !field.many) {
    control = el("select", common, el("option", { value: "" }, field.default ? `${field.default} (default)` : "–"),
      field.choices.map((it) => el("option", { value: it.word }, it.help ? `${it.word}: ${it.help}` : it.word)));
    control.value = value || "";
  } else {
    const shown = Array.isArray(value) ? value.join("\n") : value;
    const more = { ...common, placeholder: field.default ?? (field.option ? field.value : ""), autocomplete: "off" };
    control = field.many && field.option
      ? el("textarea", { ...more, rows: "1", required: field.required }, shown)
      : el("input", { ...more, type: "text", list: field.kind === "path" ? "paths" : null, value: shown, required: field.required });
  }
  const note = field.many && field.kind !== "flag" ? `${field.help}${field.option ? ", one on each line" : ", separated by spaces"}` : field.help;
  return el("div", { class: "field" }, el("label", { for: id }, label), control, el("small", { id: `${id}-help` }, note));
}

function read(form, verb) {
  const filled = {};
  for (const field of verb.fields) {
    const control = form.elements[field.name];
    if (!control) continue;
    if (field.kind === "flag") {
      if (control.checked) filled[field.name] = true;
    } else if (field.many) {
      const values = control.value.split(field.option ? "\n" : /\s+/).map((it) => it.trim()).filter(Boolean);
      if (values.length) filled[field.name] = values;
    } else if (control.value.trim()) filled[field.name] = control.value.trim();
  }
  return filled;
}
