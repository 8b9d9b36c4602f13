// Small helpers to build the page. Text goes in as text, never as markup.

/** An element with properties (`class`, `on…` handlers, attributes) and children. */
export function el(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.className = value;
    else if (name in element && typeof value !== "string") element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((it) => it !== undefined && it !== null && it !== false));
  return element;
}

export const byId = (id) => document.getElementById(id);

/** Puts these children in the place of those that are there. */
export function fill(element, ...children) {
  element.replaceChildren(...children.flat(Infinity).filter((it) => it !== undefined && it !== null && it !== false));
}

/** A picture that the command drew. */
export function picture(text, zoom = 100) {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  if (parsed.nodeName !== "svg") return el("p", { class: "error" }, "The picture cannot be shown.");
  const svg = document.importNode(parsed, true);
  const width = Number.parseFloat(svg.getAttribute("width"));
  if (width) {
    svg.setAttribute("width", String((width * zoom) / 100));
    svg.removeAttribute("height");
  }
  return el("figure", { tabindex: "0", role: "group", "aria-label": "Picture" }, svg);
}

/** Shows a dialog with a title; the promise has what its buttons return, or undefined. */
export function dialog(title, body, buttons = [["Close", undefined]]) {
  const box = byId("dialog");
  // Browsers give the focus back, and put the cursor of a text at its start.
  const before = document.activeElement;
  const [start, end] = [before?.selectionStart, before?.selectionEnd];
  return new Promise((resolve) => {
    const restore = () => {
      before?.focus();
      if (before?.matches("textarea")) before.setSelectionRange(start, end);
    };
    const finish = (value) => {
      box.close();
      restore();
      resolve(value);
    };
    fill(
      box,
      el("h2", { id: "dialog-title" }, title),
      body,
      el("p", { class: "bar" }, buttons.map(([text, value]) =>
        el("button", { type: "button", onclick: () => finish(typeof value === "function" ? value() : value) }, text))),
    );
    // Escape closes it.
    box.oncancel = () => setTimeout(() => finish(undefined));
    box.showModal();
    const input = box.querySelector("input");
    input?.addEventListener("keydown", (event) => {
      if (event.key !== "Enter") return;
      // Otherwise the element that has the focus then gets the key too.
      event.preventDefault();
      box.querySelector("button").click();
    });
    input?.select();
    (input ?? box.querySelector("button"))?.focus();
  });
}

/** Says something in the bar at the top. */
export function say(text) {
  byId("status").textContent = text;
}
