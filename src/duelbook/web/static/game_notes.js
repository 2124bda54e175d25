// What this browser notes of a game whenever it changes.

import { describeOpponent, isOver } from "./game_state.js";
import { keepState } from "./last_states.js";
import { notifyTurn } from "./notifications.js";
import { noteResult } from "./progress.js";
import { updateSeat } from "./saved_seats.js";

/** @import { Snapshot } from "./protocol.js" */

/** @param {Snapshot} snapshot */
export function noteGame(snapshot) {
  updateSeat(snapshot.id, {
    title: snapshot.title,
    opponent: describeOpponent(snapshot),
    over: isOver(snapshot),
  });
  keepState(snapshot);
  noteResult(snapshot);
  notifyTurn(snapshot);
}
