// The connection with the server: files over HTTP, everything that lives over one WebSocket.

import { say } from "./dom.js";

const base = location.pathname.replace(/[^/]*$/, "");
let socket;
let queue = [];
let next = 1;
const jobs = new Map();
const languageListeners = { message: () => {}, up: () => {}, ended: () => {} };

export const connection = {
  /** Called with each message of the language server, when there is a fresh connection, and when the server ended by itself. */
  onLanguage(message, up, ended) {
    Object.assign(languageListeners, { message, up, ended });
  },
  toLanguage(message) {
    send({ to: "language", message });
  },
  /** Asks a verb; `hear` gets events, and `over` at the end. */
  ask(verb, filled, root, hear) {
    const number = next++;
    jobs.set(number, hear);
    send({ to: "job", number, verb, filled, root });
    return { number, stop: () => send({ to: "job", number, stop: true }) };
  },
  /** Asks a verb and waits for the end; the promise has what was finished, or null. */
  async wait(verb, filled, root) {
    return new Promise((resolve) => {
      let finished = null;
      connection.ask(verb, filled, root, (heard) => {
        if (heard.event?.event === "finished") finished = heard.event;
        if (heard.over) resolve({ finished, over: heard.over });
      });
    });
  },
  async json(path) {
    const answer = await fetch(base + path);
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  },
  async read(root, path) {
    const answer = await fetch(`${base}${root}/${path.split("/").map(encodeURIComponent).join("/")}`);
    if (!answer.ok) throw new Error(await answer.text());
    return {
      text: await answer.text(),
      version: (answer.headers.get("etag") ?? "").replaceAll('"', ""),
      cut: answer.headers.has("x-choros-cut"),
      broken: answer.headers.has("x-choros-broken"),
    };
  },
  async write(root, path, text, version) {
    const answer = await fetch(`${base}${root}/${path.split("/").map(encodeURIComponent).join("/")}`, {
      method: "PUT",
      headers: version ? { "If-Match": `"${version}"` } : {},
      body: text,
    });
    if (!answer.ok) {
      const error = new Error((await answer.text()).trim());
      error.conflict = answer.status === 409;
      throw error;
    }
    return (await answer.json()).version;
  },
  address(path) {
    return base + path;
  },
};

function send(value) {
  const text = JSON.stringify(value);
  if (socket?.readyState === WebSocket.OPEN) socket.send(text);
  else queue.push(text);
}

export function connect() {
  let pause = 500;
  const open = () => {
    socket = new WebSocket(`ws://${location.host}${base}socket`);
    socket.onopen = () => {
      pause = 500;
      say("Connected");
      document.body.dataset.connected = "yes";
      languageListeners.up();
      for (const text of queue.splice(0)) socket.send(text);
    };
    socket.onmessage = (message) => hear(JSON.parse(message.data));
    socket.onclose = () => {
      document.body.dataset.connected = "no";
      say("The server is away; trying again. Is `choros serve` still running?");
      for (const [number, listener] of jobs) {
        jobs.delete(number);
        listener({ over: { exit: null, complaint: "the connection was lost" } });
      }
      queue = [];
      setTimeout(open, pause);
      pause = Math.min(pause * 2, 10_000);
    };
  };
  open();
}

function hear(said) {
  if (said.from === "language") {
    if (said.over) languageListeners.ended();
    else languageListeners.message(said.message);
  } else if (said.from === "job") {
    const listener = jobs.get(said.number);
    if (said.over) jobs.delete(said.number);
    listener?.(said);
  } else if (said.error) {
    say(said.error);
  }
}
