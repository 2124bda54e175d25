// Synthesized sounds, and vibrations. There are none before the first gesture, with reduced motion,
// or after the player has switched them off.

import { readText, storeText } from "./browser_storage.js";
import { button, svg } from "./dom.js";
import { SOUND } from "./strings.js";

/**
 * A tone that glides from one frequency to another, or noise through a gliding filter. `at` and
 * `lasts` are in seconds.
 *
 * @typedef {{
 *   wave: OscillatorType | "noise", from: number, to: number, at?: number, lasts: number,
 *   volume?: number,
 * }} Tone
 */
/** @typedef {keyof typeof SOUNDS} SoundName */

const KEY = "duelbook.sound";
const MASTER_VOLUME = 0.16;
const FIRST_GESTURES = /** @type {const} */ (["pointerdown", "keydown"]);

/** @satisfies {Record<string, Tone[]>} */
export const SOUNDS = {
  move: [{ wave: "triangle", from: 520, to: 390, lasts: 0.09 }],
  step: [{ wave: "triangle", from: 260, to: 180, lasts: 0.07 }],
  gain: [{ wave: "triangle", from: 440, to: 660, lasts: 0.11 }],
  loss: [{ wave: "square", from: 220, to: 130, lasts: 0.16, volume: 0.4 }],
  fly: [{ wave: "noise", from: 400, to: 1800, lasts: 0.55, volume: 0.5 }],
  land: [
    { wave: "sine", from: 523, to: 523, lasts: 0.14 },
    { wave: "sine", from: 784, to: 784, at: 0.1, lasts: 0.22 },
  ],
  bounce: [
    { wave: "sine", from: 170, to: 60, lasts: 0.2 },
    { wave: "noise", from: 600, to: 150, lasts: 0.14, volume: 0.6 },
  ],
  home: [{ wave: "sine", from: 660, to: 165, lasts: 0.5 }],
  turn: [
    { wave: "noise", from: 2400, to: 3200, lasts: 0.06, volume: 0.7 },
    { wave: "noise", from: 2000, to: 2900, at: 0.12, lasts: 0.06, volume: 0.7 },
  ],
  fall: [
    { wave: "noise", from: 3000, to: 900, lasts: 0.12, volume: 0.8 },
    { wave: "noise", from: 500, to: 80, at: 0.35, lasts: 0.6 },
  ],
  wave: [{ wave: "noise", from: 250, to: 700, lasts: 0.8, volume: 0.7 }],
  sink: [
    { wave: "noise", from: 700, to: 150, lasts: 0.9, volume: 0.8 },
    { wave: "sine", from: 300, to: 70, at: 0.2, lasts: 0.7 },
  ],
  win: [
    { wave: "triangle", from: 523, to: 523, lasts: 0.16 },
    { wave: "triangle", from: 659, to: 659, at: 0.13, lasts: 0.16 },
    { wave: "triangle", from: 784, to: 784, at: 0.26, lasts: 0.4 },
  ],
  lose: [
    { wave: "triangle", from: 392, to: 392, lasts: 0.2 },
    { wave: "triangle", from: 330, to: 311, at: 0.18, lasts: 0.45 },
  ],
  draw: [
    { wave: "triangle", from: 440, to: 440, lasts: 0.18 },
    { wave: "triangle", from: 440, to: 440, at: 0.2, lasts: 0.25 },
  ],
};

/** @type {Partial<Record<SoundName, number[]>>} Milliseconds of vibration and rest. */
const VIBRATIONS = {
  bounce: [30],
  fall: [30, 30, 70],
  sink: [80],
  loss: [20],
  win: [40, 60, 40, 60, 80],
  lose: [120],
  draw: [60],
};

export class Sounds {
  /** @type {AudioContext | null} */
  #context = null;
  #isOn = isEnabled();
  #reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");

  constructor() {
    const begin = () => {
      for (const name of FIRST_GESTURES) removeEventListener(name, begin, true);
      this.#context = new AudioContext();
    };
    for (const name of FIRST_GESTURES) addEventListener(name, begin, true);
  }

  /**
   * @param {SoundName} name
   * @param {number} [delay] in milliseconds
   */
  play(name, delay = 0) {
    const context = this.#context;
    if (!context || !this.#isOn || this.#reducedMotion.matches || document.hidden) return;
    if (context.state === "suspended") context.resume();
    for (const tone of SOUNDS[name]) playTone(context, tone, context.currentTime + delay / 1000);
    const vibration = VIBRATIONS[name];
    if (vibration) setTimeout(() => navigator.vibrate?.(vibration), delay);
  }

  /** Return the button that switches sounds and vibrations on and off. */
  switchButton() {
    const waves = svg("path", { d: "M11 5q2 3 0 6M13 3q4 5 0 10", class: "sound-waves" });
    const horn = svg("path", { d: "M2 6h3l4-4v12l-4-4H2z" });
    const icon = svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, horn, waves);
    const props = { class: "subtle sound-switch", "aria-label": SOUND.label, title: SOUND.label };
    const change = () => {
      this.#isOn = !this.#isOn;
      storeEnabled(this.#isOn);
      node.setAttribute("aria-pressed", String(this.#isOn));
      this.play("move");
    };
    const node = button(icon, change, { ...props, "data-testid": "sound" });
    node.setAttribute("aria-pressed", String(this.#isOn));
    return node;
  }
}

/**
 * Show the switch beside the other settings of the page.
 *
 * @param {Sounds} sounds
 */
export function showSoundSwitch(sounds) {
  document.getElementById("theme")?.before(sounds.switchButton());
}

/**
 * @param {AudioContext} context
 * @param {Tone} tone
 * @param {number} start
 */
function playTone(context, { wave, from, to, at = 0, lasts, volume = 1 }, start) {
  const begin = start + at;
  const end = begin + lasts;
  const gain = context.createGain();
  gain.gain.setValueAtTime(0.0001, begin);
  gain.gain.exponentialRampToValueAtTime(MASTER_VOLUME * volume, begin + 0.012);
  gain.gain.exponentialRampToValueAtTime(0.0001, end);
  gain.connect(context.destination);
  if (wave === "noise") {
    const filter = context.createBiquadFilter();
    filter.type = "bandpass";
    glide(filter.frequency, from, to, begin, end);
    filter.connect(gain);
    run(noise(context, lasts), filter, begin, end);
  } else {
    const tone = context.createOscillator();
    tone.type = wave;
    glide(tone.frequency, from, to, begin, end);
    run(tone, gain, begin, end);
  }
}

/**
 * @param {AudioScheduledSourceNode} source
 * @param {AudioNode} into
 * @param {number} begin
 * @param {number} end
 */
function run(source, into, begin, end) {
  source.connect(into);
  source.start(begin);
  source.stop(end);
}

/**
 * @param {AudioParam} frequency
 * @param {number} from
 * @param {number} to
 * @param {number} begin
 * @param {number} end
 */
function glide(frequency, from, to, begin, end) {
  frequency.setValueAtTime(from, begin);
  frequency.exponentialRampToValueAtTime(to, end);
}

/**
 * @param {AudioContext} context
 * @param {number} seconds
 */
function noise(context, seconds) {
  const length = Math.ceil(context.sampleRate * seconds);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < length; n += 1) samples[n] = Math.random() * 2 - 1;
  const source = context.createBufferSource();
  source.buffer = buffer;
  return source;
}

const isEnabled = () => readText(KEY) !== "off";

/** @param {boolean} isOn */
const storeEnabled = (isOn) => storeText(KEY, isOn ? "on" : "off");
