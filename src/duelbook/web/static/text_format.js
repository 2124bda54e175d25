// The server's texts call the players by their seats; people go by their names.

export const plainNames = ["Player 1", "Player 2"];

export function named(text, names) {
  return text.replace(/\bPlayer ([12])\b/g, (_, number) => names[number - 1]);
}

// The books speak to whoever moves. To everybody else, `Your` is that player's.
export function overheard(text, seat) {
  return text.replace(/\byour\b/gi, `Player ${seat + 1}'s`).replace(/\b(the )?opponent's\b/gi, `Player ${2 - seat}'s`);
}

// Whether a text draws something with letters, which then must stand below each other.
export function isDrawn(text) {
  return /^\s*[|+]|^ {2,}\S|^(\S{1,2} +){2,}\S{1,2}$/m.test(text);
}

export function count(number, thing) {
  return `${number} ${thing}${number === 1 ? "" : "s"}`;
}
