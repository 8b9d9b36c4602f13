// What the server is asked, and what it answers. Views show it; none of them knows what a choreography is.
import * as vscode from 'vscode';
import { LanguageClient, Location, Range } from 'vscode-languageclient/node';

/** A step of a run, with its place where it has one. */
export interface Step {
  text: string;
  guard: string | null;
  location: Location | null;
}

/** A test that the model implies. */
export interface ModelTest {
  component: string | null;
  of: string;
  role: string | null;
  name: string;
  about: string;
  steps: Step[];
  location: Location | null;
}

/** How many tests take a step of the model. */
export interface Covered {
  of: string;
  location: Location;
  tests: number;
}

/** What a verb answers. */
export interface Answer {
  verb: string;
  component: string | null;
  verdict: string | null;
  exit: number;
  text: string;
  picture: string | null;
  chart: string | null;
  steps: Step[] | null;
  tests?: ModelTest[];
  coverage?: Covered[];
  /** The server asks for a change of the text as well. */
  applies?: boolean;
}

/** A verb and its options, as the command line declares them. */
export interface Verb {
  verb: string;
  about: string | null;
  options: { name: string | null; help: string | null; takes: string | null }[];
}

/** What a question is about. */
export interface Question {
  uri?: string;
  component?: string | null;
  position?: { line: number; character: number };
  [option: string]: unknown;
}

/** Asks a verb; the server shows progress unless the question is quiet. */
export function ask(
  client: LanguageClient,
  verb: string,
  question: Question,
  cancel?: vscode.CancellationToken,
): Promise<Answer> {
  const parameters = { command: `choros.${verb}`, arguments: [question] };
  // The client takes every argument for a parameter, one that is not there too.
  const more = cancel ? [cancel] : [];
  return client.sendRequest<Answer>('workspace/executeCommand', parameters, ...more);
}

/** The verbs of the command that the server is a part of. */
export function verbs(client: LanguageClient): Promise<Verb[]> {
  return client.sendRequest<Verb[]>('choros/verbs', {});
}

export function toRange(range: Range): vscode.Range {
  return new vscode.Range(
    range.start.line,
    range.start.character,
    range.end.line,
    range.end.character,
  );
}

/** What went wrong, in words; nothing where the text has changed or somebody cancelled. */
export function reason(failure: unknown): string | undefined {
  const { code, message } = failure as { code?: number; message?: string };
  const isOver = code === -32801 || code === -32800;
  return isOver ? undefined : (message ?? String(failure));
}
