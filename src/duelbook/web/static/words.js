// The server's texts call the players by their seats; people go by their names.

export const plainNames = ["Player 1", "Player 2"];

export function named(text, names) {
  return text.replace(/\bPlayer ([12])\b/g, (_, number) => names[number - 1]);
}

export function count(number, thing) {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}
