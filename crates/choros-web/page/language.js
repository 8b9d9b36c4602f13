// The language server, as the editor uses it.

import { connection } from "./connection.js";
import { say } from "./dom.js";

let next = 1;
let waiting = new Map();
let document_ = null;
let ready = false;
let root = "";
let failures = 0;
let legend = [];
const listeners = { diagnostics: () => {}, opened: () => {}, edits: () => {} };

export const language = {
  onDiagnostics(listener) {
    listeners.diagnostics = listener;
  },
  /** Called whenever the server knows the open file. */
  onOpened(listener) {
    listeners.opened = listener;
  },
  /** Called with changes that the server asks for. */
  onEdits(listener) {
    listeners.edits = listener;
  },
  tokenTypes: () => legend,
  isOpen: () => ready && document_ !== null,
  uri: () => document_?.uri,
  /** The file that is edited; null where none is, or one that is not for the server. */
  open(file) {
    if (document_ && ready) notify("textDocument/didClose", { textDocument: { uri: document_.uri } });
    document_ = file && { ...file, version: 1 };
    if (!begunAfresh() && ready) tellOpen();
  },
  change(text) {
    if (!document_) return;
    document_.text = text;
    document_.version += 1;
    if (!begunAfresh() && ready) {
      notify("textDocument/didChange", {
        textDocument: { uri: document_.uri, version: document_.version },
        contentChanges: [{ text }],
      });
    }
  },
  /** A request about the open file; null where there is no answer. */
  async ask(method, parameters = {}) {
    const answer = await language.attempt(method, parameters);
    return answer?.failed ? null : answer;
  },
  /** The same; `failed` says why where it was refused. */
  attempt(method, parameters = {}) {
    if (!ready || !document_) return Promise.resolve(null);
    return request(method, { textDocument: { uri: document_.uri }, ...parameters });
  },
  /** A verb about the open file; `failed` says why where it was refused. */
  command(command, argument) {
    if (!ready || !document_) return Promise.resolve(null);
    return request("workspace/executeCommand", { command, arguments: [{ uri: document_.uri, ...argument }] });
  },
};

/** Over one text it is started again so often, and then left alone until the text changes. */
const MOST_FAILURES = 3;

export function startLanguage(folder) {
  root = `file://${folder}`;
  connection.onLanguage(hear, begin, () => {
    failures += 1;
    ready = false;
    forget();
    if (failures > MOST_FAILURES) {
      say("The language server ended several times over this text: it is too large for it. Questions under Ask still work.");
    } else {
      say("The language server ended, perhaps for want of memory, and was started again. It no longer checks this text in the background.");
      begin();
    }
  });
}

/** Starts a server; one that ended over this text does nothing in the background any more. */
async function begin() {
  ready = false;
  forget();
  const answer = await request("initialize", {
    processId: null,
    rootUri: root,
    initializationOptions: { check: failures === 0 },
    capabilities: { general: { positionEncodings: ["utf-16"] }, workspace: { applyEdit: true } },
  });
  if (!answer) return;
  legend = answer.capabilities.semanticTokensProvider.legend.tokenTypes;
  ready = true;
  notify("initialized", {});
  tellOpen();
}

/** No one answers what was asked. */
function forget() {
  for (const resolve of waiting.values()) resolve(null);
  waiting = new Map();
}

/** Another text may be no trouble: the server works on it as if nothing had happened. */
function begunAfresh() {
  if (!failures) return false;
  failures = 0;
  begin();
  return true;
}

function tellOpen() {
  if (!document_) return;
  notify("textDocument/didOpen", {
    textDocument: { uri: document_.uri, languageId: "", version: document_.version, text: document_.text },
  });
  listeners.opened();
}

function notify(method, params) {
  connection.toLanguage({ jsonrpc: "2.0", method, params });
}

function request(method, params) {
  const id = next++;
  connection.toLanguage({ jsonrpc: "2.0", id, method, params });
  return new Promise((resolve) => waiting.set(id, resolve));
}

function hear(message) {
  if (message.method === "textDocument/publishDiagnostics") {
    const told = message.params;
    if (told.uri === document_?.uri) listeners.diagnostics(told.diagnostics);
  } else if (message.method === "window/showMessage") {
    if (message.params.type <= 2) say(message.params.message);
  } else if (message.method === "workspace/applyEdit") {
    const edits = message.params.edit.changes?.[document_?.uri];
    if (edits) listeners.edits(edits, message.params.label);
    connection.toLanguage({ jsonrpc: "2.0", id: message.id, result: { applied: Boolean(edits) } });
  } else if (message.method && message.id !== undefined) {
    connection.toLanguage({ jsonrpc: "2.0", id: message.id, result: null });
  } else if (waiting.has(message.id)) {
    // What was overtaken by a keystroke is of no use; any other refusal says why.
    const failed = message.error && ![-32801, -32800].includes(message.error.code) ? { failed: message.error.message } : null;
    waiting.get(message.id)(message.result ?? failed);
    waiting.delete(message.id);
  }
}
