// Links to a game: for a friend to play, and for anyone to watch.

import { gamePath, pagePath } from "./api.js";
import { button, el } from "./dom.js";
import { CHAIR } from "./protocol.js";
import { INVITE } from "./strings.js";
import { formatDuration } from "./text_format.js";

/** @import { Clocks, Status } from "./protocol.js" */

/**
 * Return the URL of a game.
 *
 * @param {string} id
 */
const addressOf = (id) => `${location.origin}${pagePath(id)}`;

/**
 * Return a field with the link to a game, and buttons that copy or share it.
 *
 * @param {string} id
 * @param {{ text?: string }} [invitation] the text to share with the link
 */
export function linkField(id, { text } = {}) {
  const link = el("input", {
    type: "text",
    readonly: true,
    value: addressOf(id),
    "aria-label": INVITE.link,
    "data-testid": "link",
  });
  const done = el("span", { role: "status", class: "muted" });
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link.value);
    } catch {
      link.select();
      document.execCommand("copy");
    }
    done.textContent = INVITE.copied;
  };
  const canShare = text && "share" in navigator;
  // Closing the share sheet is not an error.
  const share = () => navigator.share({ text, url: link.value }).catch(() => {});
  return el(
    "div",
    { class: "link-field" },
    link,
    el(
      "div",
      { class: "row" },
      canShare && button(INVITE.share, share, { class: "primary", "data-testid": "share-link" }),
      button(INVITE.copy, copy, {
        class: text && !canShare ? "primary" : "",
        "data-testid": "copy-link",
      }),
      done,
    ),
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
  return el("div", { class: "stack" }, linkField(id), el("a", props, INVITE.download));
}

/**
 * Return the terms of a game as text: the clock, and whether the host allows help.
 *
 * @param {Status} status
 */
export function describeTerms({ chairs, clocks, help }) {
  const seat = chairs.findIndex(({ kind }) => kind === CHAIR.person);
  const host = chairs[seat]?.name;
  const allows = help[seat] ? INVITE.allows : INVITE.forbids;
  return [describeClock(clocks), host && `${host} ${allows}`].filter(Boolean).join(" ");
}

/** @param {Clocks | undefined} clocks */
function describeClock(clocks) {
  if (!clocks) return INVITE.noClock;
  const { left, increment } = clocks;
  const more = increment ? INVITE.increment(formatDuration(increment)) : "";
  return `${INVITE.clock(formatDuration(Math.max(...left)))}${more}.`;
}
