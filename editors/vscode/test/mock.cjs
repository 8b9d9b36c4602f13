// As much of VS Code as the views touch, so that they run under node alone.
'use strict';
const Module = require('node:module');

const listeners = {};
const on = (name) => (listener) => {
  (listeners[name] ??= new Set()).add(listener);
  return { dispose: () => listeners[name].delete(listener) };
};
const fire = (name, event) => [...(listeners[name] ?? [])].forEach((it) => it(event));

class Range {
  constructor(startLine, startCharacter, endLine, endCharacter) {
    this.start = { line: startLine, character: startCharacter };
    this.end = { line: endLine, character: endCharacter };
  }
}
class Uri {
  constructor(text) {
    this.text = text;
    this.path = text.replace(/^file:\/\//, '');
    this.fsPath = this.path;
  }
  toString() {
    return this.text;
  }
  static parse(text) {
    return new Uri(text);
  }
  static joinPath(uri, ...parts) {
    return new Uri([uri.text, ...parts].join('/'));
  }
}
class Items extends Map {
  add(item) {
    this.set(item.id, item);
  }
  forEach(work) {
    [...this.values()].forEach((it) => work(it));
  }
}
class CancellationTokenSource {
  token = { isCancellationRequested: false };
  cancel() {
    this.token.isCancellationRequested = true;
  }
}

const panels = [];
const warnings = [];
const opened = [];
const controllers = [];
const runs = [];
const picks = [];

const vscode = {
  Range,
  Uri,
  CancellationTokenSource,
  ThemeColor: class {},
  TestMessage: class {
    constructor(message) {
      this.message = message;
    }
  },
  ViewColumn: { One: 1, Beside: -2 },
  OverviewRulerLane: { Left: 1 },
  TestRunProfileKind: { Run: 1 },
  window: {
    activeTextEditor: undefined,
    visibleTextEditors: [],
    onDidChangeTextEditorSelection: on('selection'),
    onDidChangeActiveTextEditor: on('editor'),
    createTextEditorDecorationType: (options) => ({ options, dispose() {} }),
    createWebviewPanel(kind, title) {
      const panel = {
        kind,
        title,
        webview: { html: '', onDidReceiveMessage: (it) => (panel.receive = it) },
        onDidDispose: (it) => (panel.disposed = it),
        dispose() {},
      };
      panels.push(panel);
      return panel;
    },
    showTextDocument: async (uri, options) => opened.push([uri.toString(), options]),
    showWarningMessage: (text) => warnings.push(text),
    showQuickPick: async (items) => items.find(picks.shift()),
    showInputBox: async (options) => picks.shift()(options),
  },
  workspace: { onDidChangeTextDocument: on('text') },
  tests: {
    createTestController(id, label) {
      const controller = {
        id,
        label,
        items: new Items(),
        createTestItem: (id, label, uri) => ({ id, label, uri, children: new Items() }),
        createRunProfile: (name, kind, handler) => (controller.handler = handler),
        createTestRun() {
          const run = { log: [] };
          for (const word of ['enqueued', 'started', 'passed', 'failed', 'errored', 'skipped']) {
            run[word] = (item, message) => run.log.push([word, item.label, message?.message]);
          }
          run.appendOutput = () => {};
          run.end = () => run.log.push(['end']);
          runs.push(run);
          return run;
        },
        dispose() {},
      };
      controllers.push(controller);
      return controller;
    },
  },
};

const load = Module._load;
Module._load = function (name, ...rest) {
  return name === 'vscode' ? vscode : load.call(this, name, ...rest);
};

/** An editor over a text. */
function editor(uri) {
  const decorated = [];
  return {
    document: { uri: new Uri(uri) },
    selection: { active: { line: 2, character: 4 } },
    decorated,
    setDecorations: (kind, ranges) => decorated.push([kind.options.gutterIconPath.path, ranges]),
  };
}

/** A client whose server answers as told, and what it was asked. */
function client(answers) {
  const asked = [];
  return {
    asked,
    async sendRequest(method, parameters, ...more) {
      // As the real client does: what is no token is another parameter.
      if (more.length > 0 && more[0]?.isCancellationRequested === undefined) {
        throw new Error('too many parameters');
      }
      asked.push([method, parameters]);
      const key = parameters.command ?? method;
      const answer = answers[key];
      if (answer instanceof Error) {
        throw answer;
      }
      return typeof answer === 'function' ? answer(parameters) : answer;
    },
  };
}

module.exports = { vscode, panels, warnings, opened, controllers, runs, picks, fire, editor, client };
