// Puts the parts together.

import { answers } from "./answers.js";
import { connect, connection } from "./connection.js";
import { byId, dialog, el, fill, picture, say } from "./dom.js";
import { editedText, editor, format } from "./editor.js";
import { explorer } from "./explorer.js";
import { showFormulas } from "./formulas.js";
import { showGallery } from "./gallery.js";
import { language, startLanguage } from "./language.js";
import { showQuestions } from "./questions.js";
import { showModels, showStepper, stepThrough } from "./stepper.js";

/** The open file: where it is, what is on the disk. */
let file = null;
let saved = "";

const app = {
  file: () => file,
  root: () => file?.root ?? "project",
  /** Opens a file, after asking about what is not saved. */
  async open(root, path) {
    if (isDirty() && !(await mayLeave())) return false;
    let read;
    try {
      read = await connection.read(root, path);
    } catch (error) {
      say(`${path}: ${error.message.trim()}`);
      return false;
    }
    // A text area has plain line ends; those of the file are written back.
    const isDos = read.text.includes("\r\n");
    read.text = read.text.replaceAll("\r\n", "\n");
    if (file?.root !== root || file.path !== path) lastPicture = "";
    file = { root, path, version: read.version, isDos };
    saved = read.text;
    const editable = !read.cut && !read.broken;
    editor.show(read.text, { editable, coloured: editable, isDos });
    const notes = [];
    if (read.cut) notes.push("This file is long: its beginning is shown, and it cannot be edited here. Questions are about all of it.");
    if (read.broken) notes.push("This file is not text in UTF-8: what cannot be read is shown as \ufffd, and it cannot be edited here.");
    byId("notice").textContent = notes.join(" ");
    byId("file-name").textContent = root === "gallery" ? `gallery: ${path}` : path;
    document.title = `${path} – Choros`;
    say("");
    explorer.setCurrent(file);
    const folder = explorer.root(root)?.folder ?? "";
    language.open(editable ? { uri: `file://${folder}/${path.split("/").map(encodeURIComponent).join("/")}`, text: read.text } : null);
    setDirty();
    showQuestions(app);
    showFormulas(app);
    showStepper(app);
    if (!editable) components().then(draw);
    return true;
  },
  /** Writes the text, so that questions are about it; false where that fails. */
  async save() {
    if (!file || !isDirty()) return true;
    const text = editor.text();
    try {
      file.version = await connection.write(file.root, file.path, file.isDos ? text.replaceAll("\n", "\r\n") : text, file.version);
      saved = text;
      setDirty();
      say(`${file.path} was saved.`);
      return true;
    } catch (error) {
      if (error.conflict) {
        const choice = await dialog("The file has changed on the disk", el("p", {}, `Another program wrote ${file.path}.`), [
          ["Keep mine", "mine"], ["Take theirs", "theirs"], ["Cancel", undefined]]);
        const now = choice && (await connection.read(file.root, file.path));
        if (choice === "theirs") {
          saved = editor.text();
          await app.open(file.root, file.path);
        }
        if (choice === "mine") {
          file.version = now.version;
          return app.save();
        }
        return false;
      }
      say(`not saved: ${error.message}`);
      return false;
    }
  },
  /** Asks a verb about what is saved and shows the answer. */
  async ask(verb, filled, options = {}) {
    if (!(await app.save())) return null;
    if (options.show !== false) show("answers");
    return answers.ask(verb, filled, app.root(), options);
  },
  show,
  components: () => known,
  editor,
};

const isDirty = () => file !== null && !byId("text").readOnly && editor.text() !== saved;

function setDirty() {
  byId("unsaved").hidden = !isDirty();
  byId("save").disabled = !isDirty();
  byId("format").disabled = !file;
}

async function mayLeave() {
  const choice = await dialog("The text is not saved", el("p", {}, `${file.path} has changes.`), [
    ["Save", "save"], ["Throw them away", "drop"], ["Stay", undefined]]);
  return choice === "drop" || (choice === "save" && (await app.save()));
}

// The picture follows the text, saved or not.
let known = [];
async function components() {
  const lenses = (await language.ask("textDocument/codeLens")) ?? [];
  const draws = lenses.filter((it) => it.command.command === "choros.draw");
  known = draws.map((it) => ({ name: it.command.arguments[0].component ?? "", line: it.range.start.line }));
  const select = byId("component");
  const before = select.value;
  fill(select, known.map((it) => el("option", { value: it.name }, it.name || "all of it")));
  if (known.some((it) => it.name === before)) select.value = before;
  showModels();
  showLenses(lenses);
}

/** Questions in the text, those of the language server and to step through it. */
function showLenses(lenses) {
  const found = [];
  for (const it of lenses) {
    const [verb, name] = [it.command.title, it.command.arguments[0].component ?? ""];
    const one = { line: it.range.start.line, name };
    found.push({ ...one, title: verb, act: () => askAbout(verb, name) });
    if (verb === "draw") found.push({ ...one, title: "step", act: () => stepThrough(name) });
  }
  editor.setLenses(found);
}

function askAbout(verb, name) {
  if (verb === "draw") {
    byId("component").value = name;
    show("picture");
    return draw();
  }
  const target = name ? `${file.path}#${name}` : file.path;
  return app.ask(verb, { files: [target], ...(verb === "realize" ? { repair: true } : {}) });
}

/** The picture is of the model that the cursor is in. */
function followCursor(line) {
  const here = known.filter((it) => it.line <= line).pop();
  if (known.length < 2 || !here || here.name === byId("component").value) return;
  byId("component").value = here.name;
  draw();
}

let drawing = 0;
let lastPicture = "";
async function draw() {
  const turn = ++drawing;
  const note = byId("picture-note");
  byId("welcome").hidden = file !== null;
  byId("picture-bar").hidden = !known.length;
  if (!known.length) {
    fill(byId("drawing"));
    note.textContent = file ? "There is no picture of this file." : "";
    return;
  }
  note.textContent = "Drawing…";
  const answer = await language.command("choros.draw", { quiet: true, ...(byId("component").value ? { component: byId("component").value } : {}) });
  if (turn !== drawing) return;
  if (!answer) return void (note.textContent = "There is no new picture: the text changed, or drawing took too long.");
  if (answer.failed) return void (note.textContent = `There is no picture: ${answer.failed}`);
  if (answer.picture) {
    lastPicture = answer.picture;
    note.textContent = "";
    showPicture();
  } else {
    note.textContent = answer.exit === 2 ? lastPicture ? "Fix the problems to see the new picture; this is the last one." : "Fix the problems to see the picture." : "There is no picture of this.";
  }
}

function showPicture() {
  fill(byId("drawing"), lastPicture && picture(lastPicture, Number(byId("zoom").value)));
}

let pausing;
function changed(text) {
  language.change(text);
  setDirty();
  clearTimeout(pausing);
  pausing = setTimeout(() => components().then(draw), 400);
}

// Tabs, as the keyboard expects them: arrows go from one to the next.
const tabs = [...document.querySelectorAll('[role="tab"]')];
function show(name) {
  for (const tab of tabs) {
    const isIt = tab.getAttribute("aria-controls") === name;
    tab.setAttribute("aria-selected", String(isIt));
    tab.tabIndex = isIt ? 0 : -1;
    byId(tab.getAttribute("aria-controls")).hidden = !isIt;
  }
}
for (const [index, tab] of tabs.entries()) {
  tab.addEventListener("click", () => show(tab.getAttribute("aria-controls")));
  tab.addEventListener("keydown", (event) => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!move) return;
    const next = tabs[(index + move + tabs.length) % tabs.length];
    show(next.getAttribute("aria-controls"));
    next.focus();
  });
}

const KEYS = [
  ["Ctrl S", "save"], ["Ctrl Enter", "check the file"], ["Ctrl Shift Enter", "ask about the model at the cursor"], ["Ctrl Space", "complete"], ["Ctrl .", "fix the problem at the cursor"],
  ["F8", "next problem"], ["Ctrl K", "what is known here"], ["F12", "go to the definition"], ["F2", "rename"],
  ["Shift Alt F", "format"], ["Alt 1 … Alt 5", "picture, ask, step, formulas, answers"], ["Alt 0", "the text"],
];
document.addEventListener("keydown", (event) => {
  const control = event.ctrlKey || event.metaKey;
  if (control && event.key.toLowerCase() === "s") app.save();
  else if (control && !event.shiftKey && event.key === "Enter" && file) app.ask("check", { files: [file.path] });
  else if (event.altKey && event.key === "0") editor.focus();
  else if (event.altKey && event.key >= "1" && event.key <= "5") {
    show(tabs[event.key - 1].getAttribute("aria-controls"));
    tabs[event.key - 1].focus();
  } else return;
  event.preventDefault();
});
byId("keys").addEventListener("click", () => dialog("Keys", el("table", {}, el("tbody", {},
  KEYS.map(([key, does]) => el("tr", {}, el("th", { scope: "row" }, key), el("td", {}, does)))))));

function setTheme(theme) {
  document.documentElement.dataset.theme = theme;
  localStorage.setItem("choros-theme", theme);
}
setTheme(localStorage.getItem("choros-theme") ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
byId("theme").addEventListener("click", () => setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark"));

byId("save").addEventListener("click", () => app.save());
byId("format").addEventListener("click", () => format());
byId("component").addEventListener("change", draw);
byId("zoom").addEventListener("input", showPicture);
window.addEventListener("beforeunload", (event) => {
  if (isDirty()) event.preventDefault();
});

editor.onChange(changed);
editor.onElsewhere({
  /** Goes to a place in another file. */
  async goTo(uri, line, column) {
    const place = placeOf(uri);
    if (!place) return say("That is outside the folder that this page shows.");
    if (await app.open(place.root, place.path)) editor.goTo(line, column);
  },
  /** Changes other files, all or none of which the page may write; false where that fails. */
  async change(changes) {
    const texts = [];
    for (const [uri, edits] of Object.entries(changes)) {
      const place = placeOf(uri);
      if (!place) {
        say(`Nothing was renamed: ${uri} is outside the folder that this page shows.`);
        return false;
      }
      const read = await connection.read(place.root, place.path);
      texts.push({ ...place, version: read.version, text: editedText(read.text, edits) });
    }
    if (!(await app.save())) return false;
    for (const it of texts) await connection.write(it.root, it.path, it.text, it.version);
    return true;
  },
  save: () => app.save(),
});

/** The file of the page that the language server calls so. */
function placeOf(uri) {
  const path = decodeURIComponent(uri.replace(/^file:\/\//, ""));
  for (const root of ["project", "gallery"]) {
    const folder = `${explorer.root(root)?.folder}/`;
    if (path.startsWith(folder)) return { root, path: path.slice(folder.length) };
  }
  return null;
}
language.onDiagnostics((found) => {
  editor.setProblems(found);
  editor.refresh();
});
language.onEdits((edits, label) => {
  editor.apply(edits);
  say(`${label ?? "The server"}: the text was changed. Undo takes it back.`);
});
editor.onCursor(followCursor);
language.onOpened(() => {
  editor.refresh();
  components().then(draw);
});
explorer.onOpen(app.open);
await explorer.load();
startLanguage(explorer.root("project").folder);
answers.start(app);
connect();
showStepper(app);
// What someone begins to fill in is not drawn again.
await Promise.all([showQuestions(app), showFormulas(app), showGallery(app)]);

/** `#file=path` opens a file, `#answer=7` shows an answer again. */
async function follow() {
  const wanted = new URLSearchParams(location.hash.slice(1));
  if (wanted.has("file")) await app.open(wanted.get("root") ?? "project", wanted.get("file"));
  if (wanted.has("answer")) {
    show("answers");
    answers.again(wanted.get("answer"));
  }
}
window.addEventListener("hashchange", follow);
await follow();
document.body.dataset.ready = "yes";
