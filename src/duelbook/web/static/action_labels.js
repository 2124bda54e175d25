// The labels of actions in a picture: a button for each amount if there are few, otherwise one
// label.

/** @import { Keyed } from "./picture.js" */
/** @import { Gauge, Slots, Stack } from "./protocol.js" */
/** @import { SvgRenderer } from "./svg_renderer.js" */

/** The height of the buttons and the text above them. */
export const ACTIONS_HEIGHT = 64;
const CHIP = 44;
const SMALL = 24;
const GAP = 4;
const LETTER = 8.2; // approximate width

/**
 * Return the label of a row, with the action if the player can choose one of its slots.
 *
 * @param {SvgRenderer} renderer
 * @param {Slots} row
 */
export function rowLabel(renderer, { label, does, slots }) {
  const canChoose = slots.some(({ says }) => says && renderer.canSelect(says));
  return does && canChoose ? `${label}: ${does}` : label;
}

/**
 * Draw the actions of a shape around `x`, below `y`, at most `room` pixels wide. A label belongs to
 * the target below it; a button is a separate target. Small actions end at `x`. Actions on water
 * are below the text of the water.
 *
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {Keyed<Gauge | Stack>} shape
 * @param {{ x: number, y: number, room: number, isOnWater?: boolean, isSmall?: boolean }} place
 */
export function drawActions(renderer, parent, shape, { x, y, room, isOnWater, isSmall }) {
  const { says = "", does = says } = shape;
  if (!renderer.canSelect(says)) return;
  const key = `actions${shape.key}`;
  const { word, numbers } = renderer.amountsOf(shape);
  const width = numbers.length * (CHIP + GAP) - GAP;
  if (numbers.length < 2 || width > room) {
    const label = { words: labelWords(does, numbers), isSelected: renderer.isSelected(says) };
    drawLabel(renderer, parent, key, label, { x, y, room, isSmall });
    return;
  }
  const left = isSmall ? x - width : x - width / 2;
  const top = isSmall ? y + 7 : y + 18;
  if (!isOnWater && !isSmall) {
    renderer.text(parent, `${key}/does`, [x, y + 12], does, "small action-text", { room });
  }
  numbers.forEach((number, at) => {
    const place = [left + at * (CHIP + GAP), top];
    const kind = `action ${isOnWater ? "on-water" : ""}`;
    const chip = { at: place, says: `${word} ${number}`, number, does, kind };
    drawChip(renderer, parent, `${key}/${at}`, chip);
  });
}

/**
 * @param {string} does
 * @param {number[]} numbers
 */
function labelWords(does, numbers) {
  return numbers.length > 1 ? `${does} ${numbers[0]}–${numbers[numbers.length - 1]}` : does;
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {string} key
 * @param {{ words: string, isSelected: boolean }} label
 * @param {{ x: number, y: number, room: number, isSmall?: boolean }} place
 */
function drawLabel(renderer, parent, key, { words, isSelected }, { x, y, room, isSmall }) {
  const width = Math.min(room, words.length * LETTER + (isSmall ? 16 : 24));
  const high = isSmall ? SMALL : CHIP;
  const at = isSmall ? [x - width, y + 29] : [x - width / 2, y + 18];
  const kind = `action-label ${isSelected ? "selected" : ""}`;
  const group = renderer.group(parent, key, { class: kind, at });
  const face = { width, height: high, rx: high / 2, class: "action-face" };
  renderer.draw(group, `${key}/face`, "rect", face);
  const size = isSmall ? "small action-text" : "action-text";
  const fit = { room: width - 12 };
  renderer.text(group, `${key}/words`, [width / 2, high / 2 + 5], words, size, fit);
}

/**
 * @param {SvgRenderer} renderer
 * @param {SVGElement} parent
 * @param {string} key
 * @param {{ at: number[], says: string, number: number, does: string, kind: string }} chip
 */
function drawChip(renderer, parent, key, { at, says, number, does, kind }) {
  const name = `${does} ${number}`;
  const chip = renderer.target(parent, key, says, { class: kind, name, at });
  const face = { width: CHIP, height: CHIP, rx: 10, class: "action-face halo" };
  renderer.draw(chip, `${key}/face`, "rect", face);
  renderer.text(chip, `${key}/number`, [CHIP / 2, CHIP / 2 + 6], number, "number action-text");
}
