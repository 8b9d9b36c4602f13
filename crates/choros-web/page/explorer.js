// The files at the left.

import { connection } from "./connection.js";
import { byId, dialog, el, fill, say } from "./dom.js";

let roots = [];
let current = null;
let open = () => {};
const MOST = 400;
/** What a new choreography begins with, to be overwritten. */
const BEGINNING = "choreography Example[client, service] {\n    client -> service: Ask(n: Int)\n    service -> client: Answer\n}\n";

export const explorer = {
  onOpen(listener) {
    open = listener;
  },
  root: (name) => roots.find((it) => it.name === name),
  /** Paths of the files beside the open one, for forms. */
  paths: (root) => explorer.root(root)?.files.map((it) => it.path) ?? [],
  setCurrent(file) {
    current = file;
    show();
  },
  async load() {
    roots = await connection.json("files");
    show();
  },
};

function show() {
  const wanted = byId("filter").value.toLowerCase();
  const project = explorer.root("project");
  const files = (project?.files ?? []).filter((it) => it.path.toLowerCase().includes(wanted));
  // A folder's own files before those of the folders in it.
  const folderOf = (it) => it.path.slice(0, it.path.lastIndexOf("/") + 1);
  files.sort((a, b) => (folderOf(a) < folderOf(b) ? -1 : folderOf(a) > folderOf(b) ? 1 : a.path < b.path ? -1 : 1));
  const items = [];
  let folder = "";
  for (const file of files.slice(0, MOST)) {
    const at = file.path.lastIndexOf("/");
    const here = at < 0 ? "" : file.path.slice(0, at);
    if (here !== folder) items.push(el("li", { class: "folder" }, here || "."));
    folder = here;
    const isCurrent = current?.root === "project" && current.path === file.path;
    items.push(el("li", {}, el("button", {
      type: "button", class: "plain", title: file.path, "data-path": file.path, "aria-current": String(isCurrent),
      onclick: () => open("project", file.path),
    }, file.path.slice(at + 1))));
  }
  if (files.length > MOST) items.push(el("li", { class: "faint" }, `${files.length - MOST} more: filter them`));
  if (project && !project.files.length) items.push(el("li", { class: "faint" }, "no files yet"));
  fill(byId("files"), items);
}

byId("filter").addEventListener("input", show);
byId("refresh").addEventListener("click", () => explorer.load());
byId("new-file").addEventListener("click", async () => {
  const input = el("input", { type: "text", value: "new.chor", "aria-label": "Path of the new file" });
  const path = await dialog("New file", el("p", {}, input), [["Create", () => input.value], ["Cancel", undefined]]);
  if (!path) return;
  try {
    await connection.write("project", path, path.endsWith(".chor") ? BEGINNING : "", "");
    await explorer.load();
    open("project", path);
  } catch (error) {
    say(error.message);
  }
});
