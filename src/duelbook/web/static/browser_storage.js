// The storage of this browser. If the browser forbids it, every read returns null.

/**
 * @param {string} key
 * @returns {string | null}
 */
export function readText(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/**
 * @param {string} key
 * @param {string} text
 */
export function storeText(key, text) {
  try {
    localStorage.setItem(key, text);
  } catch {
    // The browser forbids storage, or the storage is full.
  }
}

/**
 * @param {string} key
 * @returns {any} null if nothing is stored, or if it is not JSON
 */
export function readJson(key) {
  try {
    return JSON.parse(readText(key) ?? "null");
  } catch {
    return null;
  }
}
