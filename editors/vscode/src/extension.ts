// Starts `choros lsp` and the views that show what it answers.
import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { Coverage } from './coverage';
import { Diagram } from './diagram';
import { Answer } from './server';
import { Tests } from './tests';
import { showAnswer } from './trace';
import { askAnything } from './verbs';

const LANGUAGES = 'abs,aut,bpel,chor,contract,cows,fsa,gc,pact,prop,schora,socl,solve,stg,tp';

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const settings = vscode.workspace.getConfiguration('choros');
  const server = { command: settings.get<string>('path', 'choros'), args: ['lsp'] };
  const target = settings.get<string>('drive.target', '');
  const mapping = settings.get<string>('drive.mapping', '');
  const drive = target ? { target, ...(mapping ? { mapping } : {}) } : undefined;
  const client = new LanguageClient('choros', 'Choros', server, {
    documentSelector: [
      { scheme: 'file', pattern: `**/*.{${LANGUAGES}}` },
      { scheme: 'file', pattern: '**/choros.toml' },
      { scheme: 'file', pattern: '**/*.bind.toml' },
      { scheme: 'untitled', language: 'choros-chor' },
    ],
    initializationOptions: { check: settings.get<boolean>('check', true), drive },
    middleware: {
      // The client registers the commands of the server by itself: what they answer is shown.
      async executeCommand(command, parameters, next) {
        const answer = (await next(command, parameters)) as Answer | undefined;
        // What is repaired at once is seen in the text.
        if (answer?.verb && !answer.applies) {
          showAnswer(answer);
        }
        return answer;
      },
    },
  });
  const isOurs = (document: vscode.TextDocument) =>
    LANGUAGES.split(',').some((it) => document.uri.path.endsWith(`.${it}`));
  const diagram = new Diagram(client, isOurs);
  const coverage = new Coverage(client, context.extensionUri);
  const tests = new Tests(client);
  context.subscriptions.push(
    client,
    diagram,
    coverage,
    tests,
    vscode.commands.registerCommand('choros.view.diagram', () => diagram.open()),
    vscode.commands.registerCommand('choros.view.coverage', () => coverage.toggle()),
    vscode.commands.registerCommand('choros.view.tests', () => tests.refresh()),
    vscode.commands.registerCommand('choros.view.ask', () => askAnything(client)),
  );
  await client.start();
}
