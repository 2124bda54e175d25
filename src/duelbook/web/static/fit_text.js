// Words in a picture, made to fit: first a little smaller, then cut short.

const SMALLEST = 11;
const SHORT = 10;

// Shows words in an SVG text that is in the page already, in no more than `room` pixels.
export function fit(node, words, room) {
  node.textContent = words;
  node.style.fontSize = "";
  const long = node.getComputedTextLength();
  if (long <= room) return;
  const size = Number.parseFloat(getComputedStyle(node).fontSize);
  node.style.fontSize = `${Math.max(Math.min(SMALLEST, size), (size * room) / long - 0.1)}px`;
  if (node.getComputedTextLength() <= room) return;
  // What stands after a name says what the picture shows there, so a short last word stays.
  const at = words.lastIndexOf(" ");
  const end = at > 0 && words.length - at <= SHORT ? words.slice(at) : "";
  const start = [...words.slice(0, words.length - end.length)];
  let [fits, tooMany] = [1, start.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    node.textContent = cut(start, middle, end);
    if (node.getComputedTextLength() <= room) fits = middle;
    else tooMany = middle;
  }
  node.textContent = cut(start, fits, end);
}

const cut = (letters, count, end) => `${letters.slice(0, count).join("").trimEnd()}…${end}`;
