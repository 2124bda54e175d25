// The card of a game on the home page. One tap starts a game against the computer.

import { rulesPath } from "./api.js";
import { button, el, messageOf } from "./dom.js";
import { Picture } from "./picture.js";
import { levelFor } from "./preferences.js";
import { MODE } from "./protocol.js";
import { isGuidedNext, quickStart } from "./quick_start.js";
import { HOME, RULES } from "./strings.js";

/** @import { Book } from "./protocol.js" */

/**
 * Return a card, and a function that draws its picture once the card is on the page.
 *
 * @param {Book} book
 * @param {boolean} isOnline
 */
export function gameCard(book, isOnline) {
  const { slug, title, about, scene, effort } = book;
  const box = el("div", { class: "game-picture" });
  const refusal = el("p", { class: "refusal", role: "alert" });
  const start = (/** @type {string} */ mode) => async () => {
    card.classList.add("starting");
    try {
      await quickStart(book, mode);
    } catch (error) {
      card.classList.remove("starting");
      refusal.textContent = messageOf(error);
    }
  };
  const opponent = isGuidedNext(book) ? HOME.guided : HOME.computer(levelFor(slug));
  const play = button(HOME.play, start(MODE.computer), {
    class: "primary play",
    disabled: !isOnline,
    "aria-label": HOME.playLabel(title, opponent),
    "data-testid": `book-${slug}`,
  });
  const toRules = { class: "button game-card-rules", href: rulesPath(slug) };
  const rules = el("a", { ...toRules, "aria-label": RULES.of(title) }, RULES.link);
  const card = el(
    "li",
    { class: "game-card" },
    box,
    el("h2", {}, title),
    el("p", { class: "about" }, about),
    effort && el("p", { class: "effort", "data-testid": `effort-${slug}` }, HOME.effort(effort)),
    refusal,
    el("div", { class: "game-card-start" }, play, el("span", {}, opponent), rules),
    el(
      "div",
      { class: "game-card-more" },
      button(HOME.friend, start(MODE.friend), {
        disabled: !isOnline,
        "aria-label": HOME.friendLabel(title),
        "data-testid": `friend-${slug}`,
      }),
      button(HOME.device, start(MODE.device), {
        disabled: !isOnline,
        "aria-label": HOME.deviceLabel(title),
        "data-testid": `device-${slug}`,
      }),
      el(
        "a",
        {
          class: "button",
          href: `#${slug}`,
          "aria-label": HOME.optionsLabel(title),
          "data-testid": `options-${slug}`,
        },
        HOME.options,
      ),
    ),
  );
  return { card, draw: () => new Picture(box).show(scene) };
}
