// Sounds: never before the first gesture, never when they are not wanted.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { SOUNDS, Sounds } from "../../src/duelbook/web/static/sounds.js";
import { installStorage } from "./fakes.js";

/** @type {Record<string, (() => void) | undefined>} */
let listeners = {};
/** @type {number[]} When a sound began. */
let begun = [];
/** @type {unknown[]} */
let vibrated = [];
let isStill = false;
let contexts = 0;

const parameter = { setValueAtTime: () => {}, exponentialRampToValueAtTime: () => {} };

/** A node of any kind. */
const node = () => ({
  gain: parameter,
  frequency: parameter,
  connect: () => {},
  start: (/** @type {number} */ at) => begun.push(at),
  stop: () => {},
});

class FakeContext {
  state = "running";
  currentTime = 10;
  sampleRate = 100;
  destination = {};
  createGain = node;
  createOscillator = node;
  createBiquadFilter = node;
  createBufferSource = node;

  constructor() {
    contexts += 1;
  }

  createBuffer() {
    return { getChannelData: () => [] };
  }
}

beforeEach(() => {
  [listeners, begun, vibrated, isStill, contexts] = [{}, [], [], false, 0];
  installStorage();
  const vibrate = (/** @type {unknown} */ pattern) => vibrated.push(pattern);
  Object.defineProperty(globalThis, "navigator", { value: { vibrate }, configurable: true });
  Object.assign(globalThis, {
    AudioContext: FakeContext,
    addEventListener: (/** @type {string} */ name, /** @type {() => void} */ heard) => {
      listeners[name] = heard;
    },
    removeEventListener: (/** @type {string} */ name) => {
      listeners[name] = undefined;
    },
    document: { hidden: false },
    matchMedia: () => ({
      get matches() {
        return isStill;
      },
    }),
  });
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout"] });
});

test("no sound is prepared before the first gesture", () => {
  const sounds = new Sounds();
  sounds.play("win");
  mock.timers.tick(1000);
  assert.deepEqual([contexts, begun, vibrated], [0, [], []]);
  listeners.keydown?.();
  assert.equal(contexts, 1);
  assert.equal(listeners.pointerdown, undefined, "the first gesture is enough");
});

test("sounds and vibrations start at their time", () => {
  const sounds = new Sounds();
  listeners.pointerdown?.();
  sounds.play("fall", 500);
  assert.deepEqual(begun, [10.5, 10.85]);
  assert.deepEqual(vibrated, []);
  mock.timers.tick(500);
  assert.equal(vibrated.length, 1);
});

test("every sound can be played", () => {
  const sounds = new Sounds();
  listeners.pointerdown?.();
  const names = /** @type {(keyof typeof SOUNDS)[]} */ (Object.keys(SOUNDS));
  for (const name of names) sounds.play(name);
  assert.equal(begun.length, Object.values(SOUNDS).flat().length);
});

test("there is no sound with reduced motion, in a hidden tab or when switched off", () => {
  const sounds = new Sounds();
  listeners.pointerdown?.();
  isStill = true;
  sounds.play("win");
  isStill = false;
  Object.assign(globalThis.document, { hidden: true });
  sounds.play("win");
  Object.assign(globalThis.document, { hidden: false });
  installStorage({ "duelbook.sound": "off" });
  const off = new Sounds();
  listeners.pointerdown?.();
  off.play("win");
  mock.timers.tick(1000);
  assert.deepEqual([begun, vibrated], [[], []]);
});
