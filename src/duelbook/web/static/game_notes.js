// Stores facts about a game in this browser after each change.

import { describeOpponent, isOver } from "./game_state.js";
import { storeState } from "./last_states.js";
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
  storeState(snapshot);
  noteResult(snapshot);
  notifyTurn(snapshot);
}
