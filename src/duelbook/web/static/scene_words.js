// A scene as text, for people who cannot see the picture or prefer to read.

import { unknownShape } from "./protocol.js";
import { IN_WORDS } from "./strings.js";

/** @import { Owned } from "./picture.js" */
/** @import { Gauge, Scene, Shape, Slot, Slots, Stack, Track } from "./protocol.js" */

/**
 * A line or more for each shape.
 *
 * @param {Scene} scene
 * @param {Owned} owned
 */
export function sceneInWords(scene, owned) {
  return scene.map((shape) => shapeInWords(shape, owned)).join("\n");
}

/**
 * @param {Shape} shape
 * @param {Owned} owned
 */
function shapeInWords(shape, owned) {
  switch (shape.shape) {
    case "text":
    case "board":
      return shape.words;
    case "track":
      return trackInWords(shape, owned);
    case "gauge":
    case "stack":
    case "slots": {
      const label = shape.seat === undefined ? shape.label : owned(shape.seat, shape.label);
      return `${label}: ${valueInWords(shape, owned)}`;
    }
    default:
      return unknownShape(shape);
  }
}

/**
 * @param {Track} track
 * @param {Owned} owned
 */
function trackInWords({ units, bases, last }, owned) {
  const places = units.map((unit, seat) =>
    IN_WORDS.onTrack(owned(seat, IN_WORDS.unit), unit, bases[seat]),
  );
  return [IN_WORDS.track(last), ...places].join("\n");
}

/**
 * @param {Gauge | Stack | Slots} shape
 * @param {Owned} owned
 */
function valueInWords(shape, owned) {
  if (shape.shape === "gauge") return IN_WORDS.of(shape.value, shape.limit);
  if (shape.shape === "stack") return shape.count === null ? IN_WORDS.hidden : String(shape.count);
  const left = shape.slots.filter(({ spent }) => !spent);
  return left.map((slot) => slotInWords(slot, owned)).join(", ") || IN_WORDS.none;
}

/**
 * @param {Slot} slot
 * @param {Owned} owned
 */
const slotInWords = ({ name, seat }, owned) =>
  seat === undefined ? name : `${name} (${owned(seat, "")})`;
