// Pages of views: one picture or chart, and words.

const SIGNS: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => SIGNS[sign] ?? sign);
}

/** A page without anything from outside; scripts only with the nonce. */
export function page(body: string, script = '', nonce = ''): string {
  const scripts = script ? `; script-src 'nonce-${nonce}'` : '';
  const policy = `default-src 'none'; style-src 'unsafe-inline'; img-src data:${scripts}`;
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<style>${STYLE}</style></head><body>${body}`,
    script ? `<script nonce="${nonce}">${script}</script>` : '',
    '</body></html>',
  ].join('');
}

// Pictures are drawn dark on light, whatever the editor's colours are.
const STYLE = `
  body { color: var(--vscode-foreground); background: var(--vscode-editor-background); }
  .picture { background: white; color: black; padding: 8px; overflow: auto; }
  .picture svg { max-width: 100%; height: auto; }
  pre { font-family: var(--vscode-editor-font-family); white-space: pre-wrap; }
  ol { padding-left: 2.5em; }
  button { all: unset; cursor: pointer; font-family: var(--vscode-editor-font-family); }
  button:hover, button:focus { text-decoration: underline; }
  button:focus { outline: 1px solid var(--vscode-focusBorder); }
`;

export function picture(svg: string): string {
  return `<div class="picture">${svg}</div>`;
}

export function nonce(): string {
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
  return Array.from({ length: 24 }, () => letters[Math.floor(Math.random() * 36)]).join('');
}
