// A run, step by step: the chart above, the steps below; a click goes to the line.
import * as vscode from 'vscode';
import { Answer, Step, toRange } from './server';
import { escaped, nonce, page, picture } from './page';

const SCRIPT = `
  const api = acquireVsCodeApi();
  for (const button of document.querySelectorAll('button')) {
    button.addEventListener('click', () => api.postMessage(Number(button.dataset.step)));
  }
`;

/** Shows an answer: its picture or chart, the run that it rests on, and its words. */
export function showAnswer(answer: Answer): vscode.WebviewPanel {
  const title = ['choros', answer.verb, answer.component].filter(Boolean).join(' ');
  return show(title, answer.picture ?? answer.chart, answer.steps ?? [], answer.text);
}

export function show(
  title: string,
  svg: string | null,
  steps: Step[],
  text: string,
): vscode.WebviewPanel {
  const panel = vscode.window.createWebviewPanel(
    'choros.trace',
    title,
    { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
    { enableScripts: steps.length > 0 },
  );
  const parts = [
    svg ? picture(svg) : '',
    steps.length > 0 ? `<ol>${steps.map(row).join('')}</ol>` : '',
    `<pre>${escaped(text)}</pre>`,
  ];
  panel.webview.html = page(parts.join(''), steps.length > 0 ? SCRIPT : '', nonce());
  panel.webview.onDidReceiveMessage((number: number) => goTo(steps[number]));
  return panel;
}

function row(step: Step, number: number): string {
  const words = escaped(step.guard ? `${step.text}  [${step.guard}]` : step.text);
  return step.location
    ? `<li><button data-step="${number}">${words}</button></li>`
    : `<li>${words}</li>`;
}

async function goTo(step: Step | undefined): Promise<void> {
  if (!step?.location) {
    return;
  }
  const range = toRange(step.location.range);
  await vscode.window.showTextDocument(vscode.Uri.parse(step.location.uri), {
    viewColumn: vscode.ViewColumn.One,
    selection: range,
  });
}
