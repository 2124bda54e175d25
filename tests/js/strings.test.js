// The words of the page stand in strings.js, and in no other module.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { literalsOf } from "./literals.js";

const PAGE = new URL("../../src/duelbook/web/static/", import.meta.url);
/** `theme.js` runs before anything is drawn, when no module is there yet. */
const OTHER_PLAYERS = ["strings.js", "theme.js"];
const CAPITALISED = /^\W*[A-Z][a-z]+\b(?!-)/;
const END_OF_SENTENCE = /[a-z]{2}[.?!…]+$/;
const WORD_OF_SENTENCES = new RegExp(
  `^(?=.*\\s)(.*\\s)?(${[
    ...["an", "and", "are", "at", "by", "can", "does", "for", "from", "has", "have", "in", "is"],
    ...["it", "not", "of", "or", "that", "the", "this", "to", "was", "with", "you", "your"],
  ].join("|")})(?=[\\s.,:;?!…]|$)`,
);
/** Words that programs read: keys of the keyboard and of requests, names of the browser. */
const FOR_PROGRAMS = /^(Arrow\w+|Enter|Escape|Tab|Home|End|Bearer |Notification|AbortError)$/;
/** What stands before text that nobody reads: the name of a module, or of an attribute. */
const UNREAD = /(\bfrom|\bimport\(?|\b(class|d|transform|href|id)"?:)\s*("")*$/;

/**
 * The literals for people in a module: those that begin like a sentence or a heading, end like a
 * sentence, or have a word that only sentences have.
 *
 * @param {string} name
 * @param {string} source
 */
function literalsForPeople(name, source) {
  const marks = [CAPITALISED, END_OF_SENTENCE, WORD_OF_SENTENCES];
  return literalsOf(source)
    .filter(({ text, before }) => !FOR_PROGRAMS.test(text) && !UNREAD.test(before))
    .filter(({ text }) => marks.some((mark) => mark.test(text)))
    .map(({ text, line }) => `${name}:${line}: ${text}`);
}

test("texts for users are detected, and technical strings are not", () => {
  const literals = (/** @type {string} */ source) => literalsForPeople("a.js", source).length;
  for (const source of [
    'el("p", {}, "Nobody has moved yet.")',
    'button("Rules", go)',
    "const words = `$" + "{value} of $" + "{limit}`;",
    "const text = `$" + "{names.map((one) => `$" + "{one}!`)} wins the game`;",
    '({ class: "sheet", "aria-label": "The moves" })',
    "const isQuote = /[\"']/.test(text) || 'Somebody';",
  ]) {
    assert.equal(literals(source), 1, source);
  }
  for (const source of [
    'import { a } from "./The file.js";',
    'el("section", { class: "Sheet of stack" })',
    'renderer.text(box, "sea/label", [0, 1], name, "onsea small")',
    'if (event.key === "ArrowLeft") go();',
    "// The words of a comment.",
    "/* The words of a `comment`. */",
    'document.querySelector("[data-testid=moves]")',
  ]) {
    assert.equal(literals(source), 0, source);
  }
});

test("all texts of the page are in one file", () => {
  const modules = readdirSync(PAGE).filter((name) => name.endsWith(".js"));
  const literals = modules
    .filter((name) => !OTHER_PLAYERS.includes(name))
    .flatMap((name) => literalsForPeople(name, readFileSync(new URL(name, PAGE), "utf8")));
  assert.ok(modules.length > 30);
  assert.deepEqual(literals, []);
});
