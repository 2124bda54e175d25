// The places of the last move on the board.

import { containsWords } from "./partial_move.js";
import { unknownShape } from "./protocol.js";

/** @import { Scene, Seat, Shape } from "./protocol.js" */
/**
 * A place is the number of a shape in its scene, such as `2`, or a slot, cell or line of the shape,
 * such as `2/5`.
 *
 * @typedef {ReadonlySet<string>} Places
 */

/**
 * The marks on the board: the places of the last move, and the winner.
 *
 * @typedef {{ lastMove: Places, winner?: Seat | null }} Marks
 */

/** @type {Places} */
export const NOWHERE = new Set();
const KEY = "duelbook.last-move";

/**
 * Return the places that the words of a move name, or else the places that it changed. If the same
 * words name several places, only the changed ones count, if there are any.
 *
 * @param {Scene} before as the player saw it, so that hidden information stays hidden
 * @param {Scene} after
 * @param {string} move
 * @returns {Places}
 */
export function placesOf(before, after, move) {
  const changed = changedPlaces(before, after);
  /** @type {Map<string, string[]>} */
  const named = new Map();
  for (const [place, { says }] of partsOf(before)) {
    if (says && containsWords(move, says)) named.set(says, [...(named.get(says) ?? []), place]);
  }
  const places = [...named.values()].flatMap((group) => {
    const moved = group.filter((place) => changed.has(place));
    return moved.length ? moved : group;
  });
  return new Set(places.length ? places : changed);
}

/**
 * Return the places that look different or are new.
 *
 * @param {Scene} before
 * @param {Scene} after
 * @returns {Places}
 */
function changedPlaces(before, after) {
  const old = new Map(partsOf(before).map(([place, { looks }]) => [place, looks]));
  const parts = partsOf(after).filter(([place, { looks }]) => old.get(place) !== looks);
  return new Set(parts.map(([place]) => place));
}

/**
 * Return the parts of a scene: the appearance of each, and its words. The available actions are not
 * part of the appearance.
 *
 * @param {Scene} scene
 * @returns {[string, { looks: string, says?: string }][]}
 */
function partsOf(scene) {
  return scene.flatMap((shape, at) =>
    subparts(shape).map(([part, says, looks]) => [
      part === null ? `${at}` : `${at}/${part}`,
      { says, looks: JSON.stringify([shape.shape, ...looks]) },
    ]),
  );
}

/**
 * @param {Shape} shape
 * @returns {[number | null, string | undefined, unknown[]][]}
 */
function subparts(shape) {
  switch (shape.shape) {
    case "text":
      return [[null, undefined, [shape.words]]];
    case "board":
      return shape.words.split("\n").map((line, at) => [at, undefined, [line]]);
    case "gauge":
      return [[null, shape.says, [shape.label, shape.value]]];
    case "stack":
      return [[null, shape.says, [shape.label, shape.count]]];
    case "slots":
      return shape.slots.map(({ name, seat, spent, says }, at) => [at, says, [name, seat, spent]]);
    case "track":
      return [...Array(shape.last + 1).keys()].map((cell) => {
        const standing = shape.units.map((unit) => unit === cell);
        return [cell, shape.says?.[cell], standing];
      });
    default:
      return unknownShape(shape);
  }
}

/**
 * Store the places of the last move, for a reload of the page.
 *
 * @param {{ id: string, turn: number }} game
 * @param {Places} places
 */
export function storeLastMove({ id, turn }, places) {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ id, turn, places: [...places] }));
  } catch {
    // The browser stores nothing. The mark returns with the next move.
  }
}

/**
 * @param {{ id: string, turn: number }} game
 * @returns {Places}
 */
export function storedLastMove({ id, turn }) {
  try {
    const stored = JSON.parse(sessionStorage.getItem(KEY) ?? "{}");
    return stored.id === id && stored.turn === turn ? new Set(stored.places) : NOWHERE;
  } catch {
    return NOWHERE;
  }
}
