// The line below a finished game that says whether the chance outcomes were fair.

import { fetchDraws } from "./api.js";
import { el, messageOf } from "./dom.js";
import { checkDraws } from "./fairness.js";
import { isOver } from "./game_state.js";
import { savedSeat, updateSeat } from "./saved_seats.js";
import { FAIRNESS } from "./strings.js";

/** @import { Snapshot } from "./protocol.js" */
/** @import { FirstCommitment } from "./fairness.js" */

/**
 * Return the commitment that this browser received first. It is stored, so that a reload of the
 * page does not lose it.
 *
 * @param {Snapshot} snapshot
 * @returns {FirstCommitment | null}
 */
export function loadFirstCommitment(snapshot) {
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
 * @param {FirstCommitment | null} firstCommitment
 */
export function fairnessLine(snapshot, firstCommitment) {
  const line = el("p", { role: "status", "data-testid": "fairness", hidden: true });
  if (firstCommitment) showCheck(line, snapshot, firstCommitment);
  return line;
}

/**
 * @param {HTMLElement} line
 * @param {Snapshot} snapshot
 * @param {FirstCommitment} firstCommitment
 */
async function showCheck(line, snapshot, firstCommitment) {
  const draws = snapshot.status.draws ?? { commitment: "" };
  /** @type {ReturnType<typeof checkDraws>} */
  let verdict;
  try {
    verdict = checkDraws(snapshot, firstCommitment, draws, await fetchDraws(snapshot.id));
  } catch (error) {
    verdict = { isFair: false, text: FAIRNESS.unchecked(messageOf(error)) };
  }
  if (!verdict) return;
  line.hidden = false;
  line.className = verdict.isFair ? "soft" : "refusal";
  line.textContent = verdict.text;
}
