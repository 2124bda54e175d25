// The games that the server offered last, to show when it cannot be reached.

import { keepText, readJson } from "./browser_storage.js";

/** @import { Book } from "./protocol.js" */

const KEY = "duelbook.books";

/** @param {Book[]} books */
export const keepBooks = (books) => keepText(KEY, JSON.stringify(books));

/** @returns {Book[]} */
export function keptBooks() {
  const read = readJson(KEY);
  return Array.isArray(read) ? read : [];
}
