// The page of a player who waits for the invited player: the link, and things to do meanwhile.

import { pagePath } from "./api.js";
import { button, el, messageOf } from "./dom.js";
import { linkField } from "./invite.js";
import { MODE, SENT } from "./protocol.js";
import { quickStart } from "./quick_start.js";
import { savedName } from "./saved_seats.js";
import { INVITE, PAGE } from "./strings.js";

/** @import { ClientMessage, Snapshot } from "./protocol.js" */
/**
 * `onLeave` is called when the player starts another game, and `onStay` if the server refuses it.
 *
 * @typedef {{
 *   send: (message: ClientMessage) => number | null, onLeave: () => void, onStay: () => void,
 * }} Callbacks
 */

/**
 * @param {HTMLElement} page
 * @param {Snapshot} snapshot
 * @param {Callbacks} callbacks
 */
export function showWaitingRoom(page, { id, book: slug, title, turn }, callbacks) {
  const { send, onLeave, onStay } = callbacks;
  document.title = PAGE.title(INVITE.waiting, title);
  const refusal = el("p", { class: "refusal", role: "alert", "data-testid": "notice" });
  const play = () => {
    onLeave();
    quickStart({ slug, title }, MODE.computer).catch((error) => {
      refusal.textContent = messageOf(error);
      onStay();
    });
  };
  const cancel = () => {
    const isSent = send({ type: SENT.abort, answers: turn }) !== null;
    refusal.textContent = isSent ? "" : INVITE.notConnected;
  };
  const code = el("img", {
    src: `${pagePath(id)}/qr.svg`,
    alt: INVITE.code,
    width: "152",
    height: "152",
  });
  page.replaceChildren(
    el(
      "div",
      { class: "waiting-room stack" },
      el("h1", { tabindex: "-1" }, INVITE.invite(title)),
      el("p", { role: "status", "data-testid": "state" }, INVITE.waiting),
      el(
        "section",
        { class: "sheet invite-panel", "aria-label": INVITE.send },
        el("h2", {}, INVITE.send),
        el(
          "div",
          { class: "invite-content" },
          linkField(id, { text: INVITE.challenge(savedName(), title) }),
          code,
        ),
        el("p", { class: "muted" }, INVITE.firstPlays),
      ),
      refusal,
      el(
        "div",
        { class: "row" },
        button(INVITE.playMeanwhile, play, { "data-testid": "play-meanwhile" }),
        button(INVITE.cancel, cancel, { "data-testid": "cancel-invitation" }),
      ),
      el("p", { class: "muted" }, INVITE.notice),
    ),
  );
}
