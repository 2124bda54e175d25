// The visible events of a move, computed from the scenes before and after it.

import { placesOf } from "./last_move.js";

/** @import { Gauge, Mover, Scene, Seat, Shape, Stack } from "./protocol.js" */
/**
 * A game before or after a move, as one player sees it.
 *
 * @typedef {{ scene: Scene, moves: string[], movers: Mover[] }} VisibleGame
 */
/**
 * The places are those of last_move.js.
 * - `fly`: a ship flies to a planet, and lands or bounces off.
 * - `walk`: a unit moves along its track; `isSentHome` if the opponent's move sends it back.
 * - `reveal`: a hidden choice and the answer to it are revealed.
 * - `fall`: a tower breaks. `sink`: an island sinks. `rise`: the sea rises.
 * - `count`: a quantity changes.
 *
 * @typedef {(
 *   | { kind: "fly", from: string, to: string, lands: boolean }
 *   | { kind: "walk", shape: number, seat: Seat, cells: number[], isSentHome: boolean }
 *   | { kind: "reveal", cards: { seat: Seat, count: number }[] }
 *   | { kind: "fall", place: string }
 *   | { kind: "sink", place: string }
 *   | { kind: "rise", place: string }
 *   | { kind: "count", place: string, by: number }
 * )} MoveEvent
 */

/**
 * @param {VisibleGame} before
 * @param {VisibleGame} after one move later
 * @returns {MoveEvent[]}
 */
export function moveEvents(before, after) {
  const pairs = after.scene.map((shape, at) => ({ at, old: before.scene[at], shape }));
  return [
    ...reveals(before, after),
    ...flights(before, after),
    ...pairs.flatMap(({ at, old, shape }) => (old ? changes(at, old, shape, after) : [])),
  ];
}

/**
 * @param {number} at
 * @param {Shape} old
 * @param {Shape} shape
 * @param {VisibleGame} after
 * @returns {MoveEvent[]}
 */
function changes(at, old, shape, { movers }) {
  const place = `${at}`;
  if (old.shape === "gauge" && shape.shape === "gauge") return gaugeChanges(place, old, shape);
  if (old.shape === "stack" && shape.shape === "stack") return stackChanges(place, old, shape);
  if (old.shape === "track" && shape.shape === "track") {
    const mover = movers[movers.length - 1];
    const seats = [mover, 1 - mover].filter((seat) => old.units[seat] !== shape.units[seat]);
    return seats.map((seat) => {
      const cells = cellsBetween(old.units[seat], shape.units[seat]);
      return { kind: "walk", shape: at, seat, cells, isSentHome: seat !== mover };
    });
  }
  return [];
}

/**
 * @param {string} place
 * @param {Stack} old
 * @param {Stack} stack
 * @returns {MoveEvent[]}
 */
function stackChanges(place, old, { count, form }) {
  if (old.count === null || count === null || old.form !== form) return [];
  const by = count - old.count;
  if (!by || form === "envelope") return [];
  if (form === "sea") return by > 0 ? [{ kind: "rise", place }] : [];
  return [{ kind: "count", place, by }];
}

/**
 * @param {string} place
 * @param {Gauge} old
 * @param {Gauge} gauge
 * @returns {MoveEvent[]}
 */
function gaugeChanges(place, old, gauge) {
  const by = gauge.value - old.value;
  if (!by) return [];
  /** @type {MoveEvent[]} */
  const events = [{ kind: "count", place, by }];
  if (gauge.form === "tower" && old.value <= old.limit && gauge.value > gauge.limit)
    events.push({ kind: "fall", place });
  if (gauge.form === "island" && old.value > 0 && gauge.value <= 0)
    events.push({ kind: "sink", place });
  return events;
}

/**
 * Return the flight of a used ship to the planet that the move names, or else to a changed planet.
 *
 * @param {VisibleGame} before
 * @param {VisibleGame} after
 * @returns {MoveEvent[]}
 */
function flights(before, after) {
  const move = after.moves[after.moves.length - 1] ?? "";
  const touched = [...placesOf(before.scene, after.scene, move)];
  const to = touched.find((place) => formAt(after.scene, place) === "planets");
  const from = touched.find(
    (place) =>
      formAt(after.scene, place) === "ships" &&
      slotAt(after.scene, place)?.spent &&
      !slotAt(before.scene, place)?.spent,
  );
  if (!to || !from) return [];
  const owner = slotAt(after.scene, to)?.seat;
  const lands = owner !== undefined && owner !== slotAt(before.scene, to)?.seat;
  return [{ kind: "fly", from, to, lands }];
}

/**
 * Return the opening of an envelope. The commitment's move has its number; the last move has the
 * number of the answer.
 *
 * @param {VisibleGame} before
 * @param {VisibleGame} after
 * @returns {MoveEvent[]}
 */
function reveals(before, after) {
  const at = before.scene.findIndex((shape) => shape.shape === "stack" && isEnvelope(shape));
  const envelope = before.scene[at];
  const isOpen = envelope?.shape === "stack" && !isEnvelope(after.scene[at]);
  if (!isOpen || envelope.seat === undefined) return [];
  const { moves, movers } = after;
  const last = moves.length - 1;
  const by = movers.lastIndexOf(envelope.seat, last - 1);
  const count = envelope.count ?? lastNumber(moves[by]);
  const answer = lastNumber(moves[last]);
  if (count === null || answer === null || movers[last] !== 1 - envelope.seat) return [];
  const cards = [
    { seat: envelope.seat, count },
    { seat: 1 - envelope.seat, count: answer },
  ];
  return [{ kind: "reveal", cards: cards.sort((a, b) => a.seat - b.seat) }];
}

/** @param {Shape | undefined} shape */
const isEnvelope = (shape) => shape?.shape === "stack" && shape.form === "envelope";

/** @param {string | undefined} move */
function lastNumber(move) {
  const match = move?.match(/(\d+)$/);
  return match ? Number(match[1]) : null;
}

/**
 * @param {Scene} scene
 * @param {string} place
 */
function slotAt(scene, place) {
  const [shape, part] = place.split("/").map(Number);
  const shapeAt = scene[shape];
  return shapeAt?.shape === "slots" ? shapeAt.slots[part] : undefined;
}

/**
 * @param {Scene} scene
 * @param {string} place
 */
function formAt(scene, place) {
  const shapeAt = scene[Number(place.split("/")[0])];
  return shapeAt?.shape === "slots" ? shapeAt.form : undefined;
}

/**
 * @param {number} from
 * @param {number} to
 */
function cellsBetween(from, to) {
  const step = Math.sign(to - from);
  return [...Array(Math.abs(to - from) + 1).keys()].map((n) => from + n * step);
}
