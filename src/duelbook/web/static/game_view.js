// What is seen of a game.

import { AfterGame } from "./after_game.js";
import { Curtain } from "./curtain.js";
import { button, el, refill, seatMark } from "./dom.js";
import { evaluationBar } from "./evaluation_bar.js";
import { GameControls } from "./game_controls.js";
import { GameLog } from "./game_log.js";
import * as state from "./game_state.js";
import { MoveForm } from "./move_form.js";
import { MoveList } from "./move_list.js";
import { Picture } from "./picture.js";
import { PlayerCards } from "./player_cards.js";
import { SENT } from "./protocol.js";
import { RequestsPanel } from "./requests_panel.js";
import { rulesDialog } from "./rules.js";
import { updateSeat } from "./saved_seats.js";
import { isPreformatted, plural, withNames } from "./text_format.js";

/** @import { ClientMessage, Evaluation, Presence, Snapshot } from "./protocol.js" */
/** @import { Promised } from "./fairness.js" */
/** @import { InputKind } from "./move_form.js" */
/**
 * What the server has said so far.
 *
 * @typedef {{
 *   snapshot: Snapshot, presence: Presence, promised: Promised | null, evaluation?: Evaluation,
 * }} GameData
 */
/**
 * What the player wants. `send` returns the number of the message, or null without a connection.
 *
 * @typedef {{
 *   send: (message: ClientMessage) => number | null, withdraw: () => void,
 *   follow: (id: string) => void,
 * }} Actions
 */

export class GameView {
  /** @type {GameData} */
  #data;
  #isShown = false;
  #state = el("h2", { class: "state", tabindex: "-1", "data-testid": "state" });
  #lastMove = el("p", { class: "soft", "data-testid": "last-move" });
  #watching = el("span", { class: "soft", "data-testid": "watching" });
  #pictureBox = el("div", { class: "picture-box", "data-testid": "picture" });
  #evaluationBox = el("div");
  #board = el("div", { class: "words-of-picture" });
  #notice = el("p", { class: "refusal", role: "alert" });
  #news = el("p", { class: "soft", role: "status", "data-testid": "news" });
  #hint = el("p", { class: "notice", role: "status", hidden: true, "data-testid": "hint" });
  #log = new GameLog();
  #players = new PlayerCards();
  #moves = new MoveList();
  #curtain;
  #controls;
  #requests;
  #after;
  #form;
  #picture;

  /**
   * @param {HTMLElement} page
   * @param {GameData} data
   * @param {Actions} actions
   */
  constructor(page, data, { send, withdraw, follow }) {
    this.#data = data;
    const focusState = () => this.#focusState();
    const named = (/** @type {string} */ text) => this.#withNames(text);
    this.#controls = new GameControls(send, focusState);
    const look = () => send({ type: SENT.look });
    this.#curtain = new Curtain(() => this.lift(), look);
    this.#requests = new RequestsPanel({
      send,
      onWithdraw: withdraw,
      onFocusLost: focusState,
    });
    this.#after = new AfterGame({
      send,
      onNext: follow,
      onStep: (scene, board) => {
        this.#picture.show(scene);
        this.#showBoard(board);
      },
    });
    this.#form = new MoveForm({
      play: (move) => send({ type: SENT.play, move, answers: this.#data.snapshot.turn }),
      onChange: () => this.#picture.show(this.#data.snapshot.view.scene),
      withNames: named,
    });
    page.replaceChildren(this.#layOut(data.snapshot));
    this.#picture = new Picture(this.#pictureBox, {
      label: `${data.snapshot.title}, the position`,
      onPoint: (piece, event) => this.#form.point(piece, event),
      canSelect: (piece) => this.#form.canPointAt(piece),
      isSelected: (piece) => this.#form.isSelected(piece),
      withNames: named,
    });
    this.show(data, true);
  }

  /** @param {Snapshot} snapshot */
  #layOut({ book, title }) {
    const rules = button("Rules", rulesDialog(book, title), { class: "quiet" });
    const inWords = el("details", {}, el("summary", {}, "The picture in words"), this.#board);
    const end = el("div", { class: "row" }, this.#watching, rules);
    return el(
      "div",
      { class: "table" },
      el("div", { class: "table-head" }, el("h1", {}, title), end),
      el(
        "div",
        { class: "column" },
        this.#players.box,
        this.#pictureBox,
        this.#after.reviewBox,
        this.#evaluationBox,
        inWords,
      ),
      el(
        "div",
        { class: "column" },
        el("div", { class: "state-row" }, this.#state, this.#lastMove),
        this.#log.box,
        this.#curtain.box,
        this.#form.box,
        this.#notice,
        this.#news,
        this.#hint,
        this.#requests.box,
        this.#after.box,
        this.#controls.box,
        this.#moves.box,
      ),
    );
  }

  /** The number of the move that the server has not answered yet, or null. */
  get pending() {
    return this.#form.pending;
  }

  /**
   * @param {GameData} data
   * @param {boolean} hasMoved whether the player is asked for a new move
   */
  show(data, hasMoved) {
    this.#data = data;
    const { snapshot } = data;
    const focus = this.#focusBefore();
    this.#showState();
    this.showPlayers(data);
    this.#log.show(state.logTexts(snapshot), this.#names());
    this.#showBoard(snapshot.view.board);
    const isFormLate = this.#form.box.hidden === state.isMyTurn(snapshot);
    if (hasMoved || (isFormLate && !state.needsCurtain(snapshot))) this.#askMove();
    this.#curtain.show(snapshot);
    this.#picture.show(this.#after.scene ?? snapshot.view.scene);
    this.#moves.show(snapshot);
    this.showEvaluation(data);
    this.#requests.show(snapshot);
    this.#controls.show(snapshot);
    this.#after.show(snapshot, data.promised);
    updateSeat(snapshot.id, {
      title: snapshot.title,
      opponent: state.describeOpponent(snapshot),
      over: state.isOver(snapshot),
    });
    if (hasMoved && focus.isAdrift && this.#isShown) this.#restoreFocus(focus.kind);
    this.#isShown = true;
  }

  /** @param {GameData} data */
  showPlayers({ snapshot, presence }) {
    this.#players.show(snapshot, presence);
    const others = state.countSpectators(snapshot, presence);
    this.#watching.textContent = others ? plural(others, "spectator") : "";
  }

  /** @param {GameData} data */
  showEvaluation({ snapshot, evaluation }) {
    const shown = state.shownEvaluation(snapshot, evaluation);
    refill(this.#evaluationBox, shown && evaluationBar(shown, this.#names()));
  }

  /** @param {string} text nothing to hide the hint */
  showHint(text) {
    this.#hint.hidden = !text;
    this.#hint.textContent = `Hint: ${this.#withNames(text)}`;
  }

  /** @param {string} text */
  showNews(text) {
    this.#news.textContent = text;
  }

  /** @param {string} text */
  showNotice(text) {
    this.#notice.textContent = this.#withNames(text);
  }

  /**
   * @param {string} why
   * @param {string} code
   */
  refuseMove(why, code) {
    this.#form.refuse(why, code);
  }

  #names() {
    return state.playerNames(this.#data.snapshot);
  }

  /** @param {string} text */
  #withNames(text) {
    return withNames(text, this.#names());
  }

  #askMove() {
    const { snapshot } = this.#data;
    const canMove = state.isMyTurn(snapshot) && !this.#curtain.isDown(snapshot);
    this.#form.ask(snapshot.view, canMove ? (snapshot.view.legal ?? []) : []);
  }

  /** Show what the player to move may see, and ask for the move. */
  lift() {
    this.show(this.#data, true);
    this.#form.focus(null);
  }

  #showState() {
    const { snapshot } = this.#data;
    const { text, seat } = state.describeState(snapshot);
    refill(this.#state, seat !== null && seatMark(seat), el("span", {}, text));
    this.#lastMove.textContent = state.describeLastMove(snapshot);
    document.title = `${text} · ${snapshot.title} · Duelbook`;
  }

  /** @param {string} board */
  #showBoard(board) {
    this.#board.textContent = this.#withNames(board);
    this.#board.classList.toggle("drawn", isPreformatted(board));
  }

  /**
   * Whether the focus may be lost by what follows, and how the player chose last. A spectator's
   * focus stays where it is.
   *
   * @returns {{ isAdrift: boolean, kind: InputKind | null }}
   */
  #focusBefore() {
    const active = document.activeElement;
    const boxes = [this.#form.box, this.#curtain.box, this.#pictureBox];
    const isHere = active === this.#state || boxes.some((box) => box.contains(active));
    const isPlayer = this.#data.snapshot.seats.length > 0;
    const isAdrift = isHere || (isPlayer && active === document.body);
    const isPlaying = isHere || this.#form.pending !== null;
    const kind = active === this.#form.input ? "typed" : isPlaying ? this.#form.lastInput : null;
    return { isAdrift, kind };
  }

  /**
   * After a move the focus goes where the player goes on.
   *
   * @param {InputKind | null} kind
   */
  #restoreFocus(kind) {
    if (kind === "pointed" && this.#picture.focus()) return;
    if (!this.#curtain.box.hidden) this.#curtain.focus();
    else if (!this.#form.box.hidden) this.#form.focus(kind);
    else this.#focusState();
  }

  #focusState() {
    this.#state.focus({ preventScroll: true });
  }
}
