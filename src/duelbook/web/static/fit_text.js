// Fits a text into a picture: with a smaller font if that is enough, otherwise shortened.

const MIN_FONT_PIXELS = 12;
const MAX_LAST_WORD = 10;

/**
 * Show words in an SVG text that is already in the page, at most `room` pixels wide.
 *
 * @param {SVGTextElement} node
 * @param {string} words
 * @param {number} room
 */
export function fitText(node, words, room) {
  node.textContent = words;
  node.style.fontSize = "";
  const width = node.getComputedTextLength();
  if (width <= room) return;
  const size = Number.parseFloat(getComputedStyle(node).fontSize);
  const smaller = (size * room) / width - 0.1;
  node.style.fontSize = `${Math.max(Math.min(MIN_FONT_PIXELS, size), smaller)}px`;
  if (node.getComputedTextLength() <= room) return;
  node.textContent = shorten(words, (text) => {
    node.textContent = text;
    return node.getComputedTextLength() <= room;
  });
}

/**
 * Return the longest beginning of a text that fits, with an ellipsis. A short last word stays,
 * because it says what the picture shows.
 *
 * @param {string} words
 * @param {(text: string) => boolean} fits
 */
export function shorten(words, fits) {
  const at = words.lastIndexOf(" ");
  const end = at > 0 && words.length - at <= MAX_LAST_WORD ? words.slice(at) : "";
  const letters = [...words.slice(0, words.length - end.length)];
  const cut = (/** @type {number} */ count) =>
    `${letters.slice(0, count).join("").trimEnd()}…${end}`;
  let [most, tooMany] = [1, letters.length];
  while (tooMany - most > 1) {
    const middle = (most + tooMany) >> 1;
    if (fits(cut(middle))) most = middle;
    else tooMany = middle;
  }
  return cut(most);
}
