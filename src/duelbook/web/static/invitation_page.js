// The page of an invitation: who challenges the friend, to which game, and one button.

import { postSeat } from "./api.js";
import { button, el, messageOf } from "./dom.js";
import { describeTerms } from "./invite.js";
import { Picture } from "./picture.js";
import { CHAIR, MODE } from "./protocol.js";
import { quickStart } from "./quick_start.js";
import { savedName, saveName, saveSeat } from "./saved_seats.js";
import { shortRules } from "./short_rules.js";
import { INVITE, PAGE, WHO } from "./strings.js";

/** @import { Snapshot } from "./protocol.js" */
/**
 * Called when the player requests the seat, and when the server grants or refuses it.
 *
 * @typedef {{ onAsk: () => void, onSeated: () => void, onRefused: () => void }} Callbacks
 */

/**
 * Return the name of the player who invites, or an empty text.
 *
 * @param {Snapshot} snapshot
 */
function hostOf({ status }) {
  const seat = status.chairs.findIndex(({ kind }) => kind === CHAIR.person);
  const name = status.chairs[seat]?.name ?? "";
  return name === WHO.player(seat + 1) ? "" : name;
}

/**
 * @param {HTMLElement} page
 * @param {Snapshot} snapshot
 * @param {Callbacks} callbacks
 */
export function showInvitation(page, snapshot, callbacks) {
  const heading = INVITE.challenge(hostOf(snapshot), snapshot.title);
  document.title = PAGE.title(heading);
  const picture = el("div", { class: "game-picture" });
  page.replaceChildren(
    el(
      "div",
      { class: "invitation" },
      el("h1", { tabindex: "-1", "data-testid": "challenge" }, heading),
      seatForm(snapshot, callbacks),
      el("div", { class: "stack" }, picture, shortRules(snapshot.book)),
    ),
  );
  new Picture(picture).show(snapshot.view.scene);
}

/**
 * @param {Snapshot} snapshot
 * @param {Callbacks} callbacks
 */
function seatForm({ id, title, status }, { onAsk, onSeated, onRefused }) {
  const name = el("input", {
    type: "text",
    name: "name",
    maxlength: "24",
    value: savedName(),
    autocomplete: "nickname",
  });
  const help = el("input", { type: "checkbox", name: "help" });
  const refusal = el("p", { class: "refusal", role: "alert" });
  const form = el(
    "form",
    { class: "sheet stack", "aria-label": INVITE.sitDown },
    el("label", {}, INVITE.yourName, name),
    refusal,
    el("button", { class: "primary", type: "submit", "data-testid": "sit-down" }, INVITE.accept),
    el("p", { class: "muted", "data-testid": "terms" }, describeTerms(status)),
    el("label", { class: "checkbox-label" }, help, el("span", {}, INVITE.allowHelp)),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const playerName = name.value.trim();
    onAsk();
    try {
      const { secret, seats } = await postSeat(id, { name: playerName, help: help.checked });
      if (playerName) saveName(playerName);
      saveSeat(id, { secret, seats, title });
      onSeated();
    } catch (error) {
      refusal.textContent = messageOf(error);
      onRefused();
    }
  });
  return form;
}

/**
 * Show the page of a cancelled invitation.
 *
 * @param {HTMLElement} page
 * @param {Snapshot} snapshot
 */
export function showCancelled(page, snapshot) {
  const { book: slug, title, seats } = snapshot;
  document.title = PAGE.title(INVITE.cancelled);
  const refusal = el("p", { class: "refusal", role: "alert" });
  const play = () =>
    quickStart({ slug, title }, MODE.computer).catch((error) => {
      refusal.textContent = messageOf(error);
    });
  page.replaceChildren(
    el(
      "section",
      { class: "not-found stack", "data-testid": "cancelled" },
      el("h1", { tabindex: "-1" }, seats.length ? INVITE.youCancelled : INVITE.cancelled),
      refusal,
      el(
        "div",
        { class: "row" },
        button(INVITE.playComputer(title), play, { class: "primary" }),
        el("a", { class: "button", href: "/" }, INVITE.otherGames),
      ),
    ),
  );
}
