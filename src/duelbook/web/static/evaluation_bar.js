// Who is winning, as a bar between the two players.

import { el, mark } from "./dom.js";
import { named } from "./text_format.js";

export function balance({ value, said }, names) {
  const fill = el("div", { class: "balance-fill" });
  fill.style.width = `${((value + 1) / 2) * 100}%`;
  return el(
    "div",
    { class: "balance", "data-testid": "evaluation" },
    el("div", { class: "balance-ends" }, el("span", {}, mark(0), names[0]), el("span", {}, names[1], mark(1))),
    el("div", { class: "balance-bar", "aria-hidden": "true" }, fill),
    el("p", {}, named(said, names)),
  );
}
