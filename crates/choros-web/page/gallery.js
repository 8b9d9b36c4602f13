// The papers' examples, and tours through them.

import { connection } from "./connection.js";
import { byId, el, fill } from "./dom.js";
import { askWith } from "./questions.js";

export async function showGallery(app) {
  const examples = await connection.json("gallery");
  fill(byId("gallery"), examples.map((it) => el("li", {}, el("button", {
    type: "button", class: "plain", title: `${it.source}: ${it.about}`, "data-path": it.path,
    onclick: () => app.open("gallery", it.path),
  }, `${it.path} (${it.source})`))));
  for (const list of ["tours", "first-tours"]) {
    fill(byId(list), TOURS.map((tour) => el("li", {}, el("button", {
      type: "button", class: "plain", onclick: () => walk(app, tour),
    }, tour.title))));
  }
}

const TOURS = [
  {
    title: "SChorA: a shop that cannot be built",
    stops: [
      { file: "online-shopping.chor", text: "A buyer, a vendor and a warehouse. The picture at the right follows the text; choose `shop` there." },
      { verb: "realize", values: { files: ["online-shopping.chor#shop"] }, text: "Can the three of them do this without anybody who watches over all of them? Press Ask." },
      { verb: "realize", values: { files: ["online-shopping.chor#shop"], repair: true }, text: "The warehouse never hears of an order that is refused. Ask for a repair: the answer proposes a message, and says whether it is enough." },
      { verb: "project", values: { file: "online-shopping.chor#order" }, text: "What does each role do by itself?" },
      { verb: "conform", values: { implementation: "online-shopping.chor#order_services", specification: "online-shopping.chor#order" }, text: "Do these services, together, do what the choreography says, for all data?" },
    ],
  },
  {
    title: "CMC: a bank that does not answer",
    stops: [
      { file: "bank.cows", text: "A credit request in COWS. Rules at its end say which steps are requests and responses." },
      { panel: "step", text: "Step through it: choose what happens next." },
      { panel: "formulas", text: "Ask the pattern `responsive` of the interaction `charge`: is every request answered? The explanation is a tree; unfold it." },
      { verb: "verify", values: { model: "bank.cows", pattern: ["all:charge"] }, text: "All patterns at once, as the paper's table has them." },
    ],
  },
  {
    title: "ChorTest: tests from a choreography",
    stops: [
      { file: "atm.gc", text: "A cash machine as a g-choreography." },
      { verb: "check", values: { files: ["atm.gc"] }, text: "Is it well-formed, and are its machines safe?" },
      { panel: "step", text: "Step through its machines and watch the queues." },
      { verb: "tests", values: { file: "atm.gc" }, text: "Which tests does it imply for each participant?" },
      { verb: "mutate", values: { file: "atm.gc" }, text: "How good are they? Every mutant that no test kills is shown." },
    ],
  },
];

async function walk(app, tour) {
  for (const [index, stop] of tour.stops.entries()) {
    if (stop.file) await app.open("gallery", stop.file);
    if (stop.verb) await askWith(app, stop.verb, stop.values);
    if (stop.panel) app.show(stop.panel);
    const last = index + 1 === tour.stops.length;
    const go = await beside(`${tour.title} (${index + 1} of ${tour.stops.length})`, stop.text, last);
    if (!go) return;
  }
}

/** A note that leaves the page usable: the stop's question can be asked before going on. */
function beside(title, text, last) {
  const notice = byId("notice");
  return new Promise((resolve) => {
    const end = (value) => {
      fill(notice);
      resolve(value);
    };
    fill(notice, el("strong", {}, `${title}: `), `${text} `,
      el("button", { type: "button", class: "tour-next", onclick: () => end(!last) }, last ? "Done" : "Next"), " ",
      last ? null : el("button", { type: "button", onclick: () => end(false) }, "Leave the tour"));
  });
}
