// Links to a game: for a friend to play, and for anyone to watch.

import { gamePath, pagePath, postSeat } from "./api.js";
import { button, el, messageOf } from "./dom.js";
import { CHAIR } from "./protocol.js";
import { savedName, saveName, saveSeat } from "./saved_seats.js";
import { formatDuration } from "./text_format.js";

/** @import { Clocks, Snapshot, Status } from "./protocol.js" */

/**
 * A field with the link to a game, and a button that copies it.
 *
 * @param {string} id
 * @param {string} [kind]
 */
function copyLink(id, kind = "") {
  const link = el("input", {
    type: "text",
    readonly: true,
    value: `${location.origin}${pagePath(id)}`,
    "aria-label": "Link to this game",
    "data-testid": "link",
  });
  const done = el("span", { role: "status", class: "soft" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link.value);
    } catch {
      link.select();
      document.execCommand("copy");
    }
    done.textContent = "Copied.";
  };
  const copyButton = button("Copy the link", copy, { class: kind, "data-testid": "copy-link" });
  return el("div", { class: "link" }, link, el("div", { class: "row" }, copyButton, done));
}

/** @param {string} id */
export function invitation(id) {
  const code = el("img", {
    src: `${pagePath(id)}/qr.svg`,
    alt: "The link as a code for a phone's camera",
    width: "152",
    height: "152",
  });
  return el(
    "section",
    { class: "sheet invite", "aria-label": "Invite a friend" },
    el("h3", {}, "Send this link to your friend"),
    el("div", { class: "invite-body" }, copyLink(id, "main"), code),
    el("p", { class: "soft" }, "The first who sits down plays. Anyone else who opens it watches."),
  );
}

/** @param {string} id */
export function sharing(id) {
  const props = {
    class: "button",
    href: gamePath(id, "/save"),
    download: true,
    "data-testid": "download",
  };
  return el("div", { class: "stack" }, copyLink(id), el("a", props, "Download the game"));
}

/**
 * The form with which someone takes the open seat of a game.
 *
 * @param {Snapshot} snapshot
 */
export function openSeatForm({ id, title, status }) {
  const name = el("input", {
    type: "text",
    name: "name",
    maxlength: "24",
    value: savedName(),
    autocomplete: "off",
  });
  const help = el("input", { type: "checkbox", name: "help" });
  const helpLabel = el("span", {}, "Allow hints and the evaluation bar (when both sides do)");
  const refusal = el("p", { class: "refusal", role: "alert" });
  const host = status.chairs.find(({ kind }) => kind === CHAIR.person)?.name;
  const form = el(
    "form",
    { class: "sheet stack", "aria-label": "Sit down" },
    el("h3", {}, host ? `${host} invites you to play` : "A seat is open"),
    el("p", { class: "soft", "data-testid": "terms" }, describeTerms(status)),
    el("label", {}, "Your name", name),
    el("label", { class: "check" }, help, helpLabel),
    refusal,
    el("button", { class: "main", type: "submit", "data-testid": "sit-down" }, "Sit down and play"),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const typed = name.value.trim();
    try {
      const { secret, seats } = await postSeat(id, { name: typed, help: help.checked });
      if (typed) saveName(typed);
      saveSeat(id, { secret, seats, title });
      location.reload();
    } catch (error) {
      refusal.textContent = messageOf(error);
    }
  });
  return form;
}

/**
 * What someone who sits down agrees to: the clock, and whether the host allows help.
 *
 * @param {Status} status
 */
export function describeTerms({ chairs, clocks, help }) {
  const seat = chairs.findIndex(({ kind }) => kind === CHAIR.person);
  const host = chairs[seat]?.name;
  const allows = help[seat] ? "allows hints and" : "does not allow hints or";
  const terms = [describeClock(clocks), host && `${host} ${allows} the evaluation bar.`];
  return terms.filter(Boolean).join(" ");
}

/** @param {Clocks | undefined} clocks */
function describeClock(clocks) {
  if (!clocks) return "There is no clock.";
  const { left, increment } = clocks;
  const more = increment ? `, and ${formatDuration(increment)} more for each move` : "";
  return `Each player has ${formatDuration(Math.max(...left))}${more}.`;
}
