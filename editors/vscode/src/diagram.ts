// The diagram of the model at the cursor, beside the text.
import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { ask, reason } from './server';
import { escaped, page, picture } from './page';

/** How long a cursor rests before the picture follows it. */
const PAUSE = 250;

export class Diagram implements vscode.Disposable {
  private panel: vscode.WebviewPanel | undefined;
  private timer: NodeJS.Timeout | undefined;
  private asked: vscode.CancellationTokenSource | undefined;
  private readonly listeners: vscode.Disposable[];
  private editor: vscode.TextEditor | undefined;
  /** What is shown, for tests. */
  public shown = '';

  constructor(
    private readonly client: LanguageClient,
    private readonly isOurs: (document: vscode.TextDocument) => boolean,
  ) {
    this.listeners = [
      vscode.window.onDidChangeTextEditorSelection((it) => this.follow(it.textEditor)),
      vscode.workspace.onDidChangeTextDocument((it) => {
        if (this.editor && it.document === this.editor.document) {
          this.follow(this.editor);
        }
      }),
      vscode.window.onDidChangeActiveTextEditor((it) => it && this.follow(it)),
    ];
  }

  open(): void {
    const editor = vscode.window.activeTextEditor;
    if (!this.panel) {
      const column = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.panel = vscode.window.createWebviewPanel('choros.diagram', 'Diagram', column, {});
      this.panel.onDidDispose(() => (this.panel = undefined));
      this.panel.webview.html = page('<p>Put the cursor into a model.</p>');
    }
    if (editor) {
      this.follow(editor, 0);
    }
  }

  private follow(editor: vscode.TextEditor, pause = PAUSE): void {
    if (!this.panel || !this.isOurs(editor.document)) {
      return;
    }
    this.editor = editor;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.draw(editor), pause);
  }

  private async draw(editor: vscode.TextEditor): Promise<void> {
    this.asked?.cancel();
    const asked = new vscode.CancellationTokenSource();
    this.asked = asked;
    const { line, character } = editor.selection.active;
    const question = {
      uri: editor.document.uri.toString(),
      position: { line, character },
      quiet: true,
    };
    try {
      const answer = await ask(this.client, 'draw', question, asked.token);
      if (!this.panel || asked.token.isCancellationRequested) {
        return;
      }
      this.panel.title = answer.component ? `Diagram of ${answer.component}` : 'Diagram';
      const body = answer.picture ? picture(answer.picture) : `<pre>${escaped(answer.text)}</pre>`;
      this.shown = body;
      this.panel.webview.html = page(body);
    } catch (failure) {
      const said = reason(failure);
      if (said && this.panel && !asked.token.isCancellationRequested) {
        this.panel.webview.html = page(`<pre>${escaped(said)}</pre>`);
      }
    }
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.asked?.cancel();
    this.panel?.dispose();
    this.listeners.forEach((it) => it.dispose());
  }
}
