// A scene as text, for people who cannot see the picture or prefer to read.

import { unknownShape } from "./protocol.js";
import { IN_WORDS } from "./strings.js";

/** @import { OwnedLabel } from "./picture.js" */
/** @import { Gauge, Scene, Shape, Slot, Slots, Stack, Track } from "./protocol.js" */

/**
 * Return the text of a scene: one or more lines for each shape.
 *
 * @param {Scene} scene
 * @param {OwnedLabel} ownedLabel
 */
export function sceneInWords(scene, ownedLabel) {
  return scene.map((shape) => shapeInWords(shape, ownedLabel)).join("\n");
}

/**
 * @param {Shape} shape
 * @param {OwnedLabel} ownedLabel
 */
function shapeInWords(shape, ownedLabel) {
  switch (shape.shape) {
    case "text":
    case "board":
      return shape.words;
    case "track":
      return trackInWords(shape, ownedLabel);
    case "gauge":
    case "stack":
    case "slots": {
      const label = shape.seat === undefined ? shape.label : ownedLabel(shape.seat, shape.label);
      return `${label}: ${valueInWords(shape, ownedLabel)}`;
    }
    default:
      return unknownShape(shape);
  }
}

/**
 * @param {Track} track
 * @param {OwnedLabel} ownedLabel
 */
function trackInWords({ units, bases, last }, ownedLabel) {
  const places = units.map((unit, seat) =>
    IN_WORDS.onTrack(ownedLabel(seat, IN_WORDS.unit), unit, bases[seat]),
  );
  return [IN_WORDS.track(last), ...places].join("\n");
}

/**
 * @param {Gauge | Stack | Slots} shape
 * @param {OwnedLabel} ownedLabel
 */
function valueInWords(shape, ownedLabel) {
  if (shape.shape === "gauge") return IN_WORDS.of(shape.value, shape.limit);
  if (shape.shape === "stack") return shape.count === null ? IN_WORDS.hidden : String(shape.count);
  const left = shape.slots.filter(({ spent }) => !spent);
  return left.map((slot) => slotInWords(slot, ownedLabel)).join(", ") || IN_WORDS.none;
}

/**
 * @param {Slot} slot
 * @param {OwnedLabel} ownedLabel
 */
const slotInWords = ({ name, seat }, ownedLabel) =>
  seat === undefined ? name : `${name} (${ownedLabel(seat, "")})`;
