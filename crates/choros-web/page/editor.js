// The editor: a plain text area, and under it the same text drawn with colours and squiggles.
//
// The text area keeps everything that a browser and a screen reader can do with text. Only the lines in view are drawn.

import { byId, dialog, el, fill, say } from "./dom.js";
import { language } from "./language.js";
import { notes } from "./notes.js";

const area = byId("text");
const overlay = byId("overlay");
const gutter = byId("gutter");
const HEIGHT = 19;
const GAP = "   ";
let lines = [""];
let tokens = new Map();
let problems = [];
let marks = [];
/** The steps of a run, by their lines. */
let steps = new Map();
let charWidth = 7.8;
let changed = () => {};
let moved = () => {};
let elsewhere = null;
/** Several changes are being made that belong together. */
let isApplying = false;
/** How the lines of the file end, whose bytes reports count. */
let lineEnd = "\n";
let hoverTimer;

export const editor = {
  onChange(listener) {
    changed = listener;
  },
  /** Who goes to other files and changes them. */
  onElsewhere(it) {
    elsewhere = it;
  },
  text: () => area.value,
  show(text, { editable = true, coloured = true, isDos = false } = {}) {
    area.value = text;
    lineEnd = isDos ? "\r\n" : "\n";
    area.disabled = false;
    area.readOnly = !editable;
    area.classList.toggle("plain", !coloured);
    area.scrollTop = 0;
    area.scrollLeft = 0;
    area.setSelectionRange(0, 0);
    byId("hover").hidden = true;
    offered = [];
    showOffered();
    tokens = new Map();
    problems = [];
    marks = [];
    steps = new Map();
    notes.clear();
    split();
    showProblems();
  },
  focus: () => area.focus(),
  /** Replaces ranges of the language server's kind, so that undo still works. */
  apply(edits) {
    replace(fromTheEnd(edits.map((it) => ({ start: offset(it.range.start), end: offset(it.range.end), text: it.newText }))));
  },
  /** Replaces ranges of bytes of the text, as reports count them. */
  applyBytes(edits) {
    replace(fromTheEnd(edits.map((it) => ({ start: characters(it.start), end: characters(it.end), text: it.replacement }))));
  },
  setProblems(found) {
    // The same again, as after a check in the background, must not move what somebody is about to press.
    if (JSON.stringify(found) === JSON.stringify(problems)) return;
    problems = found;
    showProblems();
    draw();
  },
  problems: () => problems,
  /** Marks lines, such as those of a run, which are counted from 1, and says there what happens. */
  mark(found, said = new Map(), { at = "start" } = {}) {
    marks = found;
    steps = new Map([...said].map(([line, texts]) => [line - 1, texts]));
    draw();
    const shown = { start: found[0], end: found.at(-1) }[at];
    if (shown) reveal(shown - 1);
  },
  /** Questions that can be asked with a click. */
  setLenses(found) {
    notes.setLenses(found);
    drawLenses();
  },
  onCursor(listener) {
    moved = listener;
  },
  goTo(line, column = 1) {
    const at = offset({ line: line - 1, character: column - 1 });
    area.focus();
    area.setSelectionRange(at, at);
    reveal(line - 1);
  },
  position,
  /** The names of one kind that are in the text, as colours tell them. */
  names(type) {
    const found = new Set();
    for (const [line, spans] of tokens) {
      for (const it of spans) if (it.type === type) found.add(lines[line]?.slice(it.start, it.start + it.length));
    }
    return [...found].filter(Boolean).sort();
  },
  refresh: colour,
};

/** In an order in which one does not move the other: from the end, and of those at one place the last first. */
function fromTheEnd(edits) {
  return edits.map((it, index) => ({ ...it, index })).sort((a, b) => b.start - a.start || b.index - a.index);
}

function replace(sorted) {
  // The cursor stays at what it is at.
  const before = area.selectionStart;
  const cursor = sorted.reduce((at, edit) => {
    if (edit.end <= before) return at + edit.text.length - (edit.end - edit.start);
    return edit.start < before ? Math.min(at, edit.start + edit.text.length) : at;
  }, before);
  area.focus();
  // One insertion of many lines takes browsers seconds, so there are many of few; all are told as one change.
  isApplying = true;
  for (const edit of sorted) {
    area.setSelectionRange(edit.start, edit.end);
    insert(edit.text);
  }
  isApplying = false;
  area.setSelectionRange(cursor, cursor);
  edited();
}

function edited() {
  marks = [];
  steps = new Map();
  split();
  changed(area.value);
  colour();
  if (!popup.hidden) complete();
}

function insert(text) {
  // The only way that keeps the browser's own undo.
  if (!document.execCommand("insertText", false, text)) {
    area.setRangeText(text, area.selectionStart, area.selectionEnd, "end");
    area.dispatchEvent(new Event("input"));
  }
}

function split() {
  lines = area.value.split("\n");
  draw();
}

function offset({ line, character }) {
  let at = 0;
  for (let number = 0; number < line && number < lines.length; number++) at += lines[number].length + 1;
  return Math.min(at + character, area.value.length);
}

function characters(bytes) {
  const written = new TextEncoder().encode(area.value.replaceAll("\n", lineEnd)).slice(0, bytes);
  return new TextDecoder().decode(written).replaceAll("\r\n", "\n").length;
}

/** A text after edits of the language server. */
export function editedText(text, edits) {
  const starts = [0];
  for (const end of text.matchAll(/\r\n|\n|\r/g)) starts.push(end.index + end[0].length);
  const at = ({ line, character }) => Math.min((starts[line] ?? text.length) + character, text.length);
  const sorted = fromTheEnd(edits.map((it) => ({ start: at(it.range.start), end: at(it.range.end), text: it.newText })));
  return sorted.reduce((text, it) => text.slice(0, it.start) + it.text + text.slice(it.end), text);
}

/** Where the cursor is, as the language server counts. */
function position(at = area.selectionStart) {
  const before = area.value.slice(0, at);
  const line = before.split("\n").length - 1;
  return { line, character: at - (before.lastIndexOf("\n") + 1) };
}

function reveal(line) {
  const top = line * HEIGHT;
  if (top < area.scrollTop || top > area.scrollTop + area.clientHeight - 2 * HEIGHT) {
    area.scrollTop = Math.max(0, top - area.clientHeight / 3);
  }
}

function draw() {
  const [first, last] = inView();
  const drawn = [];
  const numbers = [];
  for (let line = first; line < last; line++) {
    const after = notes.of(line, problems, steps).map((it) => el("span", { class: `note ${it.look}` }, `${GAP}${it.text}`));
    const row = el("div", {}, area.classList.contains("plain") ? [] : [pieces(line), after]);
    row.style.top = `${line * HEIGHT}px`;
    if (marks.includes(line + 1)) row.className = "run-mark";
    drawn.push(row);
    const worst = problems.filter((it) => it.range.start.line === line).map((it) => it.severity);
    const kind = worst.length ? (Math.min(...worst) === 1 ? "error" : "warning") : "";
    const number = el("div", { class: kind }, String(line + 1));
    number.style.top = `${line * HEIGHT}px`;
    numbers.push(number);
  }
  fill(overlay, drawn);
  fill(gutter, el("span", {}, numbers));
  drawLenses();
  scroll();
}

/** The first line that is drawn, and the one after the last. */
function inView() {
  const first = Math.max(0, Math.floor(area.scrollTop / HEIGHT) - 5);
  return [first, Math.min(lines.length, first + Math.ceil(area.clientHeight / HEIGHT) + 10)];
}

/** Where the text and the notes of a line end. */
function endOf(line) {
  const text = (lines[line] ?? "").replaceAll("\t", "    ");
  const after = notes.of(line, problems, steps).map((it) => it.text.length + GAP.length);
  const columns = after.reduce((sum, it) => sum + it, text.length + GAP.length);
  return { left: 6 + columns * charWidth, top: line * HEIGHT };
}

function drawLenses() {
  notes.drawLenses(endOf, inView());
}

function scroll() {
  byId("lenses").style.transform = `translate(${-area.scrollLeft}px, ${-area.scrollTop}px)`;
  overlay.style.transform = `translate(${-area.scrollLeft}px, ${-area.scrollTop}px)`;
  if (gutter.firstChild) {
    gutter.firstChild.style.position = "absolute";
    gutter.firstChild.style.right = "0";
    gutter.firstChild.style.transform = `translateY(${-area.scrollTop}px)`;
  }
}

/** A line in pieces of one look each. */
function pieces(line) {
  const text = lines[line].slice(0, 2000);
  const cuts = new Set([0, text.length]);
  const spans = tokens.get(line) ?? [];
  for (const span of spans) cuts.add(span.start).add(span.start + span.length);
  const found = problems.filter((it) => it.range.start.line <= line && it.range.end.line >= line).map((it) => {
    const start = it.range.start.line < line ? 0 : it.range.start.character;
    const end = it.range.end.line > line ? text.length : it.range.end.character;
    return { start, end: Math.max(end, start + 1), kind: ["error", "warning", "info", "info"][it.severity - 1] };
  });
  for (const it of found) cuts.add(it.start).add(it.end);
  const sorted = [...cuts].filter((it) => it <= text.length).sort((a, b) => a - b);
  const result = [];
  for (let index = 0; index + 1 < sorted.length; index++) {
    const [from, to] = [sorted[index], sorted[index + 1]];
    const token = spans.find((it) => it.start <= from && to <= it.start + it.length);
    const problem = found.find((it) => it.start <= from && to <= it.end);
    const looks = [token && `t-${token.type}`, problem && `${problem.kind}-mark`].filter(Boolean).join(" ");
    result.push(looks ? el("span", { class: looks }, text.slice(from, to)) : text.slice(from, to));
  }
  return result;
}

let colouring;
async function colour() {
  clearTimeout(colouring);
  colouring = setTimeout(async () => {
    const version = area.value;
    const answer = await language.ask("textDocument/semanticTokens/full");
    if (!answer || area.value !== version) return;
    const types = language.tokenTypes();
    tokens = new Map();
    let [line, start] = [0, 0];
    for (let at = 0; at < answer.data.length; at += 5) {
      const [down, right, length, type] = answer.data.slice(at, at + 4);
      start = down ? right : start + right;
      line += down;
      if (!tokens.has(line)) tokens.set(line, []);
      tokens.get(line).push({ start, length, type: types[type] });
    }
    draw();
    await notes.refresh(lines);
    if (area.value === version) draw();
  }, 60);
}

function showProblems() {
  const list = byId("problem-list");
  const sorted = [...problems].sort((a, b) => a.severity - b.severity || a.range.start.line - b.range.start.line);
  fill(list, sorted.slice(0, 100).map((problem) => {
    const line = problem.range.start.line + 1;
    const kind = ["error", "warning", "information", "information"][problem.severity - 1];
    const item = el("li", {},
      el("button", {
        type: "button", class: "plain",
        onclick: () => editor.goTo(line, problem.range.start.character + 1),
      }, `${line}:${problem.range.start.character + 1}`), " ",
      el("strong", { class: kind }, `${kind} ${problem.code ?? ""}`), " ",
      el("span", { class: "message" }, problem.message), " ");
    if (kind !== "information" || problem.code) offerFixes(problem, item);
    return item;
  }));
  if (!problems.length) fill(list, el("li", { class: "faint" }, "none"));
}

async function offerFixes(problem, item) {
  const fixes = await language.ask("textDocument/codeAction", {
    range: problem.range, context: { diagnostics: [problem] },
  });
  for (const fix of fixes ?? []) {
    const same = fix.diagnostics?.some((it) => it.message === problem.message);
    const edits = fix.edit?.changes?.[language.uri()];
    if (!same || !(edits || fix.command)) continue;
    // What has to be found first, the server finds, and asks for the change.
    const act = edits ? () => editor.apply(edits) : () => {
      say("Looking for a fix…");
      language.command(fix.command.command, fix.command.arguments[0]).then((it) => it?.failed && say(it.failed));
    };
    item.append(el("button", { type: "button", class: "fix", onclick: act }, `Fix: ${fix.title}`));
  }
}

/** The first fix for what is wrong at the cursor, or anywhere. */
function fixHere() {
  const line = position().line + 1;
  const buttons = [...byId("problem-list").querySelectorAll("button.fix")];
  const here = buttons.find((it) => it.parentElement.firstChild.textContent.startsWith(`${line}:`));
  (here ?? buttons[0])?.click();
}

function nextProblem() {
  const here = position();
  const after = problems
    .map((it) => it.range.start)
    .sort((a, b) => a.line - b.line || a.character - b.character);
  const next = after.find((it) => it.line > here.line || (it.line === here.line && it.character > here.character));
  const target = next ?? after[0];
  if (target) editor.goTo(target.line + 1, target.character + 1);
}

// Completion.
const popup = byId("completions");
let offered = [];
let chosen = 0;

async function complete() {
  const answer = await language.ask("textDocument/completion", { position: position() });
  const items = Array.isArray(answer) ? answer : answer?.items ?? [];
  const word = wordBefore();
  offered = items.filter((it) => it.label.toLowerCase().startsWith(word.toLowerCase())).slice(0, 50);
  chosen = 0;
  showOffered();
}

function wordBefore() {
  return /[\w.-]*$/.exec(area.value.slice(0, area.selectionStart))[0].split(".").pop();
}

function showOffered() {
  popup.hidden = offered.length === 0;
  fill(popup, offered.map((item, index) =>
    el("li", {
      role: "option", id: `option-${index}`, "aria-selected": String(index === chosen),
      onmousedown: (event) => { event.preventDefault(); chosen = index; take(); },
    }, item.label, item.detail ? el("small", {}, item.detail) : null)));
  const { line, character } = position();
  popup.style.left = `${6 + character * charWidth - area.scrollLeft}px`;
  popup.style.top = `${(line + 1) * HEIGHT - area.scrollTop}px`;
  popup.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: "nearest" });
}

function take() {
  const item = offered[chosen];
  offered = [];
  showOffered();
  const edit = item.textEdit;
  if (edit) return editor.apply([edit]);
  const word = wordBefore();
  area.setSelectionRange(area.selectionStart - word.length, area.selectionEnd);
  insert(item.insertText ?? item.label);
}

// What is known about a place.
async function explain(at, place) {
  const answer = await language.ask("textDocument/hover", { position: at });
  const said = problems.filter((it) => it.range.start.line <= at.line && at.line <= it.range.end.line &&
    (it.range.start.line < at.line || it.range.start.character <= at.character) &&
    (it.range.end.line > at.line || at.character <= it.range.end.character)).map((it) => it.message);
  const known = answer?.contents?.value ?? (typeof answer?.contents === "string" ? answer.contents : "");
  const plain = known.replaceAll(/```\w*\n?/g, "").replaceAll("**", "").replaceAll(/\*(\w+)\*/g, "$1").replaceAll(/\n{2,}/g, "\n");
  const text = [...said, plain].filter(Boolean).join("\n\n");
  const box = byId("hover");
  box.hidden = text === "";
  box.textContent = text;
  box.style.left = `${Math.min(place.x, area.clientWidth - 200)}px`;
  box.style.top = `${place.y + HEIGHT}px`;
}

async function rename() {
  const here = position();
  const word = /\w*$/.exec(lines[here.line].slice(0, here.character))[0] + /^\w*/.exec(lines[here.line].slice(here.character))[0];
  const input = el("input", { type: "text", value: word, "aria-label": "New name" });
  const name = await dialog(`Rename ${word}`, el("p", {}, input), [["Rename", () => input.value], ["Cancel", undefined]]);
  if (!name) return;
  const text = area.value;
  const answer = await language.attempt("textDocument/rename", { position: here, newName: name });
  if (area.value !== text) return say("Not renamed: the text changed meanwhile.");
  const { [language.uri()]: own, ...others } = answer?.changes ?? {};
  if (!own) return say(answer?.failed ?? "There is nothing to rename here.");
  const count = Object.keys(others).length;
  try {
    if (count && !(await elsewhere.change(others))) return;
  } catch (error) {
    return say(`Not all was renamed: ${error.message}`);
  }
  editor.apply(own);
  // Files that belong together are saved together.
  if (count && !(await elsewhere.save())) return;
  say(count ? `Renamed here and in ${count} other ${count === 1 ? "file" : "files"}.` : "Renamed.");
}

async function define() {
  const found = await language.ask("textDocument/definition", { position: position() });
  const place = Array.isArray(found) ? found[0] : found;
  if (!place) return say("Nothing is declared here.");
  const [line, column] = [place.range.start.line + 1, place.range.start.character + 1];
  if (place.uri === language.uri()) editor.goTo(line, column);
  else elsewhere.goTo(place.uri, line, column);
}

export async function format() {
  const text = area.value;
  const edits = await language.ask("textDocument/formatting", { options: { tabSize: 4, insertSpaces: true } });
  if (!edits) return say("There is no form for this text, or it has mistakes.");
  if (edits.length && area.value === text) editor.apply(edits);
}

area.addEventListener("input", () => {
  if (!isApplying) edited();
});
area.addEventListener("scroll", () => { byId("hover").hidden = true; draw(); });
new ResizeObserver(draw).observe(area);
area.addEventListener("blur", () => { offered = []; showOffered(); });
area.addEventListener("keydown", (event) => {
  const control = event.ctrlKey || event.metaKey;
  if (!popup.hidden) {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (move) {
      chosen = (chosen + move + offered.length) % offered.length;
      showOffered();
      return event.preventDefault();
    }
    if (event.key === "Enter" || event.key === "Tab") { take(); return event.preventDefault(); }
    if (event.key === "Escape") { offered = []; showOffered(); return event.preventDefault(); }
  }
  byId("hover").hidden = true;
  if (control && event.shiftKey && event.key === "Enter") notes.choose(position().line);
  else if (control && event.key === " ") complete();
  else if (control && event.key === ".") fixHere();
  else if (control && event.key.toLowerCase() === "k") {
    const here = position();
    explain(here, { x: 6 + here.character * charWidth - area.scrollLeft, y: here.line * HEIGHT - area.scrollTop });
  } else if (event.key === "F8") nextProblem();
  else if (event.key === "F2") rename();
  else if (event.key === "F12") define();
  else if (event.shiftKey && event.altKey && event.key.toLowerCase() === "f") format();
  else if (event.key === "Enter" && !control && !event.shiftKey) {
    const { line, character } = position();
    const indent = /^[ \t]*/.exec(lines[line])[0];
    // What is opened is indented.
    insert(`\n${indent}${/[{(]\s*$/.test(lines[line].slice(0, character)) ? "    " : ""}`);
  } else if (event.key === "}" && /^\s*$/.test(lines[position().line].slice(0, position().character))) {
    // What is closed stands where it was opened.
    const at = area.selectionStart;
    if (area.selectionEnd === at) area.setSelectionRange(at - Math.min(4, position().character), at);
    insert("}");
  } else return;
  event.preventDefault();
});
area.addEventListener("mousemove", (event) => {
  clearTimeout(hoverTimer);
  hoverTimer = setTimeout(() => {
    const box = area.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    const line = Math.floor((y + area.scrollTop) / HEIGHT);
    const character = Math.round((x - 6 + area.scrollLeft) / charWidth);
    if (line < lines.length && character <= lines[line].length) explain({ line, character }, { x, y });
  }, 400);
});
area.addEventListener("mouseleave", () => { clearTimeout(hoverTimer); byId("hover").hidden = true; });
area.addEventListener("mousedown", () => { byId("hover").hidden = true; });

let resting;
document.addEventListener("selectionchange", () => {
  if (document.activeElement !== area) return;
  clearTimeout(resting);
  resting = setTimeout(() => moved(position().line), 250);
});

const ruler = document.createElement("canvas").getContext("2d");
ruler.font = getComputedStyle(area).font;
charWidth = ruler.measureText("M".repeat(100)).width / 100 || charWidth;
