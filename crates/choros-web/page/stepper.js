import { byId, el, fill } from "./dom.js";

export function showStepper() {
  fill(byId("step"), el("p", {}, "Soon."));
}
