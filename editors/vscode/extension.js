// Starts `choros lsp`, and shows what verbs answer beside the text.
const vscode = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

const VERBS = ['check', 'explore', 'realize', 'draw'];

async function activate(context) {
  const settings = vscode.workspace.getConfiguration('choros');
  const server = { command: settings.get('path'), args: ['lsp'] };
  client = new LanguageClient('choros', 'Choros', server, {
    documentSelector: [
      { scheme: 'file', pattern: '**/*.{abs,bpel,chor,contract,cows,fsa,gc,pact,prop,schora,socl,solve,tp}' },
      { scheme: 'untitled', language: 'choros-chor' },
    ],
    initializationOptions: { check: settings.get('check') },
    middleware: {
      // The client registers the server's commands by itself: what they answer is shown.
      async executeCommand(command, parameters, next) {
        const answer = await next(command, parameters);
        if (answer && VERBS.includes(answer.verb)) {
          show(answer);
        }
        return answer;
      },
    },
  });
  context.subscriptions.push(client);
  await client.start();
}

// A picture or a chart where there is one, and the report as text.
function show(answer) {
  const picture = answer.picture || answer.chart;
  if (!picture) {
    vscode.workspace
      .openTextDocument({ content: answer.text })
      .then((document) => vscode.window.showTextDocument(document, vscode.ViewColumn.Beside, true));
    return;
  }
  const panel = vscode.window.createWebviewPanel(
    'choros', `choros ${answer.verb}`, { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true }, {});
  const text = answer.text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign]);
  panel.webview.html =
    '<!doctype html><meta charset="utf-8">' +
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">' +
    `<body style="background:white;color:black">${picture}<pre>${text}</pre></body>`;
}

function deactivate() {
  return client && client.stop();
}

module.exports = { activate, deactivate };
