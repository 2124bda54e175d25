// The view of a game.

import { Advice } from "./advice.js";
import { AfterGame } from "./after_game.js";
import { Curtain } from "./curtain.js";
import { button, el, refill, seatMark } from "./dom.js";
import { evaluationBar } from "./evaluation_bar.js";
import { GameBoard } from "./game_board.js";
import { GameControls } from "./game_controls.js";
import { GameKeys } from "./game_keys.js";
import { GameLog } from "./game_log.js";
import { noteGame } from "./game_notes.js";
import { GamePanel } from "./game_panel.js";
import * as state from "./game_state.js";
import { MoveForm } from "./move_form.js";
import { MoveList } from "./move_list.js";
import { OverduePanel } from "./overdue_panel.js";
import { PlayerCards } from "./player_cards.js";
import { SENT } from "./protocol.js";
import { RequestsPanel } from "./requests_panel.js";
import { rulesDialog } from "./rules.js";
import { sceneInWords } from "./scene_words.js";
import { GAME, PAGE, RULES } from "./strings.js";
import { isPreformatted } from "./text_format.js";

/** @import { ClientMessage, Evaluation, Presence, Scene, Seat, Snapshot } from "./protocol.js" */
/** @import { FirstCommitment } from "./fairness.js" */
/** @import { PlaySound } from "./effects.js" */
/** @import { Places } from "./last_move.js" */
/** @import { MoveEvent } from "./move_events.js" */
/** @import { InputKind } from "./move_form.js" */
/**
 * The data from the server. `snapshot` is on the screen; `newest` is the current state, which may
 * be some moves ahead.
 *
 * @typedef {{
 *   snapshot: Snapshot, newest: Snapshot, presence: Presence, lastMove: Places,
 *   firstCommitment: FirstCommitment | null, evaluation?: Evaluation,
 * }} GameData
 */
/**
 * The actions of the player. `send` returns the number of the message, or null if offline.
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
  advice = new Advice(() => this.#showAdvice());
  #table = el("div", { class: "game-layout" });
  #state = el("h2", { class: "state", tabindex: "-1", "data-testid": "state" });
  #lastMove = el("p", { class: "last-move", role: "status", "data-testid": "last-move" });
  #watching = el("span", { class: "muted", "data-testid": "watching" });
  #evaluationBox = el("div", { class: "evaluation-box" });
  #inWords = el("div", { class: "scene-text", tabindex: "0", "data-testid": "in-words" });
  #notice = el("p", { class: "refusal", role: "alert" });
  #news = el("p", { class: "muted", role: "status", "data-testid": "news" });
  #log = new GameLog();
  #players = new PlayerCards();
  #moves = new MoveList();
  #panel;
  #curtain;
  #controls;
  #requests;
  #overdue;
  #after;
  #form;
  #board;

  /**
   * @param {HTMLElement} page
   * @param {GameData} data
   * @param {Actions} actions
   */
  constructor(page, data, { send, withdraw, follow }) {
    this.#data = data;
    const focusState = () => this.#focusState();
    const look = () => send({ type: SENT.look });
    this.#curtain = new Curtain(() => this.openCurtain(), look);
    this.#requests = new RequestsPanel({
      send,
      onWithdraw: withdraw,
      onFocusLost: focusState,
    });
    this.#overdue = new OverduePanel(send, focusState);
    this.#after = new AfterGame({
      send,
      onNext: follow,
      onFocusLost: focusState,
      onStep: (scene, marks, events) => {
        this.#board.show(scene, marks);
        if (events.length) this.#board.play(events, () => {}); // silently
        this.#showInWords(scene);
      },
    });
    this.#form = new MoveForm({
      play: (move) => send({ type: SENT.play, move, answers: this.#data.snapshot.turn }),
      onChange: () => this.#showAdvice(),
    });
    this.#board = new GameBoard(this.#form, {
      label: GAME.position(data.snapshot.title),
      ownedLabel: (seat, label) => this.#ownedLabel(seat, label),
      isHinted: (piece) => this.advice.isAbout(piece),
    });
    const keys = new GameKeys(this.#form);
    this.#panel = new GamePanel(
      [
        { name: "log", label: GAME.log, content: this.#log.box },
        { name: "moves", label: GAME.moves, content: this.#moves.box },
        { name: "words", label: GAME.inWords, content: this.#inWords },
      ],
      this.#form.typedForm,
      this.#form.styleButton,
      keys.opener,
    );
    this.#controls = new GameControls(send, this.#panel.opener());
    this.#panel.box
      .querySelector(".panel-foot")
      ?.append(this.#controls.helpBox, this.#controls.notifyBox);
    this.#layOut(page, data.snapshot);
    this.show(data, true);
  }

  /**
   * Lay out the page: the board, and beside or below it the state, the messages, the choices and
   * the controls. Each part has a fixed place and height.
   *
   * @param {HTMLElement} page
   * @param {Snapshot} snapshot
   */
  #layOut(page, { book, title }) {
    document.body.classList.add("in-game");
    const rules = button(RULES.label, rulesDialog(book, title), { class: "subtle" });
    const head = document.getElementById("game-header");
    head?.replaceChildren(el("h1", {}, title), this.#watching, rules);
    // Screen readers read the line about the last move, so they skip the log.
    this.#log.box.setAttribute("aria-live", "off");
    const { hintBox, coach } = this.advice;
    const board = [this.#players.box, this.#evaluationBox, this.#board.box, coach.box];
    const messages = [
      ...[this.#form.refusal, this.#notice, this.#requests.box, this.#overdue.box],
      ...[hintBox, this.#news, this.#lastMove],
    ];
    const choices = [
      this.#curtain.box,
      this.#form.box,
      this.#requests.spectatorBox,
      this.#after.box,
    ];
    this.#table.replaceChildren(
      el("div", { class: "board-side" }, board),
      el(
        "div",
        { class: "play-side" },
        el("div", { class: "status" }, this.#state, el("div", { class: "messages" }, messages)),
        el(
          "div",
          { class: "choice-area", "data-testid": "choices" },
          choices,
          this.#after.reviewBox,
        ),
        this.#controls.box,
        this.#panel.box,
      ),
    );
    page.replaceChildren(this.#table, this.#after.endBox);
  }

  /** The number of the move that the server has not answered yet, or null. */
  get pending() {
    return this.#form.pending;
  }

  /**
   * @param {GameData} data
   * @param {boolean} hasMoved whether the position has changed
   */
  show(data, hasMoved) {
    this.#data = data;
    const { snapshot } = data;
    const focus = this.#focusBefore();
    this.#showState();
    this.showPlayers(data);
    this.#log.show(state.logTexts(snapshot));
    this.#showInWords(snapshot.view.scene);
    this.#showPhase();
    const isFormLate = this.#form.isAsking !== state.isMyTurn(snapshot);
    this.advice.coach.show(snapshot);
    if (hasMoved || (isFormLate && !state.needsCurtain(snapshot))) this.#askMove();
    this.#curtain.show(snapshot);
    const marks = { lastMove: data.lastMove, winner: snapshot.status.result?.winner };
    const reviewed = this.#after.position;
    this.#board.show(reviewed?.scene ?? snapshot.view.scene, reviewed?.marks ?? marks);
    this.advice.colourChoices(this.#form.box);
    this.#moves.show(snapshot);
    this.showEvaluation(data);
    this.#requests.show(snapshot);
    this.#controls.show(snapshot);
    this.#after.show(snapshot, data.firstCommitment);
    noteGame(snapshot);
    if (hasMoved && focus.isAdrift && this.#isShown) this.#restoreFocus(focus.kind);
    this.#isShown = true;
  }

  /**
   * Animate the events of the last move, and return their duration in milliseconds.
   *
   * @param {MoveEvent[]} events
   * @param {PlaySound} playSound
   */
  play(events, playSound) {
    return this.#board.play(events, playSound);
  }

  /** Show the result of the game. */
  announceEnd() {
    this.#after.announce(this.#data.snapshot);
  }

  /** Show the parts of the page for the phase: waiting for a player, playing, or over. */
  #showPhase() {
    const { snapshot } = this.#data;
    const isWaiting = state.isWaiting(snapshot);
    const phase = state.isOver(snapshot) ? "over" : isWaiting ? "waiting" : "playing";
    const isPlayer = phase === "playing" && snapshot.seats.length > 0;
    this.#table.dataset.phase = phase;
    this.#form.box.hidden = !isPlayer || this.#curtain.isClosed(snapshot);
    this.#form.typedForm.hidden = !isPlayer;
    this.#evaluationBox.hidden = phase !== "playing" || !snapshot.status.help.every(Boolean);
  }

  /** @param {GameData} data */
  showPlayers({ snapshot, newest, presence }) {
    this.#players.show(snapshot, presence);
    this.#overdue.update(newest, presence);
    const spectators = state.countSpectators(snapshot, presence);
    this.#watching.textContent = spectators ? GAME.spectators(spectators) : "";
  }

  /** @param {GameData} data */
  showEvaluation({ snapshot, evaluation }) {
    const shown = state.shownEvaluation(snapshot, evaluation);
    refill(this.#evaluationBox, shown && evaluationBar(shown));
  }

  #showAdvice() {
    this.advice.colourChoices(this.#form.box);
    this.#board.refresh();
  }

  /** @param {string} text */
  showNews(text) {
    this.#news.textContent = text;
  }

  /** @param {string} text */
  showNotice(text) {
    this.#notice.textContent = text;
  }

  /**
   * @param {string} why
   * @param {string} code
   */
  refuseMove(why, code) {
    this.#form.refuse(why, code);
  }

  #askMove() {
    const { snapshot } = this.#data;
    const isHidden = this.#curtain.isClosed(snapshot);
    const canMove = state.isMyTurn(snapshot) && !isHidden;
    this.#form.ask(snapshot.view, canMove ? (snapshot.view.legal ?? []) : []);
    if (isHidden) this.#form.clearHiddenChoice();
  }

  /** Show the view of the player to move, and ask for the move. */
  openCurtain() {
    this.show(this.#data, true);
    this.#form.focus(null);
  }

  #showState() {
    const { snapshot } = this.#data;
    const { text, seat } = state.describeState(snapshot);
    refill(this.#state, seat !== null && seatMark(seat), el("span", {}, text));
    this.#lastMove.textContent = state.describeLastMove(snapshot);
    document.title = PAGE.title(text, snapshot.title);
  }

  /** @param {Scene} scene */
  #showInWords(scene) {
    const words = sceneInWords(scene, (seat, label) => this.#ownedLabel(seat, label));
    this.#inWords.textContent = words;
    this.#inWords.classList.toggle("preformatted", isPreformatted(words));
  }

  /**
   * @param {Seat} seat
   * @param {string} label
   */
  #ownedLabel(seat, label) {
    return state.ownedLabel(this.#data.snapshot, seat, label);
  }

  /**
   * Return whether an update may lose the focus, and how the player chose last. A spectator's focus
   * stays where it is.
   *
   * @returns {{ isAdrift: boolean, kind: InputKind | null }}
   */
  #focusBefore() {
    const active = document.activeElement;
    const boxes = [this.#form.box, this.#curtain.box, this.#board.box];
    const isInGame = active === this.#state || boxes.some((box) => box.contains(active));
    const isPlayer = this.#data.snapshot.seats.length > 0;
    const isAdrift = isInGame || (isPlayer && active === document.body);
    const isPlaying = isInGame || this.#form.pending !== null;
    const kind = active === this.#form.input ? "typed" : isPlaying ? this.#form.lastInput : null;
    return { isAdrift, kind };
  }

  /**
   * Move the focus to the next input after a move.
   *
   * @param {InputKind | null} kind
   */
  #restoreFocus(kind) {
    if (kind === "pointed" && this.#board.focus()) return;
    if (!this.#curtain.box.hidden) this.#curtain.focus();
    else if (this.#form.isAsking) this.#form.focus(kind);
    else this.#focusState();
  }

  #focusState() {
    this.#state.focus({ preventScroll: true });
  }
}
