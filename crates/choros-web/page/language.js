// The language server, as the editor uses it.

import { connection } from "./connection.js";

let next = 1;
let waiting = new Map();
let document_ = null;
let ready = false;
let failures = 0;
let legend = [];
const listeners = { diagnostics: () => {}, opened: () => {} };

export const language = {
  onDiagnostics(listener) {
    listeners.diagnostics = listener;
  },
  /** Called whenever the server knows the open file. */
  onOpened(listener) {
    listeners.opened = listener;
  },
  tokenTypes: () => legend,
  isOpen: () => ready && document_ !== null,
  uri: () => document_?.uri,
  /** The file that is edited; null where none is, or one that is not for the server. */
  open(file) {
    if (document_ && ready) notify("textDocument/didClose", { textDocument: { uri: document_.uri } });
    document_ = file && { ...file, version: 1 };
    if (ready) tellOpen();
  },
  change(text) {
    if (!document_) return;
    document_.text = text;
    document_.version += 1;
    if (ready) {
      notify("textDocument/didChange", {
        textDocument: { uri: document_.uri, version: document_.version },
        contentChanges: [{ text }],
      });
    }
  },
  /** A request about the open file; null where there is no answer. */
  ask(method, parameters = {}) {
    if (!ready || !document_) return Promise.resolve(null);
    return request(method, { textDocument: { uri: document_.uri }, ...parameters });
  },
  command(command, argument) {
    if (!ready || !document_) return Promise.resolve(null);
    return request("workspace/executeCommand", { command, arguments: [{ uri: document_.uri, ...argument }] });
  },
};

export function startLanguage(folder) {
  connection.onLanguage(hear, async () => {
    ready = false;
    for (const resolve of waiting.values()) resolve(null);
    waiting = new Map();
    // A server that ends again and again is left alone.
    if (++failures > 5) return;
    const answer = await request("initialize", {
      processId: null,
      rootUri: `file://${folder}`,
      capabilities: { general: { positionEncodings: ["utf-16"] } },
    });
    if (!answer) return;
    legend = answer.capabilities.semanticTokensProvider.legend.tokenTypes;
    ready = true;
    notify("initialized", {});
    tellOpen();
  });
}

function tellOpen() {
  if (!document_) return;
  failures = 0;
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
  } else if (message.method && message.id !== undefined) {
    connection.toLanguage({ jsonrpc: "2.0", id: message.id, result: null });
  } else if (waiting.has(message.id)) {
    waiting.get(message.id)(message.result ?? null);
    waiting.delete(message.id);
  }
}
