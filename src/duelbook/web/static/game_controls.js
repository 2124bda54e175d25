// The controls of a game besides moves: take back, hint, resign, allow help. A button has the same
// place for the whole game.

import { button, el } from "./dom.js";
import { isAgainstPerson, isMyTurn, isOver, isWaiting, mySeat, playerNames } from "./game_state.js";
import { notifyButton } from "./notifications.js";
import { SENT } from "./protocol.js";
import { GAME } from "./strings.js";

/** @import { ClientMessage, Snapshot } from "./protocol.js" */

export class GameControls {
  /** @type {Snapshot | undefined} */
  #snapshot;
  #takeback = button(GAME.takeBack, () => this.#takeBack(), { "data-testid": "takeback" });
  #hint = button(GAME.hint, () => this.send({ type: SENT.hint }), { "data-testid": "ask-hint" });
  #resign = button(GAME.resign, () => this.#askToResign(), { "data-testid": "resign" });
  #toggle = el("input", { type: "checkbox", "data-testid": "allow-help" });
  #toggleText = el("span");
  #resignDialog;
  box;
  helpBox;
  notifyBox = notifyButton();

  /**
   * @param {(message: ClientMessage) => void} send
   * @param {HTMLElement} opener the button that opens the panel
   */
  constructor(send, opener) {
    this.send = send;
    this.#resignDialog = this.#makeResignDialog();
    const props = { class: "controls", role: "group", "aria-label": GAME.controls };
    this.box = el("div", props, this.#takeback, this.#hint, this.#resign, opener);
    this.helpBox = el("label", { class: "checkbox-label" }, this.#toggle, this.#toggleText);
    this.#toggle.addEventListener("change", () =>
      this.send({ type: SENT.help, on: this.#toggle.checked }),
    );
  }

  /** @param {Snapshot} snapshot */
  show(snapshot) {
    if (snapshot.turn !== this.#snapshot?.turn) this.#resignDialog.close();
    this.#snapshot = snapshot;
    const { seats, status, movers } = snapshot;
    const isPlaying = seats.length > 0 && !isOver(snapshot) && !isWaiting(snapshot);
    for (const control of [this.#takeback, this.#hint, this.#resign]) control.hidden = !isPlaying;
    this.helpBox.hidden = !isPlaying;
    this.notifyBox.hidden = !isPlaying || !isAgainstPerson(snapshot);
    this.#takeback.disabled = !movers.some((seat) => seats.includes(seat));
    this.#hint.disabled = !status.help.every(Boolean) || !isMyTurn(snapshot);
    this.#showHelp(snapshot);
  }

  /** @param {Snapshot} snapshot */
  #showHelp(snapshot) {
    const { help } = snapshot.status;
    const helps = snapshot.seats.every((seat) => help[seat]);
    const me = mySeat(snapshot);
    const isAlone = helps && me !== null && !help[1 - me];
    this.#toggle.checked = helps;
    this.#toggleText.textContent = isAlone
      ? GAME.allowHelpAlone(playerNames(snapshot)[1 - me])
      : GAME.allowHelp;
  }

  #takeBack() {
    if (this.#snapshot) this.send({ type: SENT.takeback, answers: this.#snapshot.turn });
  }

  /** Ask for confirmation before resigning. */
  #askToResign() {
    this.#resignDialog.showModal();
  }

  #makeResignDialog() {
    const dialog = el("dialog", { class: "small-dialog", "aria-label": GAME.resign });
    const close = () => dialog.close();
    const resign = () => {
      dialog.close();
      if (this.#snapshot) this.send({ type: SENT.resign, answers: this.#snapshot.turn });
    };
    const answers = [
      button(GAME.playOn, close, { autofocus: true, "data-testid": "resign-no" }),
      button(GAME.yesResign, resign, { "data-testid": "resign-yes" }),
    ];
    dialog.append(el("h2", {}, GAME.reallyResign), el("div", { class: "row" }, answers));
    document.body.append(dialog);
    return dialog;
  }
}
