// The games that the server offered last, to show when it cannot be reached.

import { readJson, storeText } from "./browser_storage.js";

/** @import { Book } from "./protocol.js" */

const KEY = "duelbook.books";

/** @param {Book[]} books */
export const storeBooks = (books) => storeText(KEY, JSON.stringify(books));

/** @returns {Book[]} */
export function storedBooks() {
  const read = readJson(KEY);
  return Array.isArray(read) ? read : [];
}
