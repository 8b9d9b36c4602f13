// Any verb of the command line, with its options as one would type them.
import * as vscode from 'vscode';
import { LanguageClient } from 'vscode-languageclient/node';
import { Verb, ask, reason, verbs } from './server';
import { showAnswer } from './trace';

export async function askAnything(client: LanguageClient): Promise<void> {
  const all = await verbs(client);
  const items = all.map((it) => ({ label: it.verb, detail: it.about ?? '', verb: it }));
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Which question?',
    matchOnDetail: true,
  });
  if (!picked) {
    return;
  }
  const file = vscode.window.activeTextEditor?.document.uri.fsPath ?? '';
  const words = await vscode.window.showInputBox({
    title: `choros ${picked.label}`,
    prompt: hint(picked.verb),
    value: quoted(file),
  });
  if (words === undefined) {
    return;
  }
  try {
    showAnswer(await ask(client, 'run', { verb: picked.label, args: split(words) }));
  } catch (failure) {
    const said = reason(failure);
    if (said) {
      void vscode.window.showWarningMessage(said);
    }
  }
}

function hint(verb: Verb): string {
  const named = verb.options.filter((it) => it.name);
  return named.map((it) => (it.takes ? `${it.name} ${it.takes}` : it.name)).join('  ');
}

function quoted(word: string): string {
  return /[\s"]/.test(word) ? `"${word.replace(/"/g, '\\"')}"` : word;
}

/** Words as a shell splits them: by spaces, but not within double quotes. */
export function split(text: string): string[] {
  const words: string[] = [];
  let word = '';
  let isOpen = false;
  let isThere = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (sign === '\\' && text.charAt(at + 1) === '"') {
      word += '"';
      at += 1;
    } else if (sign === '"') {
      isOpen = !isOpen;
      isThere = true;
    } else if (/\s/.test(sign) && !isOpen) {
      if (word || isThere) {
        words.push(word);
      }
      word = '';
      isThere = false;
    } else {
      word += sign;
    }
  }
  return word || isThere ? [...words, word] : words;
}
