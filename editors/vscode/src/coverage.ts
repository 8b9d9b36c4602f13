// Which lines of a model its tests take, beside the numbers of the lines.
import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { Covered, ask, reason, toRange } from './server';

export class Coverage implements vscode.Disposable {
  private readonly taken: vscode.TextEditorDecorationType;
  private readonly missed: vscode.TextEditorDecorationType;
  private readonly listener: vscode.Disposable;
  private readonly shown = new Set<string>();

  constructor(
    private readonly client: LanguageClient,
    folder: vscode.Uri,
  ) {
    const kind = (name: string, colour: string) =>
      vscode.window.createTextEditorDecorationType({
        gutterIconPath: vscode.Uri.joinPath(folder, 'media', `${name}.svg`),
        gutterIconSize: 'contain',
        overviewRulerColor: new vscode.ThemeColor(colour),
        overviewRulerLane: vscode.OverviewRulerLane.Left,
      });
    this.taken = kind('taken', 'testing.coveredGutterBackground');
    this.missed = kind('missed', 'testing.uncoveredGutterBackground');
    // What is known of another text is not shown.
    this.listener = vscode.workspace.onDidChangeTextDocument((it) => {
      if (it.contentChanges.length > 0) {
        this.clear(it.document.uri.toString());
      }
    });
  }

  async toggle(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) {
      return;
    }
    const uri = editor.document.uri.toString();
    if (this.shown.has(uri)) {
      this.clear(uri);
      return;
    }
    try {
      const answer = await ask(this.client, 'tests', { uri, quiet: true });
      this.show(uri, answer.coverage ?? []);
    } catch (failure) {
      const said = reason(failure);
      if (said) {
        void vscode.window.showWarningMessage(said);
      }
    }
  }

  show(uri: string, coverage: Covered[]): void {
    this.shown.add(uri);
    const here = coverage.filter((it) => it.location.uri === uri);
    const decorated = (wanted: (tests: number) => boolean) =>
      here
        .filter((it) => wanted(it.tests))
        .map((it) => ({
          range: toRange(it.location.range),
          hoverMessage: `${it.of}: taken by ${it.tests} of its tests`,
        }));
    for (const editor of this.editors(uri)) {
      editor.setDecorations(this.taken, decorated((tests) => tests > 0));
      editor.setDecorations(this.missed, decorated((tests) => tests === 0));
    }
  }

  private clear(uri: string): void {
    if (this.shown.delete(uri)) {
      for (const editor of this.editors(uri)) {
        editor.setDecorations(this.taken, []);
        editor.setDecorations(this.missed, []);
      }
    }
  }

  private editors(uri: string): vscode.TextEditor[] {
    return vscode.window.visibleTextEditors.filter((it) => it.document.uri.toString() === uri);
  }

  dispose(): void {
    this.listener.dispose();
    this.taken.dispose();
    this.missed.dispose();
  }
}
