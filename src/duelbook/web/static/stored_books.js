// The games that the server offered last, shown while it is unreachable.

import { readJson, storeText } from "./browser_storage.js";

/** @import { Book } from "./protocol.js" */

const KEY = "duelbook.books";

/** @param {Book[]} books */
export const storeBooks = (books) => storeText(KEY, JSON.stringify(books));

/** @returns {Book[]} */
export function storedBooks() {
  const stored = readJson(KEY);
  return Array.isArray(stored) ? stored : [];
}
