// The views show what the server answers, and nothing of their own. Run by `node --test`.
'use strict';
const assert = require('node:assert/strict');
const { test } = require('node:test');
const mock = require('./mock.cjs');
const { Diagram } = require('../out/diagram.js');
const { Coverage } = require('../out/coverage.js');
const { Tests } = require('../out/tests.js');
const { showAnswer } = require('../out/trace.js');
const { askAnything, split } = require('../out/verbs.js');
const { page, escaped } = require('../out/page.js');

const URI = 'file:///m.chor';
const place = (line) => ({
  uri: URI,
  range: { start: { line, character: 4 }, end: { line, character: 9 } },
});
const answer = (more) => ({
  verb: 'draw', component: 'S', verdict: null, exit: 0, text: 'words', picture: null, chart: null,
  steps: null, ...more,
});
const after = (time) => new Promise((done) => setTimeout(done, time));

test('the diagram follows the cursor', async () => {
  const client = mock.client({ 'choros.draw': answer({ picture: '<svg>one</svg>' }) });
  const editor = mock.editor(URI);
  mock.vscode.window.activeTextEditor = editor;
  const diagram = new Diagram(client, () => true);
  // Nothing is asked before there is something to show it in.
  mock.fire('selection', { textEditor: editor });
  await after(300);
  assert.equal(client.asked.length, 0);
  diagram.open();
  await after(20);
  const panel = mock.panels.at(-1);
  assert.match(panel.webview.html, /<svg>one<\/svg>/);
  assert.equal(panel.title, 'Diagram of S');
  const question = client.asked[0][1].arguments[0];
  assert.deepEqual(question, { uri: URI, position: { line: 2, character: 4 }, quiet: true });
  // Ten moves are one question.
  for (let move = 0; move < 10; move += 1) {
    mock.fire('selection', { textEditor: editor });
  }
  await after(350);
  assert.equal(client.asked.length, 2);
  diagram.dispose();
});

test('a late answer is not shown', async () => {
  let release;
  const late = new Promise((done) => (release = done));
  let calls = 0;
  const client = mock.client({
    'choros.draw': () => (calls++ === 0 ? late : answer({ picture: '<svg>new</svg>' })),
  });
  const editor = mock.editor(URI);
  mock.vscode.window.activeTextEditor = editor;
  const diagram = new Diagram(client, () => true);
  diagram.open();
  await after(20);
  mock.fire('selection', { textEditor: editor });
  await after(300);
  release(answer({ picture: '<svg>old</svg>' }));
  await after(20);
  assert.match(mock.panels.at(-1).webview.html, /new/);
  diagram.dispose();
});

test('a run goes to the line of each step', async () => {
  const steps = [
    { text: 'a -> b: M', guard: 'x < 1', location: place(1) },
    { text: 'the end', guard: null, location: null },
  ];
  const panel = showAnswer(answer({ verb: 'realize', chart: '<svg>chart</svg>', steps, text: '1 < 2' }));
  assert.match(panel.webview.html, /<svg>chart<\/svg>/);
  assert.match(panel.webview.html, /data-step="0">a -&gt; b: M  \[x &lt; 1\]/);
  assert.match(panel.webview.html, /<pre>1 &lt; 2<\/pre>/);
  assert.equal(panel.webview.html.match(/<button/g).length, 1);
  panel.receive(0);
  await after(0);
  assert.equal(mock.opened.at(-1)[0], URI);
  assert.equal(mock.opened.at(-1)[1].selection.start.line, 1);
  // A message that makes no sense opens nothing.
  const before = mock.opened.length;
  panel.receive(7);
  await after(0);
  assert.equal(mock.opened.length, before);
});

test('coverage is shown until the text changes', async () => {
  const coverage = [
    { of: 'v', location: place(1), tests: 2 },
    { of: 'v', location: place(3), tests: 0 },
  ];
  const client = mock.client({ 'choros.tests': answer({ verb: 'tests', coverage }) });
  const editor = mock.editor(URI);
  mock.vscode.window.activeTextEditor = editor;
  mock.vscode.window.visibleTextEditors = [editor];
  const view = new Coverage(client, new mock.vscode.Uri('ext'));
  await view.toggle();
  const [taken, missed] = editor.decorated;
  assert.deepEqual(taken[1].map((it) => it.range.start.line), [1]);
  assert.deepEqual(missed[1].map((it) => it.range.start.line), [3]);
  assert.match(missed[0], /missed/);
  mock.fire('text', { document: editor.document, contentChanges: [{}] });
  assert.deepEqual(editor.decorated.slice(2).map((it) => it[1]), [[], []]);
  view.dispose();
});

test('tests are listed, and driving one says what became of it', async () => {
  const tests = [
    { component: 'S', role: 'v', of: 'v', name: 'test_1', about: 'b.M?', steps: [], location: place(1) },
    { component: 'S', role: 'v', of: 'v', name: 'test_2', about: '', steps: [], location: null },
    { component: 'S', role: 'b', of: 'b', name: 'test_1', about: '', steps: [], location: null },
  ];
  const verdicts = {
    'v/test_1': answer({ verb: 'drive', verdict: 'holds' }),
    'v/test_2': answer({ verb: 'drive', verdict: 'fails', exit: 1, text: 'it said 5' }),
  };
  const client = mock.client({
    'choros.tests': answer({ verb: 'tests', tests }),
    'choros.drive': ({ arguments: [it] }) => {
      const found = verdicts[`${it.role}/${it.test[0]}`];
      if (!found) {
        throw new Error('say where the service is');
      }
      return found;
    },
  });
  mock.vscode.window.activeTextEditor = mock.editor(URI);
  const view = new Tests(client);
  await view.refresh();
  const controller = mock.controllers.at(-1);
  const file = controller.items.get(URI);
  assert.deepEqual([...file.children.keys()], ['S as v', 'S as b']);
  assert.equal(file.children.get('S as v').children.get('S as v/test_1').range.start.line, 1);
  await controller.handler({ include: undefined }, { isCancellationRequested: false });
  const log = mock.runs.at(-1).log.filter((it) => it[0] !== 'enqueued' && it[0] !== 'started');
  assert.deepEqual(log, [
    ['passed', 'test_1', undefined],
    ['failed', 'test_2', 'it said 5'],
    ['errored', 'test_1', 'say where the service is'],
    ['end'],
  ]);
});

test('any verb can be asked', async () => {
  const client = mock.client({
    'choros/verbs': [{ verb: 'audit', about: 'Who is guilty?', options: [{ name: '--log', takes: 'FILE' }] }],
    'choros.run': answer({ verb: 'audit', text: 'holds' }),
  });
  mock.picks.push((it) => it.label === 'audit', (options) => {
    assert.equal(options.prompt, '--log FILE');
    return 'm.chor --log "a b.json"';
  });
  await askAnything(client);
  assert.deepEqual(client.asked.at(-1)[1].arguments, [
    { verb: 'audit', args: ['m.chor', '--log', 'a b.json'] },
  ]);
});

test('words are split as a shell does', () => {
  assert.deepEqual(split('  a "b c"  d\\"e "" '), ['a', 'b c', 'd"e', '']);
});

test('pages run nothing that the model says', () => {
  assert.equal(escaped('<script>"&'), '&lt;script&gt;&quot;&amp;');
  assert.match(page('x'), /default-src 'none'/);
  assert.doesNotMatch(page('x'), /script-src/);
});
