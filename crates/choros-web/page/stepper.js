// Step through a model: choose what happens, go back, keep the run.

import { eventText, markRun, table } from "./answers.js";
import { connection } from "./connection.js";
import { byId, dialog, el, fill, picture, say } from "./dom.js";
import { explorer } from "./explorer.js";

let app;
let model = "";
let parameters = [];
let steps = [];
let turn = 0;

export function showStepper(it) {
  app = it;
  const file = app.file();
  steps = [];
  model = file?.path ?? "";
  fill(byId("step"),
    el("form", { class: "bar", onsubmit: (event) => { event.preventDefault(); begin(); } },
      el("label", { for: "step-model" }, "Model"),
      el("input", { id: "step-model", type: "text", value: model, list: "step-models" }),
      el("datalist", { id: "step-models" }),
      el("label", { for: "step-parameters" }, "Parameters"),
      el("input", { id: "step-parameters", type: "text", placeholder: "y0=3 z=true", size: "12" }),
      el("button", { type: "submit", class: "main", id: "step-begin" }, "Begin")),
    el("div", { id: "step-view" }, el("p", { class: "faint" }, "Begin, and choose what happens.")));
}

/** The models of the open file, to choose from; the first is proposed. */
export function showModels() {
  const file = app?.file();
  const input = byId("step-model");
  if (!file || !input) return;
  const models = app.components().filter((it) => it.name).map((it) => `${file.path}#${it.name}`);
  fill(byId("step-models"), models.map((it) => el("option", { value: it })));
  if (models.length > 1 && input.value === file.path) input.value = models[0];
}

/** Begins with a model of the open file. */
export function stepThrough(component) {
  byId("step-model").value = component ? `${app.file().path}#${component}` : app.file().path;
  app.show("step");
  begin();
}

function begin() {
  model = byId("step-model").value.trim();
  parameters = byId("step-parameters").value.split(/\s+/).filter(Boolean);
  steps = [];
  go();
}

const text = () => steps.map((it) => [it.number, ...Object.entries(it.values).map(([name, value]) => `${name}=${value}`)].join(" ")).join("; ");

/** Takes all steps from the start: a run is its choices, so going back leaves out the last. */
async function go() {
  if (!(await app.save())) return;
  const mine = ++turn;
  byId("step-view").setAttribute("aria-busy", "true");
  const filled = { files: [model], walk: text() || ";", ...(parameters.length ? { parameters } : {}) };
  const { finished, over } = await connection.wait("explore", filled, app.root());
  if (mine !== turn) return;
  byId("step-view").setAttribute("aria-busy", "false");
  const walk = finished?.report.results[0]?.walk;
  if (walk) return show(walk, finished);
  const reasons = finished?.report.diagnostics.map((it) => `${it.message}${it.notes?.length ? ` (${it.notes.join("; ")})` : ""}`) ?? [over.complaint];
  const refused = el("p", { class: "refused", role: "alert" }, reasons.join("; "));
  // A choice that was refused is not part of the run.
  if (steps.length) {
    steps.pop();
    byId("step-view").prepend(refused);
  } else fill(byId("step-view"), refused);
}

function show(walk, finished) {
  const run = walk.run.steps ?? [];
  const chart = finished.pictures[0]?.find((it) => it.kind === "run");
  const back = el("button", { type: "button", id: "step-back", disabled: steps.length === 0, onclick: () => { steps.pop(); go(); } }, "Back");
  const again = el("button", { type: "button", disabled: steps.length === 0, onclick: () => { steps = []; go(); } }, "Restart");
  fill(byId("step-view"),
    el("div", { class: "bar" }, el("strong", { id: "step-count", role: "status" }, `${run.length} ${run.length === 1 ? "step" : "steps"}`), back, again, saving(finished)),
    el("h3", {}, "What happens next?"),
    walk.cut && el("p", { class: "warning" }, `Not all is known: ${walk.cut}`),
    walk.mayEnd && el("p", {}, "It may end here."),
    !walk.offers.length && !walk.cut && el("p", {}, "Nothing can follow."),
    el("ol", { class: "choices", id: "step-choices" }, walk.offers.map(offerPart)),
    el("h3", {}, "Where it stands"),
    table(["part", "at"], walk.here.parts.map((it) => [it.part, it.at])),
    walk.here.channels.length > 0 && [el("h3", {}, "Messages in transit"), table(["channel", "waiting"], walk.here.channels.map((it) => [it.channel, it.waiting.join(", ")]))],
    walk.known.length > 0 && [el("h3", {}, "What each role knows"), table(["role", "values"], walk.known.map((it) => [it.role, Object.entries(it.values).map(([name, value]) => `${name} = ${value}`).join(", ") || "–"]))],
    run.length > 0 && [el("h3", {}, "The run so far"),
      table(["step", "event"], run.map((it, index) => [String(index + 1), eventText(it.event)])),
      chart && el("details", {}, el("summary", {}, "As a chart"), picture(chart.svg))]);
  app.editor.mark([]);
  markRun(walk.run, { at: "end" });
}

function offerPart(offer, index) {
  const number = index + 1;
  const take = (values) => { steps.push({ number, values }); go(); };
  const inputs = new Map(offer.wanted.map((it) => [it.name, el("input", { type: "text", size: "8", "aria-label": `${it.name}: ${it.sort}`, placeholder: it.sort })]));
  const read = () => Object.fromEntries([...inputs].map(([name, input]) => [name, input.value.trim()]));
  const proposed = offer.proposals.find((it) => it.values);
  if (proposed) for (const [name, value] of Object.entries(proposed.values)) inputs.get(name).value = value;
  return el("li", {},
    el("button", { type: "button", class: "choice", disabled: Boolean(offer.refused), onclick: () => take(read()) },
      `${number}. ${offer.event} → ${offer.target}`),
    offer.refused && el("p", { class: "refused" }, `not now: ${offer.refused}`),
    !offer.refused && inputs.size > 0 && el("div", { class: "values" }, [...inputs].map(([name, input]) => el("label", {}, `${name} = `, input))),
    !offer.refused && offer.proposals.map((it) => el("p", { class: "values" }, it.values
      ? [el("button", { type: "button", class: "plain", onclick: () => { for (const [name, value] of Object.entries(it.values)) inputs.get(name).value = value; } },
        Object.entries(it.values).map(([name, value]) => `${name} = ${value}`).join(", ")), ` lets ${it.next} follow`]
      : el("span", { class: "refused" }, `${it.next}: ${it.reason}`))));
}

function saving(finished) {
  const result = finished.report.results[0];
  const form = (name) => result.output?.find((it) => it.format === name)?.text;
  const kept = [
    ["a test", "tp", form("tp")],
    ["a test", "tests.json", form("suite")],
    ["a property", "prop", form("prop")],
    ["a run to replay", "json", result.walk.run.steps.length ? JSON.stringify(finished.report, null, 2) : null],
  ].filter(([, , it]) => it);
  return kept.map(([name, ending, it]) => el("button", {
    type: "button", "data-save": ending, onclick: () => save(name, ending, it),
  }, `Save as ${name}`));
}

async function save(name, ending, content) {
  const folder = model.includes("/") ? model.slice(0, model.lastIndexOf("/") + 1) : "";
  const input = el("input", { type: "text", value: `${folder}run.${ending}`, "aria-label": "Path of the file" });
  const path = await dialog(`Save as ${name}`, el("p", {}, input), [["Save", () => input.value], ["Cancel", undefined]]);
  if (!path) return;
  try {
    await connection.write(app.root(), path, content, "");
    say(`${path} was written.`);
    explorer.load();
  } catch (error) {
    say(`${path}: ${error.conflict ? "there is such a file already" : error.message}`);
  }
}
