// The review of a finished game, move by move, with the chart and the mistakes.

import { analysisReport, describeJudgement, isMistake } from "./analysis_report.js";
import { fetchAnalysis, fetchSteps, RequestError } from "./api.js";
import { button, el, messageOf, seatMark } from "./dom.js";
import { EvaluationChart } from "./evaluation_chart.js";
import { moverNameAtStart, playerNames } from "./game_state.js";
import { NOWHERE, placesOf } from "./last_move.js";
import { moveEvents } from "./move_events.js";
import { STATUS } from "./protocol.js";
import { Stepper } from "./stepper.js";
import { REVIEW } from "./strings.js";

/** @import { Marks } from "./last_move.js" */
/** @import { MoveEvent } from "./move_events.js" */
/** @import { Analysis, Judgement, Mover, Scene, Snapshot, Step } from "./protocol.js" */

const MAX_ATTEMPTS = 6;
const RETRY_MS = 2500;

export class Review {
  /** @type {Step[]} */
  #steps = [];
  /** @type {Map<number, Judgement>} */
  #judgements = new Map();
  /** @type {EvaluationChart | undefined} */
  #chart;
  #at = 0;
  #stepper = new Stepper((to) => this.#go(to));
  #stepText = el("div", { class: "scene-text", "data-testid": "step-text" });
  #chartBox = el("div", { "data-testid": "chart" });
  #report = el("div", { class: "stack", "data-testid": "analysis" });
  #list = el("ol", {
    ...{ class: "moves", "aria-label": REVIEW.moves, tabindex: "0", "data-testid": "moves" },
  });

  /**
   * @param {Snapshot} snapshot
   * @param {(scene: Scene, marks: Marks, events: MoveEvent[]) => void} onStep called with the
   *   position to show, and the events of the move that led there
   */
  constructor(snapshot, onStep) {
    this.id = snapshot.id;
    this.winner = snapshot.status.result?.winner;
    this.names = playerNames(snapshot);
    this.snapshot = snapshot;
    this.onStep = onStep;
    this.box = el(
      "section",
      { class: "sheet stack", "aria-label": REVIEW.label, "data-testid": "review" },
      this.#stepper.box,
      this.#stepText,
      this.#chartBox,
    );
    this.reportBox = el(
      "section",
      { class: "sheet stack", "aria-label": REVIEW.report },
      el("h3", {}, REVIEW.analysis),
      this.#report,
      this.#list,
    );
    const isEmpty = !snapshot.moves.length;
    this.box.hidden = isEmpty;
    this.reportBox.hidden = isEmpty;
    if (isEmpty) return;
    document.addEventListener("keydown", (event) => this.#onKey(event));
    this.#load();
    this.#analyse(1);
  }

  /** The scene of the current step. */
  get scene() {
    return this.#steps[this.#at]?.scene;
  }

  /**
   * The marks of the current step.
   *
   * @returns {Marks}
   */
  get marks() {
    const [before, after] = [this.#steps[this.#at - 1], this.#steps[this.#at]];
    const isEnd = this.#at === this.#steps.length - 1;
    return {
      lastMove: before ? placesOf(before.scene, after.scene, after.move ?? "") : NOWHERE,
      winner: isEnd ? this.winner : null,
    };
  }

  focus() {
    this.#stepper.focus();
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const { key, target } = event;
    const isTyping = target instanceof Element && target.closest("input, select, textarea, dialog");
    const isModified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    const step = key === "ArrowLeft" ? -1 : key === "ArrowRight" ? 1 : 0;
    if (isTyping || isModified || !step || !this.box.isConnected) return;
    event.preventDefault();
    this.#go(this.#at + step);
  }

  async #load() {
    try {
      this.#steps = (await fetchSteps(this.id)).steps;
    } catch (error) {
      this.#stepText.textContent = messageOf(error);
      return;
    }
    this.#at = this.#steps.length - 1;
    this.#go(this.#at);
  }

  // Screen readers read a step only after the player opens it, because they have read the log
  // before.
  /** @param {number} to */
  #go(to) {
    if (!this.#steps.length) return;
    const last = this.#steps.length - 1;
    if (to !== this.#at) this.#stepText.setAttribute("aria-live", "polite");
    const isNext = to === this.#at + 1 && to <= last;
    this.#at = Math.max(0, Math.min(to, last));
    this.#showStep();
    this.#showList();
    this.#chart?.mark(this.#at);
    const events = isNext ? moveEvents(this.#visibleGame(to - 1), this.#visibleGame(to)) : [];
    this.onStep(this.#steps[this.#at].scene, this.marks, events);
  }

  /** @param {number} at */
  #visibleGame(at) {
    const steps = this.#steps.slice(1, at + 1);
    return {
      scene: this.#steps[at].scene,
      moves: steps.map(({ move = "" }) => move),
      movers: steps.map(({ seat = 0 }) => seat),
    };
  }

  /** @param {Mover} mover */
  #nameOf(mover) {
    return moverNameAtStart(this.snapshot, mover);
  }

  #showStep() {
    const { move, seat = 0 } = this.#steps[this.#at];
    const said = this.snapshot.said[this.#at - 1] ?? "";
    const title = move ? `${this.#at}. ${this.#nameOf(seat)}: ${move}` : REVIEW.start;
    this.#stepper.show(this.#at, this.#steps.length - 1, title);
    const judgement = this.#judgements.get(this.#at);
    this.#stepText.replaceChildren(
      el("p", {}, el("strong", {}, title)),
      el("p", {}, said),
      judgement ? this.#judgementLine(judgement) : "",
    );
  }

  /** @param {Judgement} judgement */
  #judgementLine(judgement) {
    const text = describeJudgement(judgement);
    if (!isMistake(judgement)) return el("p", { class: "muted" }, text);
    return el("p", { class: "refusal" }, REVIEW.mistake(text));
  }

  #showList() {
    const items = this.#steps.slice(1).map((step, at) => this.#listItem(step, at + 1));
    const active = document.activeElement;
    const isInside = active instanceof HTMLElement && this.#list.contains(active);
    const focused = isInside ? active.dataset.step : undefined;
    this.#list.replaceChildren(...items);
    const sameStep = this.#list.querySelector(`[data-step="${focused}"]`);
    if (sameStep instanceof HTMLElement) sameStep.focus({ preventScroll: true });
  }

  /**
   * @param {Step} step
   * @param {number} number
   */
  #listItem({ move, seat = 0 }, number) {
    const isBad = isMistake(this.#judgements.get(number));
    const props = {
      class: isBad ? "mistake" : "",
      "aria-current": number === this.#at ? "step" : null,
      "data-step": String(number),
    };
    const text = [
      seatMark(seat),
      el("span", { class: "visually-hidden" }, `${this.#nameOf(seat)}: `),
      move,
      isBad && el("span", { class: "visually-hidden" }, REVIEW.aMistake),
      isBad && el("span", { "aria-hidden": "true" }, "?"),
    ];
    const go = button(text, () => this.#go(number), props);
    return el("li", {}, el("span", { class: "number" }, `${number}.`), go);
  }

  // Repeat the request to a busy server a few times.
  /** @param {number} attempt */
  async #analyse(attempt) {
    const working = { class: "muted", role: "status" };
    this.#report.replaceChildren(el("p", working, REVIEW.working));
    try {
      const analysis = await fetchAnalysis(this.id);
      if (analysis.why_not)
        this.#report.replaceChildren(el("p", { class: "muted" }, analysis.why_not));
      else this.#showAnalysis(analysis);
    } catch (error) {
      const isBusy = error instanceof RequestError && error.status === STATUS.busy;
      if (isBusy && attempt < MAX_ATTEMPTS) setTimeout(() => this.#analyse(attempt + 1), RETRY_MS);
      else this.#report.replaceChildren(el("p", { class: "muted" }, messageOf(error)));
    }
  }

  /** @param {Analysis} analysis */
  #showAnalysis(analysis) {
    const { curve: values = [], moves = [] } = analysis;
    this.#judgements = new Map(moves.map((judgement) => [judgement.number, judgement]));
    const go = (/** @type {number} */ to) => this.#go(to);
    const chart = { values, mistakes: moves.filter(isMistake), names: this.names };
    this.#chart = new EvaluationChart(this.#chartBox, chart, go);
    this.#report.replaceChildren(
      ...analysisReport(analysis, [this.#nameOf(0), this.#nameOf(1)], go),
    );
    this.#go(this.#at);
  }
}
