// The tests that models imply, in the test explorer; running one drives the service.
import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { ModelTest, ask, reason, toRange } from './server';
import { showAnswer } from './trace';

export class Tests implements vscode.Disposable {
  private readonly controller: vscode.TestController;
  private readonly listed = new WeakMap<vscode.TestItem, ModelTest>();

  constructor(private readonly client: LanguageClient) {
    this.controller = vscode.tests.createTestController('choros', 'Choros');
    this.controller.refreshHandler = () => this.refresh();
    this.controller.createRunProfile(
      'Drive',
      vscode.TestRunProfileKind.Run,
      (request, cancel) => this.run(request, cancel),
      true,
    );
  }

  /** Lists the tests of the text that is edited. */
  async refresh(): Promise<void> {
    const document = vscode.window.activeTextEditor?.document;
    if (document) {
      await this.list(document.uri);
    }
  }

  async list(uri: vscode.Uri): Promise<void> {
    try {
      const answer = await ask(this.client, 'tests', { uri: uri.toString(), quiet: true });
      this.show(uri, answer.tests ?? []);
    } catch (failure) {
      const said = reason(failure);
      if (said) {
        void vscode.window.showWarningMessage(said);
      }
    }
  }

  private show(uri: vscode.Uri, tests: ModelTest[]): void {
    const name = uri.path.split('/').pop() ?? uri.path;
    const file = this.controller.createTestItem(uri.toString(), name, uri);
    for (const test of tests) {
      const group = test.role ? `${test.component} as ${test.role}` : (test.component ?? test.of);
      let parent = file.children.get(group);
      if (!parent) {
        parent = this.controller.createTestItem(group, group, uri);
        file.children.add(parent);
      }
      const item = this.controller.createTestItem(`${group}/${test.name}`, test.name, uri);
      item.description = test.about;
      if (test.location) {
        item.range = toRange(test.location.range);
      }
      this.listed.set(item, test);
      parent.children.add(item);
    }
    this.controller.items.add(file);
  }

  private async run(
    request: vscode.TestRunRequest,
    cancel: vscode.CancellationToken,
  ): Promise<void> {
    const run = this.controller.createTestRun(request);
    const pending: vscode.TestItem[] = [];
    const gather = (item: vscode.TestItem) => {
      if (request.exclude?.includes(item)) {
        return;
      }
      if (this.listed.has(item)) {
        pending.push(item);
        run.enqueued(item);
      }
      item.children.forEach(gather);
    };
    if (request.include) {
      request.include.forEach(gather);
    } else {
      this.controller.items.forEach(gather);
    }
    for (const item of pending) {
      if (cancel.isCancellationRequested) {
        run.skipped(item);
        continue;
      }
      await this.drive(run, item, cancel);
    }
    run.end();
  }

  private async drive(
    run: vscode.TestRun,
    item: vscode.TestItem,
    cancel: vscode.CancellationToken,
  ): Promise<void> {
    const test = this.listed.get(item);
    if (!test || !item.uri) {
      return;
    }
    run.started(item);
    const started = Date.now();
    const { component, role } = test;
    const question = {
      uri: item.uri.toString(),
      component,
      role,
      test: [test.name],
      quiet: true,
    };
    try {
      const answer = await ask(this.client, 'drive', question, cancel);
      const took = Date.now() - started;
      run.appendOutput(answer.text.replace(/\r?\n/g, '\r\n'), undefined, item);
      if (answer.exit === 0) {
        run.passed(item, took);
      } else if (answer.verdict === 'fails') {
        run.failed(item, new vscode.TestMessage(answer.text), took);
        showAnswer(answer);
      } else {
        run.errored(item, new vscode.TestMessage(answer.text), took);
      }
    } catch (failure) {
      run.errored(item, new vscode.TestMessage(reason(failure) ?? 'stopped'));
    }
  }

  dispose(): void {
    this.controller.dispose();
  }
}
