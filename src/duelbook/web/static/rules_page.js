// The rules page of each game, and the list of the rules pages.

import { fetchBooks, fetchRules, RequestError, rulesPath } from "./api.js";
import { button, el, messageOf } from "./dom.js";
import { showNotFound } from "./not_found.js";
import { STATUS } from "./protocol.js";
import { startGuided } from "./quick_start.js";
import { fillRules } from "./rules.js";
import { HINTS, PAGE, RULES } from "./strings.js";

/** @import { Rules } from "./protocol.js" */

/**
 * @param {HTMLElement} page
 * @param {string} slug
 */
export async function showRulesPage(page, slug) {
  try {
    showPage(page, slug, await fetchRules(slug));
  } catch (error) {
    const isUnknown = error instanceof RequestError && error.status === STATUS.unknown;
    if (isUnknown) showNotFound(page, RULES.unknown);
    else page.replaceChildren(el("p", { class: "notice" }, messageOf(error)));
  }
}

/**
 * @param {HTMLElement} page
 * @param {string} slug
 * @param {Rules} rules
 */
function showPage(page, slug, rules) {
  const { title } = rules;
  document.title = PAGE.title(RULES.of(title));
  const refusal = el("p", { class: "refusal", role: "alert" });
  const start = async () => {
    try {
      await startGuided({ slug, title });
    } catch (error) {
      refusal.textContent = messageOf(error);
    }
  };
  const guided = button(HINTS.guided, start, { class: "primary", "data-testid": "guided" });
  const play = el("a", { class: "button", href: `/#${slug}` }, RULES.play);
  const box = el("div", { class: "rules", "data-testid": "rules" });
  page.replaceChildren(
    el(
      "article",
      { class: "rules-page" },
      el("p", {}, el("a", { href: "/rules" }, RULES.all)),
      el("h1", { tabindex: "-1" }, title),
      el("div", { class: "row" }, rules.first_game?.length ? guided : null, play),
      refusal,
      box,
    ),
  );
  fillRules(box, rules);
}

/** @param {HTMLElement} page */
export async function showRulesList(page) {
  document.title = PAGE.title(RULES.all);
  try {
    const books = await fetchBooks();
    const items = books.map(({ slug, title, about }) =>
      el("li", {}, el("a", { href: rulesPath(slug) }, title), el("span", {}, about)),
    );
    const heading = el("h1", { tabindex: "-1" }, RULES.all);
    const list = el("ul", { class: "rules-list" }, items);
    page.replaceChildren(el("article", { class: "rules-page" }, heading, list));
  } catch (error) {
    page.replaceChildren(el("p", { class: "notice" }, messageOf(error)));
  }
}
