// Answers: they grow while the work goes on, and can be linked and downloaded afterwards.

import { connection } from "./connection.js";
import { byId, el, fill, picture, say } from "./dom.js";
import { explanationPicture } from "./explanation.js";
import { LiveChart } from "./live_chart.js";

let app;

export const answers = {
  start(it) {
    app = it;
  },
  /** Asks and shows; the promise has the finished event, or null. */
  ask(verb, filled, root, options = {}) {
    const card = new Card(verb, root, options.into);
    return new Promise((resolve) => {
      let finished = null;
      const job = connection.ask(verb, filled, root, (heard) => {
        if (heard.waiting) card.doing("Others are answered first; waiting.");
        if (heard.event) card.happened(heard.event);
        if (heard.event?.event === "finished") finished = heard.event;
        if (heard.over) {
          card.over(heard.over, finished);
          resolve(finished);
        }
      });
      card.onStop(() => job.stop());
    });
  },
  /** Shows an answer that was given before. */
  async again(number) {
    if (document.getElementById(`answer-${number}`)) return byId(`answer-${number}`).scrollIntoView();
    try {
      const finished = await connection.json(`answers/${encodeURIComponent(number)}.whole`);
      const card = new Card(finished.report.verb, "project");
      card.over({ exit: finished.exit, typed: finished.typed }, { ...finished, answer: Number(number) });
    } catch (error) {
      say(error.message);
    }
  },
};

export const badge = (word) => el("span", { class: `badge ${word}` }, word);

class Card {
  constructor(verb, root, into = byId("answers")) {
    this.verb = verb;
    this.root = root;
    this.state = el("span", { role: "status" }, "working…");
    this.stop = el("button", { type: "button" }, "Stop");
    this.progress = el("progress", { "aria-label": "How far it is", max: "1" });
    this.live = el("ol", { class: "live", "aria-label": "Answers so far" });
    this.chart = new LiveChart();
    this.body = el("div");
    this.element = el("article", { class: "answer", "data-verb": verb, "aria-label": `Answer of ${verb}`, "data-state": "working" },
      el("h3", {}, verb, this.state, this.progress, this.stop), this.live, this.chart.element, this.body);
    byId("no-answers").hidden = true;
    into.prepend(this.element);
  }
  onStop(stop) {
    this.stop.addEventListener("click", () => {
      this.stop.disabled = true;
      this.doing("stopping…");
      stop();
    });
  }
  doing(what) {
    this.state.textContent = what;
  }
  happened(event) {
    if (event.event === "doing") this.doing(event.what);
    if (event.event === "listening") this.live.prepend(el("li", {}, event.line));
    if (event.event === "progress") {
      if (event.total) this.progress.value = event.done / event.total;
      else this.doing(`${event.part || "working"}: ${event.done}`);
    }
    if (event.event === "message") this.chart.message(event);
    if (event.event === "decided") {
      this.chart.verdict(event.verdict, `${event.property} at ${event.service}`);
      const item = el("li", {}, badge(event.verdict), ` ${event.property} at ${event.service}, lines ${event.opened} to ${event.decided}`);
      if (event.verdict === "fails") this.live.prepend(item);
      else this.live.append(item);
      // Streams do not end: the newest failures and the newest others are kept.
      while (this.live.children.length > 300) this.live.children[150].remove();
    }
    if (event.event === "answered") {
      const failed = event.result.verdict === "fails";
      this.chart.verdict(event.result.verdict, event.result.name, event.result.name);
      const item = el("li", {}, badge(event.result.verdict ?? "done"), " ", event.result.name,
        failed && runs(event.pictures));
      // Failures first.
      if (failed) this.live.prepend(item);
      else this.live.append(item);
    }
    if (event.event === "printed") {
      const last = this.body.lastElementChild;
      if (last?.matches("pre.printed")) last.append(event.text);
      else this.body.append(el("pre", { class: "out printed", tabindex: "0" }, event.text));
    }
  }
  over(over, finished) {
    this.stop.remove();
    this.progress.remove();
    this.element.dataset.state = "over";
    const report = finished?.report;
    const word = report?.verdict;
    const exit = finished?.exit ?? over.exit;
    if (word) fill(this.state, badge(word));
    else if (exit === 2) fill(this.state, el("span", { class: "error" }, finished ? "not answered: see the findings" : "not asked: the form is not complete"));
    else if (exit === 5) fill(this.state, el("span", { class: "error" }, "not answered: something outside the model failed"));
    else if (exit === 0 || finished) this.state.textContent = "done";
    else fill(this.state, el("span", { class: "error" }, "no answer"));
    const typed = finished?.typed ?? over.typed;
    this.element.querySelector("h3").append(links(finished, this));
    const parts = [];
    if (typed) parts.push(el("p", {}, el("code", { class: "typed" }, typed)));
    const complaint = over.complaint?.trim();
    if (complaint && !finished) parts.push(el("pre", { class: "out error", tabindex: "0" }, complaint));
    if (finished) {
      this.element.id = `answer-${finished.answer}`;
      this.live.remove();
      if (this.chart.roles.length) {
        const seen = fold("Messages as they were seen", this.chart.element);
        seen.id = `seen-${finished.answer}`;
        parts.push(seen);
      }
      parts.push(...reportParts(finished));
      const runs = report.results.map((it) => it.evidence).filter((it) => it?.kind === "trace");
      // One run that shows a failure is shown in the text as well.
      if (word === "fails" && runs.length === 1) markRun(runs[0], { at: "nowhere" });
    }
    this.body.prepend(...parts);
  }
}

function links(finished, card) {
  const close = el("button", { type: "button", "aria-label": `Close the answer of ${card.verb}`, onclick: () => card.element.remove() }, "×");
  if (!finished?.answer) return close;
  const forms = [["json", "JSON"], ["html", "HTML"], ["txt", "text"], ["xml", "JUnit"]];
  return el("span", {},
    el("a", { href: `#answer=${finished.answer}` }, "link"), " ",
    forms.map(([form, name]) => [el("a", {
      href: connection.address(`answers/${finished.answer}.${form}`), download: `choros-${card.verb}-${finished.answer}.${form}`,
    }, name), " "]), close);
}

/** What a report says. */
export function reportParts(finished) {
  const { report } = finished;
  const parts = [];
  if (report.error) parts.push(el("p", { class: "error" }, report.error.message));
  if (report.interrupted) parts.push(el("p", { class: "warning" }, "Stopped: this is what was known until then."));
  if (report.diagnostics.length) {
    parts.push(el("ul", { class: "findings" }, report.diagnostics.slice(0, 100).map(finding)));
    parts.push(fold("Findings in full", el("pre", { class: "out", tabindex: "0" }, finished.findings)));
  }
  const results = report.results.map((result, index) => ({ result, pictures: finished.pictures?.[index] ?? [] }));
  // Failures first.
  const rank = (it) => ["fails", "unknown", "conditional", "holds"].indexOf(it.result.verdict ?? "holds");
  if (results.length > 1) results.sort((a, b) => rank(a) - rank(b));
  parts.push(...results.map((it) => resultPart(it, results.length === 1)));
  if (report.files?.length) {
    parts.push(el("h4", {}, "Files"), el("ul", {}, report.files.map((it) => el("li", {}, el("code", {}, it.path), ` ${it.fate}`))));
  }
  parts.push(fold("As the command prints it", el("pre", { class: "out", tabindex: "0" }, finished.text)));
  const semantics = Object.entries(report.semantics).filter(([, value]) => value && Object.keys(value).length !== 0 || typeof value === "number");
  parts.push(fold("What the answer means", el("dl", {}, semantics.map(([name, value]) =>
    [el("dt", {}, name), el("dd", {}, typeof value === "object" ? Object.entries(value).map(([key, it]) => Array.isArray(value) ? it : `${key}: ${it}`).join("; ") : String(value))]))));
  return parts;
}

function finding(it) {
  const place = it.labels?.[0];
  const own = it.suggestion && app.file()?.path === it.suggestion.file && it.suggestion;
  return el("li", {},
    el("strong", { class: it.severity }, `${it.severity} ${it.code}`), " ", it.message, " ",
    place && placeButton(place), " ",
    (it.notes ?? []).map((note) => el("p", { class: "faint" }, note)),
    own && el("button", { type: "button", class: "fix", onclick: () => app.editor.applyBytes([own]) }, `Fix: ${own.message}`));
}

function placeButton(place) {
  return el("button", { type: "button", class: "plain", onclick: () => goTo(place) }, `${place.file}:${place.line}:${place.column}`);
}

async function goTo(place) {
  const file = app.file();
  if (file?.path !== place.file && !(await app.open(file?.root ?? "project", place.file))) return;
  app.editor.goTo(place.line, place.column);
}

function fold(title, ...body) {
  return el("details", {}, el("summary", {}, title), ...body);
}

function resultPart({ result, pictures }, isOnly) {
  const lines = (result.output ?? []).filter((it) => it.format === "line").map((it) => el("p", {}, it.text));
  const texts = (result.output ?? []).filter((it) => it.format === "text").map((it) => el("pre", { class: "out", tabindex: "0" }, it.text));
  const stats = Object.entries(result.stats ?? {});
  const body = [
    result.error && el("p", { class: "error" }, `${result.error.code}: ${result.error.message}`),
    result.condition && el("p", {}, "holds if ", el("code", {}, result.condition)),
    result.reason && el("p", {}, result.reason),
    repair(result),
    lines,
    pictures.filter((it) => it.kind === "model").map((it) => picture(it.svg)),
    texts,
    result.evidence && evidencePart(result.evidence, pictures, result.verdict !== "holds"),
    stats.length > 0 && el("table", {}, el("thead", {}, el("tr", {}, stats.map(([name]) => el("th", { scope: "col" }, name)))),
      el("tbody", {}, el("tr", {}, stats.map(([, count]) => el("td", {}, String(count)))))),
    !result.complete && el("p", { class: "warning" }, "A bound cut the result."),
    pictures.filter((it) => it.kind === "marked").map((it) => fold("Picture of the model", picture(it.svg))),
  ];
  const isOpen = isOnly || result.verdict !== "holds";
  return el("details", { open: isOpen, class: "result" },
    el("summary", {}, result.verdict && badge(result.verdict), " ", result.name), el("div", { class: "claim-body" }, body.flat().filter(Boolean)));
}

/** Messages that would fix a choreography, and the change of the text that adds them. */
function repair(result) {
  if (!result.additions?.length) return null;
  const edits = result.additions.map((it) => it.edit).filter(Boolean);
  const whole = edits.length === result.additions.length && edits.every((it) => it.file === app.file()?.path);
  const apply = () => {
    app.editor.applyBytes(edits);
    say("The repair is in the text; ask again to see that it holds.");
  };
  return el("div", {},
    el("h4", {}, `Repair (verified: ${result.verified})`),
    el("ul", {}, result.additions.map((it) => el("li", {}, el("code", {}, `${it.from} -> ${it.to}: ${it.operation}${it.carries ? `(${it.carries})` : ""}`),
      ` before ${it.before}: ${it.reason}`))),
    whole && el("button", { type: "button", class: result.verified === "yes" ? "apply main" : "apply", onclick: apply },
      result.verified === "yes" ? "Apply the repair to the text" : "Apply it all the same: it is not verified"));
}

function runs(pictures) {
  return (pictures ?? []).filter((it) => it.kind === "run").map((it) => picture(it.svg));
}

/** What an answer rests on. */
export function evidencePart(evidence, pictures = [], open = true) {
  const body = {
    trace: () => [runs(pictures), trace(evidence)],
    tree: () => {
      const tree = el("div", { class: "tree" }, claim(evidence, true));
      return [tree, explanationPicture(tree, eventText)];
    },
    configuration: () => [configuration(evidence)],
    relation: () => [table(["left", "right", "condition"], evidence.pairs.map((it) => [it.left, it.right, it.condition]))],
    condition: () => [el("p", {}, el("code", {}, evidence.formula)), evidence.sentences.map((it) => el("p", {}, it.text, " ", it.at && placeButton(it.at)))],
    table: () => [table(evidence.columns, evidence.rows)],
    graph: () => [table(["from", "to", "event"], evidence.edges.map((it) => [it.source, it.target, it.label]))],
  }[evidence.kind]?.() ?? [];
  return el("details", { open, class: "evidence" }, el("summary", {}, "Evidence"), body.flat(2).filter(Boolean));
}

/** A claim with what it rests on; it unfolds, and its run is marked in the text. */
function claim(tree, open) {
  const inner = [
    tree.evidence?.kind === "trace" ? trace(tree.evidence) : tree.evidence && evidencePart(tree.evidence),
    (tree.because ?? []).map((it) => claim(it, open && (tree.because.length === 1))),
  ].flat().filter(Boolean);
  const title = [tree.claim, " ", tree.at && placeButton(tree.at)];
  if (!inner.length) return el("p", { class: "claim" }, title);
  return el("details", { class: "claim", open }, el("summary", {}, title), el("div", { class: "claim-body" }, inner));
}

export function eventText(event) {
  if (event.kind === "message") {
    const data = (event.data ?? []).map((it) => (it.label ? `${it.label} = ${it.value}` : it.value));
    const what = `${event.op}${data.length ? `(${data.join(", ")})` : ""}`;
    if (event.dir === "send") return `${event.from} sends ${what} to ${event.to}`;
    if (event.dir === "recv") return `${event.to} receives ${what} from ${event.from}`;
    return `${event.from} -> ${event.to}: ${what}`;
  }
  return event.text ?? { silent: "something unseen", termination: "the end" }[event.kind] ?? event.kind;
}

function trace(evidence) {
  const bindings = (map) => Object.entries(map ?? {}).map(([name, value]) => `${name} = ${value}`).join(", ");
  const places = evidence.steps.map((it) => it.at).filter(Boolean);
  const rows = evidence.steps.map((it, index) => [String(index + 1), eventText(it.event), it.guard ?? "", bindings(it.bindings), it.at ? placeButton(it.at) : ""]);
  // Columns with nothing in them are left out.
  const columns = ["step", "event", "guard", "values", "place"];
  const filled = columns.map((_, column) => column < 2 || rows.some((it) => it[column] !== ""));
  const shown = (cells) => cells.filter((_, column) => filled[column]);
  const start = bindings(evidence.start);
  const run = el("div", { class: "run" },
    start && el("p", {}, `start: ${start}`),
    table(shown(columns), rows.map(shown)),
    evidence.conclusion && el("p", {}, evidence.conclusion),
    places.length > 0 && el("button", {
      type: "button", class: "follow",
      onclick: async () => {
        await goTo(places[0]);
        markRun(evidence);
      },
    }, "Mark this run in the text"));
  run.choros = evidence;
  return run;
}

/** Marks the lines of a run in the text, and says in each which steps it takes. */
export function markRun(evidence, options) {
  const said = new Map();
  const lines = [];
  for (const [index, step] of evidence.steps.entries()) {
    if (step.at?.file !== app.file()?.path) continue;
    lines.push(step.at.line);
    said.set(step.at.line, [...(said.get(step.at.line) ?? []), `${index + 1}. ${eventText(step.event)}`]);
  }
  if (lines.length) app.editor.mark(lines, said, options);
}

function configuration(evidence) {
  return el("div", {},
    table(["part", "at"], evidence.parts.map((it) => [it.part, it.at])),
    evidence.channels.length > 0 && table(["channel", "waiting"], evidence.channels.map((it) => [it.channel, [].concat(it.waiting).join(", ")])));
}

export function table(columns, rows) {
  return el("table", {},
    el("thead", {}, el("tr", {}, columns.map((it) => el("th", { scope: "col" }, it)))),
    el("tbody", {}, rows.slice(0, 500).map((row) => el("tr", {}, row.map((it) => el("td", {}, it))))),
    rows.length > 500 ? el("caption", {}, `the first 500 of ${rows.length}`) : null);
}
