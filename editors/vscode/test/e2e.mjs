// The extension in a real VS Code: code-server in a browser without a window.
//
// node test/e2e.mjs CODE_SERVER VSIX CHOROS EXAMPLES SCREENSHOTS
// CODE_SERVER is the file `out/node/entry.js` of code-server; the browser is Chromium of the system.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const [codeServer, vsix, choros, examples, screenshots] = process.argv.slice(2);
const home = mkdtempSync(join(tmpdir(), 'choros-code-'));
const folder = join(home, 'project');
mkdirSync(folder);
mkdirSync(screenshots, { recursive: true });
copyFileSync(join(examples, 'online-shopping.chor'), join(folder, 'online-shopping.chor'));
writeFileSync(join(folder, 'wrong.chor'), 'choreography S[a, b] {\n    a -> c: M\n}\n');
const text = readFileSync(join(examples, 'online-shopping.chor'), 'utf8').split('\n');
const lineOf = (words) => text.findIndex((it) => it.includes(words)) + 1;
const settings = {
  'choros.path': choros,
  'workbench.startupEditor': 'none',
  'security.workspace.trust.enabled': false,
  'telemetry.telemetryLevel': 'off',
  'extensions.autoUpdate': false,
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'chat.disableAIFeatures': true,
  'editor.minimap.enabled': false,
};
const user = join(home, 'data', 'User');
mkdirSync(user, { recursive: true });
writeFileSync(join(user, 'settings.json'), JSON.stringify(settings));

const port = await new Promise((done) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    server.close(() => done(port));
  });
});
const common = [
  '--config', join(home, 'config.yaml'),
  '--user-data-dir', join(home, 'data'),
  '--extensions-dir', join(home, 'extensions'),
];
writeFileSync(join(home, 'config.yaml'), '');
const start = (args) =>
  spawn(process.execPath, [codeServer, ...common, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, HOME: home, XDG_DATA_HOME: join(home, 'share') },
  });
const ended = (child) => new Promise((done) => child.on('exit', done));

const installing = start(['--install-extension', vsix]);
installing.stderr.pipe(process.stderr);
assert.equal(await ended(installing), 0, 'the extension is installed');

const server = start([
  '--bind-addr', `127.0.0.1:${port}`, '--auth', 'none', '--disable-telemetry',
  '--disable-update-check', '--disable-workspace-trust', folder,
]);
let said = '';
server.stdout.on('data', (it) => (said += it));
server.stderr.on('data', (it) => (said += it));

let browser;
try {
  const from = Date.now();
  while (!said.includes('HTTP server listening')) {
    assert.ok(Date.now() - from < 120_000, `the server starts: ${said}`);
    await new Promise((done) => setTimeout(done, 200));
  }
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
      '--disable-background-networking', '--disable-component-update', '--disable-sync',
    ],
  });
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  page.setDefaultTimeout(60_000);
  await page.goto(`http://127.0.0.1:${port}/?folder=${encodeURIComponent(folder)}`);
  await page.waitForSelector('.monaco-workbench');
  const picture = (name) => page.screenshot({ path: join(screenshots, `${name}.png`) });
  const open = async (name) => {
    await page.keyboard.press('Control+P');
    await page.waitForSelector('.quick-input-widget input');
    await page.keyboard.type(name, { delay: 20 });
    await page.waitForSelector(`.quick-input-list .monaco-list-row:has-text("${name}")`);
    await page.keyboard.press('Enter');
    await page.waitForSelector(`.tab.active:has-text("${name}")`);
    await page.waitForSelector('.editor-instance .view-lines');
  };
  const command = async (title) => {
    await page.keyboard.press('F1');
    await page.waitForSelector('.quick-input-widget input');
    await page.keyboard.type(title, { delay: 20 });
    await page.waitForSelector(`.quick-input-list .monaco-list-row:has-text("${title}")`);
    await page.keyboard.press('Enter');
  };

  const goTo = async (line) => {
    await page.keyboard.press('Control+1');
    await page.keyboard.press('Control+G');
    await page.waitForSelector('.quick-input-widget input');
    await page.keyboard.type(`${line}`, { delay: 20 });
    await page.keyboard.press('Enter');
    await page.waitForFunction((line) => document.body.textContent.includes(`Ln ${line},`), line);
  };

  // A mistake is underlined, and the words of the language have colours.
  await open('wrong.chor');
  await page.waitForSelector('.squiggly-error');
  console.log('squiggle: yes');
  const colours = await page.$$eval('.view-line span[class*=mtk]', (spans) =>
    new Set(spans.map((it) => it.className)).size);
  assert.ok(colours > 1, 'there are colours');
  await picture('squiggle');

  // Lenses stand above each choreography.
  await open('online-shopping.chor');
  await page.waitForSelector('.codelens-decoration:has-text("realize")');
  console.log('lenses: yes');

  // The diagram is that of the choreography at the cursor, and follows it.
  await goTo(lineOf('b -> v: Request'));
  await command('Choros: Show Diagram');
  const view = async (text) => {
    const from = Date.now();
    for (;;) {
      // What stands in the text itself does not count.
      for (const frame of page.frames().slice(1)) {
        const found = await frame.evaluate(() => document.body?.textContent ?? '').catch(() => '');
        if (text.every((it) => found.includes(it))) {
          return;
        }
      }
      assert.ok(Date.now() - from < 60_000, `a view shows ${text}`);
      await page.waitForTimeout(200);
    }
  };
  await view(['Confirm', 'Abort']);
  await picture('diagram');
  await goTo(lineOf('v -> w: sell'));
  await view(['sell', 'info', 'resp']);
  console.log('diagram follows: yes');
  await picture('diagram-follows');

  // Coverage stands in the gutter.
  await goTo(lineOf('v -> w: sell'));
  await command('Choros: Toggle Coverage');
  await page.waitForFunction(() => {
    const glyphs = [...document.querySelectorAll('.glyph-margin-widgets *')];
    return glyphs.some((it) => getComputedStyle(it).backgroundImage.includes('taken'));
  });
  console.log('coverage: yes');
  await picture('coverage');

  // The explorer lists the tests of the model.
  await command('Choros: List Tests');
  await command('Testing: Focus on Test Explorer View');
  await page.waitForSelector('.test-explorer-tree .monaco-list-row:has-text("online-shopping.chor")');
  console.log('tests: yes');
  await picture('tests');

  // A lens asks, and the run that shows the answer opens as a chart.
  await goTo(lineOf('choreography shop'));
  const lenses = page.locator('.codelens-decoration a:has-text("realize")');
  await lenses.last().click();
  await view(['fails']);
  console.log('verdict: yes');
  await picture('verdict');

  // The quick fix at the verdict finds a repair, and it is in the text.
  await goTo(lineOf('choreography shop'));
  await page.keyboard.press('F8');
  await page.keyboard.press('Escape');
  await goTo(lineOf('choreography shop'));
  for (let word = 0; word < 2; word += 1) {
    await page.keyboard.press('Control+ArrowRight');
  }
  await page.keyboard.press('Control+.');
  await page.waitForSelector('.action-widget :text("find messages that make it realizable")');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() =>
    [...document.querySelectorAll('.view-line')].some((it) => it.textContent.replace(/\u00a0/g, ' ').trim() === 'v -> w: cbr(x)'));
  console.log('repair: yes');
  await picture('repair');
} catch (failure) {
  if (browser) {
    const [context] = browser.contexts();
    await context?.pages()[0]?.screenshot({ path: join(screenshots, 'failed.png') });
  }
  console.error(said.slice(-2000));
  throw failure;
} finally {
  await browser?.close();
  server.kill();
  await ended(server);
  rmSync(home, { recursive: true, force: true });
}
