// What this browser keeps from one visit to the next. Where it keeps nothing, nothing is found.

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
export function keepText(key, text) {
  try {
    localStorage.setItem(key, text);
  } catch {
    // The browser forbids it, or has no room.
  }
}

/**
 * @param {string} key
 * @returns {any} null if nothing is kept, or something that is not JSON
 */
export function readJson(key) {
  try {
    return JSON.parse(readText(key) ?? "null");
  } catch {
    return null;
  }
}
