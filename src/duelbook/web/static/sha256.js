// SHA-256. Browsers have it in `crypto.subtle`, but only where the page comes over https.

const BLOCK = 64;
const LENGTH_BYTES = 8;
const PRIMES = [...Array(312).keys()].filter((n) => n > 1 && !hasDivisor(n));
const ROUNDS = PRIMES.map((prime) => rootBits(prime, 3n));
const START = PRIMES.slice(0, 8).map((prime) => rootBits(prime, 2n));

/** @param {number} number */
function hasDivisor(number) {
  for (let divisor = 2; divisor * divisor <= number; divisor++) {
    if (number % divisor === 0) return true;
  }
  return false;
}

/**
 * Return the first 32 bits after the point of a root of a prime: a constant of SHA-256.
 *
 * @param {number} prime
 * @param {bigint} power
 */
function rootBits(prime, power) {
  const scaled = BigInt(prime) << (32n * power);
  let low = 0n;
  let high = 1n << 40n;
  while (low + 1n < high) {
    const middle = (low + high) >> 1n;
    if (middle ** power <= scaled) low = middle;
    else high = middle;
  }
  return Number(low & 0xffff_ffffn);
}

/**
 * Return the hash of a text, as a number.
 *
 * @param {string} text
 */
export function hashNumber(text) {
  return BigInt(`0x${hashHex(text)}`);
}

/**
 * Return the hash of a text, in hexadecimal digits.
 *
 * @param {string} text
 */
export function hashHex(text) {
  const data = pad(new TextEncoder().encode(text));
  let state = START;
  for (let at = 0; at < data.byteLength; at += BLOCK) state = mix(state, schedule(data, at));
  return state.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}

/**
 * Return a message in whole blocks, with the final bit and the length.
 *
 * @param {Uint8Array} bytes
 */
function pad(bytes) {
  const blocks = Math.ceil((bytes.length + 1 + LENGTH_BYTES) / BLOCK);
  const data = new Uint8Array(blocks * BLOCK);
  data.set(bytes);
  data[bytes.length] = 0x80;
  const view = new DataView(data.buffer);
  view.setBigUint64(data.length - LENGTH_BYTES, BigInt(bytes.length) * 8n);
  return view;
}

/**
 * @param {number} word
 * @param {number} by
 */
const rotateRight = (word, by) => (word >>> by) | (word << (32 - by));

/**
 * Return the words of a block, one for each round.
 *
 * @param {DataView} data
 * @param {number} at
 */
function schedule(data, at) {
  const words = [...Array(16).keys()].map((number) => data.getUint32(at + 4 * number));
  while (words.length < ROUNDS.length) {
    const early = words[words.length - 15];
    const late = words[words.length - 2];
    const small = rotateRight(early, 7) ^ rotateRight(early, 18) ^ (early >>> 3);
    const large = rotateRight(late, 17) ^ rotateRight(late, 19) ^ (late >>> 10);
    words.push((words[words.length - 16] + small + words[words.length - 7] + large) | 0);
  }
  return words;
}

/**
 * Return the state after one more block.
 *
 * @param {number[]} state
 * @param {number[]} words
 */
function mix(state, words) {
  let [a, b, c, d, e, f, g, h] = state;
  words.forEach((word, round) => {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const large = rotateRight(e, 6) ^ rotateRight(e, 11) ^ rotateRight(e, 25);
    const small = rotateRight(a, 2) ^ rotateRight(a, 13) ^ rotateRight(a, 22);
    const mixed = (h + large + choice + ROUNDS[round] + word) | 0;
    [h, g, f, e] = [g, f, e, (d + mixed) | 0];
    [d, c, b, a] = [c, b, a, (mixed + small + majority) | 0];
  });
  return [a, b, c, d, e, f, g, h].map((word, at) => (word + state[at]) | 0);
}
