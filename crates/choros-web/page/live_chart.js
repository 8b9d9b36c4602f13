// Messages as they happen: a sequence chart that grows at its foot.

import { el } from "./dom.js";

/** More rows than this are not kept: a stream does not end. */
const MAX_ROWS = 200;
const COLUMN = 150;
const ROW = 26;
const TOP = 30;

export const svg = (tag, properties, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(properties)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
};

export class LiveChart {
  constructor() {
    this.roles = [];
    this.rows = [];
    this.forgotten = 0;
    this.part = null;
    this.picture = svg("svg", { role: "img" });
    this.element = el("figure", { class: "live-chart", tabindex: "0", role: "group", "aria-label": "Messages as they happen", hidden: true }, this.picture);
    this.isDue = false;
  }
  message(event) {
    if (event.part && event.part !== this.part) this.add({ kind: "part", text: event.part });
    this.part = event.part;
    if (event.left_out) this.add({ kind: "gap", text: event.left_out === 1 ? "1 message not shown" : `${event.left_out} messages not shown` });
    for (const role of [event.from, event.to]) if (!this.roles.includes(role)) this.roles.push(role);
    this.add({ kind: "message", ...event });
  }
  /** A verdict stands beside the part that it is about, or where the chart is. */
  verdict(word, text, part) {
    const row = part && this.rows.findLast((it) => it.kind === "part" && it.text === part);
    if (row) row.verdict = word;
    else if (word === "fails") this.add({ kind: "part", text, verdict: word });
    this.drawSoon();
  }
  add(row) {
    this.rows.push(row);
    if (this.rows.length > MAX_ROWS) this.forgotten += this.rows.splice(0, this.rows.length - MAX_ROWS).length;
    this.drawSoon();
  }
  drawSoon() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.draw();
    });
  }
  draw() {
    if (!this.roles.length) return;
    const wasAtFoot = this.element.scrollTop + this.element.clientHeight >= this.element.scrollHeight - 2 * ROW;
    const width = Math.max(2, this.roles.length) * COLUMN;
    const height = TOP + this.rows.length * ROW + 10;
    const x = (role) => this.roles.indexOf(role) * COLUMN + COLUMN / 2;
    const parts = this.roles.flatMap((role) => [
      svg("line", { class: "lifeline", x1: x(role), x2: x(role), y1: TOP - 6, y2: height }),
      svg("text", { class: "role", x: x(role), y: 16, "text-anchor": "middle" }, role),
    ]);
    this.rows.forEach((row, index) => {
      const y = TOP + index * ROW + ROW - 8;
      if (row.kind !== "message") {
        const text = row.verdict ? `${row.text}: ${row.verdict}` : row.text;
        parts.push(svg("line", { class: "part", x1: 0, x2: width, y1: y + 4, y2: y + 4 }),
          svg("text", { class: `part ${row.verdict ?? ""}`, x: 4, y }, text));
        return;
      }
      const [from, to] = [x(row.from), x(row.to)];
      const label = row.values ? `${row.op}(${row.values})` : row.op;
      const direction = to >= from ? 1 : -1;
      const end = from === to ? from + 30 : to;
      const most = Math.max(12, Math.floor(Math.abs(end - from) / 6.5));
      const shown = label.length > most ? `${label.slice(0, most - 1)}…` : label;
      parts.push(svg("g", { class: "message" },
        svg("title", {}, `${row.from} to ${row.to}: ${label}`),
        svg("line", { x1: from, x2: end, y1: y, y2: y }),
        svg("path", { d: `M ${end} ${y} l ${-7 * direction} -4 l 0 8 z` }),
        svg("text", { x: (from + end) / 2, y: y - 5, "text-anchor": "middle" }, shown)));
    });
    this.picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    this.picture.setAttribute("width", width);
    this.picture.setAttribute("height", height);
    const count = this.forgotten + this.rows.filter((it) => it.kind === "message").length;
    this.picture.setAttribute("aria-label", `${count} messages between ${this.roles.join(", ")}`);
    this.picture.replaceChildren(...parts);
    this.element.hidden = false;
    if (wasAtFoot) this.element.scrollTop = this.element.scrollHeight;
  }
}
