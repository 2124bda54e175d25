// Looking back at a game: step by step, with the curve of who was winning and the mistakes.

import * as api from "./api.js";
import { Curve } from "./evaluation_chart.js";
import { button, el, mark } from "./dom.js";
import { count, isDrawn, named } from "./text_format.js";

const TRIES = 6;
const PAUSE = 2500;
const FEW = 3;

export class Review {
  // `look(scene, board)` is called with the position that is looked at.
  constructor(snapshot, names, look) {
    Object.assign(this, { id: snapshot.id, names, look, steps: [], at: 0, judged: new Map() });
    this.first = button("«", () => this.go(0), { "aria-label": "To the start", "data-testid": "step-first" });
    this.back = button("‹", () => this.go(this.at - 1), { "aria-label": "One move back", "data-testid": "step-back" });
    this.on = button("›", () => this.go(this.at + 1), { "aria-label": "One move on", "data-testid": "step-on" });
    this.last = button("»", () => this.go(this.steps.length - 1), { "aria-label": "To the end", "data-testid": "step-last" });
    this.slider = el("input", { type: "range", min: "0", max: "0", value: "0", "aria-label": "Move", "data-testid": "step-slider" });
    this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
    this.told = el("div", { class: "words-of-picture", "data-testid": "step-told" });
    this.curve = el("div", { "data-testid": "curve" });
    this.verdict = el("div", { class: "stack", "data-testid": "verdict" });
    this.list = el("ol", { class: "moves", "aria-label": "Moves", tabindex: "0", "data-testid": "moves" });
    this.box = el(
      "section",
      { class: "sheet stack", "aria-label": "Look back", "data-testid": "review" },
      el("div", { class: "stepper" }, this.first, this.back, this.slider, this.on, this.last),
      this.told,
      this.curve,
    );
    this.verdictBox = el("section", { class: "sheet stack", "aria-label": "The moves" }, el("h3", {}, "The game, looked at again"), this.verdict, this.list);
    this.box.hidden = this.verdictBox.hidden = !snapshot.moves.length; // then there is nothing to look at
    if (this.box.hidden) return;
    document.addEventListener("keydown", (event) => this.key(event));
    this.load();
    this.judge(1);
  }

  scene() {
    return this.steps[this.at]?.scene;
  }

  key(event) {
    const typing = event.target.closest?.("input, select, textarea, dialog");
    const modified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (typing || modified || !this.box.isConnected) return;
    const to = { ArrowLeft: this.at - 1, ArrowRight: this.at + 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(to);
  }

  async load() {
    try {
      this.steps = (await api.steps(this.id)).steps;
    } catch (problem) {
      this.told.textContent = problem.message;
      return;
    }
    this.slider.max = String(this.steps.length - 1);
    this.at = this.steps.length - 1;
    this.go(this.at);
  }

  // What a step told is read aloud only when somebody goes there: the story has told it before.
  go(to) {
    if (!this.steps.length) return;
    if (to !== this.at) this.told.setAttribute("aria-live", "polite");
    this.at = Math.max(0, Math.min(to, this.steps.length - 1));
    const { scene, board, move, seat, told = "" } = this.steps[this.at];
    this.slider.value = String(this.at);
    const words = move ? `${this.at}. ${this.names[seat]}: ${move}` : "The start";
    this.slider.setAttribute("aria-valuetext", words);
    this.first.disabled = this.back.disabled = this.at === 0;
    this.on.disabled = this.last.disabled = this.at === this.steps.length - 1;
    const verdict = this.judged.get(this.at);
    const said = verdict && `${verdict.mark === "mistake" ? "A mistake: " : ""}${this.judgement(verdict)}`;
    this.told.replaceChildren(el("p", {}, el("strong", {}, words)), el("p", { class: isDrawn(told) ? "drawn" : null }, named(told, this.names).trimEnd().replace(/^\n+/, "")), said ? el("p", { class: verdict.mark === "mistake" ? "refusal" : "soft" }, said) : "");
    this.showList();
    this.drawn?.point(this.at);
    this.look(scene, board);
  }

  showList() {
    const items = this.steps.slice(1).map(({ move, seat }, at) => {
      const number = at + 1;
      const slip = this.judged.get(number)?.mark === "mistake";
      const props = { class: slip ? "mistake" : "", "aria-current": number === this.at ? "step" : null, "data-step": String(number) };
      const text = [mark(seat), el("span", { class: "hidden" }, `${this.names[seat]}: `), move, slip && el("span", { class: "hidden" }, ", a mistake"), slip && el("span", { "aria-hidden": "true" }, "?")];
      return el("li", {}, el("span", { class: "number" }, `${number}.`), button(text, () => this.go(number), props));
    });
    const focused = this.list.contains(document.activeElement) && document.activeElement.dataset.step;
    this.list.replaceChildren(...items);
    if (focused) this.list.querySelector(`[data-step="${focused}"]`)?.focus({ preventScroll: true });
  }

  // A sentence on a move, such as `attack loses in 4 turns; the best wins in 11 turns.`
  judgement({ move, said, mark: how, best = [] }) {
    const more = best.length > FEW ? ` and ${best.length - FEW} more` : "";
    const better = how === "mistake" && best.length ? ` Better: ${best.slice(0, FEW).join(", ")}${more}.` : "";
    return `${move} ${named(said, this.names)}`.trim().replace(/([^.!?])$/, "$1.") + better;
  }

  // The server may be busy: then it is asked again, a few times.
  async judge(attempt) {
    this.verdict.replaceChildren(el("p", { class: "soft", role: "status" }, "Working out who was winning…"));
    try {
      this.show(await api.analysis(this.id));
    } catch (problem) {
      if (problem.status === 503 && attempt < TRIES) setTimeout(() => this.judge(attempt + 1), PAUSE);
      else this.verdict.replaceChildren(el("p", { class: "soft" }, problem.message));
    }
  }

  show({ curve = [], moves = [], accuracy = [], decided_by: decided }) {
    this.judged = new Map(moves.map((one) => [one.number, one]));
    const mistakes = moves.filter((one) => one.mark === "mistake");
    this.drawn = new Curve(this.curve, curve, mistakes, this.names, (at) => this.go(at));
    const share = (seat) => {
      if (accuracy[seat] === null || accuracy[seat] === undefined) return null;
      const slips = mistakes.filter((one) => one.seat === seat).length;
      return el("li", {}, mark(seat), ` ${this.names[seat]}: ${Math.round(accuracy[seat] * 100)}% without fault, ${count(slips, "mistake")}`);
    };
    const slip = (one) =>
      el(
        "li",
        { class: "slip-line" },
        button([mark(one.seat), `Move ${one.number}`], () => this.go(one.number), { class: "quiet" }),
        el("span", {}, `${this.judgement(one)}${one.number === decided ? " It decided the game." : ""}`),
      );
    this.verdict.replaceChildren(
      moves.length ? el("ul", { class: "list" }, share(0), share(1)) : "",
      mistakes.length ? el("ul", { class: "list slips", "aria-label": "Mistakes", tabindex: "0", "data-testid": "mistakes" }, mistakes.map(slip)) : el("p", {}, "Neither made a mistake."),
    );
    this.go(this.at);
  }
}
