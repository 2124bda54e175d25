// The line that says whether chance was fair, once a game is over.

import { fetchDraws } from "./api.js";
import { el, messageOf } from "./dom.js";
import { checkDraws } from "./fairness.js";
import { isOver } from "./game_state.js";
import { savedSeat, updateSeat } from "./saved_seats.js";
import { FAIRNESS } from "./strings.js";

/** @import { Snapshot } from "./protocol.js" */
/** @import { Promised } from "./fairness.js" */

/**
 * What the server promised about the draws of a game when this browser first saw it, which is kept
 * across reloads.
 *
 * @param {Snapshot} snapshot
 * @returns {Promised | null}
 */
export function firstPromise(snapshot) {
  const { draws } = snapshot.status;
  if (!draws) return null;
  const promise = savedSeat(snapshot.id)?.promise;
  if (promise) return { commitment: promise, isEarly: true };
  if (isOver(snapshot)) return { commitment: draws.commitment, isEarly: false };
  updateSeat(snapshot.id, { promise: draws.commitment });
  return { commitment: draws.commitment, isEarly: true };
}

/**
 * @param {Snapshot} snapshot
 * @param {Promised | null} promised
 */
export function fairnessLine(snapshot, promised) {
  const line = el("p", { role: "status", "data-testid": "fairness", hidden: true });
  if (promised) showCheck(line, snapshot, promised);
  return line;
}

/**
 * @param {HTMLElement} line
 * @param {Snapshot} snapshot
 * @param {Promised} promised
 */
async function showCheck(line, snapshot, promised) {
  const draws = snapshot.status.draws ?? { commitment: "" };
  /** @type {ReturnType<typeof checkDraws>} */
  let found;
  try {
    found = checkDraws(snapshot, promised, draws, await fetchDraws(snapshot.id));
  } catch (error) {
    found = { isFair: false, text: FAIRNESS.unchecked(messageOf(error)) };
  }
  if (!found) return;
  line.hidden = false;
  line.className = found.isFair ? "soft" : "refusal";
  line.textContent = found.text;
}
