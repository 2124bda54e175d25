// The wire protocol: its constants, and the types of all messages.
// The Python counterpart is protocol.py; tests/web/page/test_page.py compares them.

/** The codes with which the server closes a WebSocket. */
export const CLOSE = Object.freeze({
  invalid: 4400,
  secret: 4401,
  unknown: 4404,
  limit: 4429,
  restart: 1012,
});

/** The browser's own close code for a connection that broke. */
export const CONNECTION_BROKE = 1006;

/** The levels of the computer, weakest first. */
export const LEVEL = Object.freeze({
  easy: "easy",
  medium: "medium",
  hard: "hard",
  perfect: "perfect",
});

/** Other players: for games that no level can play, and for a guided first game. */
export const OTHER_PLAYER = Object.freeze({
  mcts: "mcts",
  minimax: "minimax",
  greedy: "greedy",
  random: "random",
  guide: "guide",
});

/** The mover of a chance node; the seats are 0 and 1. */
export const CHANCE = 2;

/** The reason for a refusal. */
export const CODE = Object.freeze({
  invalid: "invalid",
  illegal: "illegal",
  stale: "stale",
  turn: "turn",
  over: "over",
  seat: "seat",
  secret: "secret",
  unknown: "unknown",
  limit: "limit",
  busy: "busy",
  later: "later",
  level: "level",
});

/** The status of a request without a response. */
export const UNREACHABLE = 0;

/** The HTTP status of the refusals that the page distinguishes. */
export const STATUS = Object.freeze({ invalid: 400, secret: 401, unknown: 404, busy: 503 });

/** The types of the messages that the server sends. */
export const RECEIVED = Object.freeze({
  snapshot: "snapshot",
  update: "update",
  presence: "presence",
  evaluation: "evaluation",
  hint: "hint",
  looked: "looked",
  refused: "refused",
  pong: "pong",
});

/** The types of the messages that the page sends. */
export const SENT = Object.freeze({
  hello: "hello",
  play: "play",
  resign: "resign",
  abort: "abort",
  claim: "claim",
  takeback: "takeback",
  agree: "agree",
  decline: "decline",
  help: "help",
  rematch: "rematch",
  level: "level",
  hint: "hint",
  look: "look",
  ping: "ping",
});

/** The kinds of players at a seat. */
export const CHAIR = Object.freeze({ person: "person", computer: "computer", open: "open" });

/** The opponent of a new game. */
export const MODE = Object.freeze({ friend: "friend", computer: "computer", device: "device" });

/** The reasons for the end of a game. */
export const ENDED_BY = Object.freeze({
  play: "play",
  resignation: "resignation",
  time: "time",
  left: "left",
  draw: "draw",
  agreement: "agreement",
  cut: "cut",
  aborted: "aborted",
});

/** The actions of a player whose opponent does not start, or has left. */
export const MAY = Object.freeze({ abort: "abort", claim: "claim" });

/** The results that a player can claim after the opponent has left. */
export const CLAIM = Object.freeze({ victory: "victory", draw: "draw" });

/** The judgement of a move. */
export const MARK = Object.freeze({ best: "best", good: "good", mistake: "mistake" });

// Scenes. See scene.py for the meaning of the fields.

/** @typedef {number} Seat 0 or 1. */
/** @typedef {number} Mover A seat, or `CHANCE`. */
/** @typedef {{ shape: "text", words: string }} Text */
/** @typedef {{ shape: "board", words: string }} Board */
/**
 * @typedef {{
 *   shape: "gauge", label: string, value: number, limit: number, seat?: Seat, form?: string,
 *   says?: string, does?: string, amounts?: string[],
 * }} Gauge
 */
/**
 * `count` is null while it is secret.
 *
 * @typedef {{
 *   shape: "stack", label: string, count: number | null, seat?: Seat, form?: string,
 *   says?: string, limit?: number, does?: string, amounts?: string[],
 * }} Stack
 */
/** @typedef {{ name: string, seat?: Seat, spent?: boolean, says?: string }} Slot */
/**
 * @typedef {{
 *   shape: "slots", label: string, slots: Slot[], seat?: Seat, form?: string, does?: string,
 * }} Slots
 */
/**
 * @typedef {{
 *   shape: "track", last: number, units: [number, number], bases: [number, number],
 *   says?: string[], does?: string[],
 * }} Track
 */
/** @typedef {Text | Board | Gauge | Stack | Slots | Track} Shape */
/** @typedef {Shape[]} Scene */

/**
 * Throw an error at the end of a switch over shapes. The type check fails if a case is missing.
 *
 * @param {never} shape
 * @returns {never}
 */
export function unknownShape(shape) {
  throw new Error(JSON.stringify(shape));
}

// Requests and responses.

/**
 * @typedef {{
 *   moves: number, mistakes: number, beats_perfect?: "first" | "second" | "either" | "nobody",
 * }} Effort
 */
/**
 * @typedef {{
 *   slug: string, title: string, about: string, scene: Scene, player_1_starts?: boolean,
 *   secrets?: boolean, effort?: Effort, first_game?: boolean,
 * }} Book
 */
/** @typedef {{ move: string, why: string, replies: string[] }} CoachedMove */
/**
 * @typedef {{
 *   title: string, html: string, pictures?: Scene[], first_game?: CoachedMove[], short?: string[],
 * }} Rules
 */
/** @typedef {{ seconds: number, increment: number }} TimeControl */
/**
 * @typedef {{
 *   book: string, mode: string, seat?: Seat, first?: Seat, name?: string, other?: string,
 *   level?: string, clock?: TimeControl | null, help?: boolean, save?: string,
 * }} NewGame
 */
/** @typedef {{ name: string, help: boolean }} JoinGame */
/** @typedef {{ id: string, seats: Seat[], secret: string }} SeatCredentials */
/** @typedef {{ id: string, secret: string }} HeldSeat */
/** @typedef {{ games: HeldSeat[] }} HeldSeats */
/**
 * @typedef {{
 *   id: string, book: string, title: string, seats: Seat[], to_move: Mover, status: Status,
 * }} SeatStatus
 */
/** @typedef {{ code?: string, why?: string }} Problem */

// The state of a game.

/**
 * @typedef {{
 *   position: Record<string, unknown>, to_move: Mover, board: string, scene: Scene, turn?: string,
 *   legal?: string[], questions?: Record<string, string>, asked?: Record<string, string>,
 *   aliases?: Record<string, string>, heard?: Record<string, string>, sealed?: boolean,
 *   private?: boolean,
 * }} View
 */
/** @typedef {{ kind: "person" | "computer" | "open", name: string, level?: string }} Chair */
/** @typedef {{ left: number[], increment?: number, running?: Seat }} Clocks */
/**
 * @typedef {{
 *   winner: Seat | null,
 *   by: "play" | "resignation" | "time" | "left" | "draw" | "agreement" | "cut" | "aborted",
 *   payoffs?: number[], why?: string,
 * }} Result
 */
/** @typedef {{ commitment: string, seed?: string, since?: number }} Draws */
/**
 * @typedef {{
 *   chairs: Chair[], help: boolean[], rematch: boolean[], takeback?: Seat, next?: string,
 *   result?: Result, clocks?: Clocks, draws?: Draws, failed?: string,
 * }} Status
 */
/**
 * @typedef {{
 *   type: "snapshot", id: string, book: string, title: string, welcome: string, first: Seat,
 *   seq: number, turn: number, seats: Seat[], moves: string[], movers: Mover[], told: string[],
 *   said: string[], status: Status, view: View,
 * }} Snapshot
 */
/**
 * @typedef {{
 *   type: "update", seq: number, turn: number, kept: number, moves?: string[], movers?: Mover[],
 *   told?: string[], said?: string[], reply?: number, status?: Status, view?: View,
 * }} Update
 */
/** @typedef {{ may: "abort" | "claim", after: number }} Overdue */
/**
 * @typedef {{
 *   type: "presence", seats: boolean[], watching: number, preparing?: boolean, overdue?: Overdue,
 * }} Presence
 */
/** @typedef {{ type: "evaluation", turn: number, value: number, said: string }} Evaluation */
/**
 * @typedef {{
 *   type: "hint", turn: number, move: string, said: string, lost: boolean, reply?: number,
 * }} Hint
 */
/** @typedef {{ type: "looked", turn: number, view: View, reply?: number }} PrivateView */
/** @typedef {{ type: "refused", code: string, why: string, reply?: number }} Refused */
/** @typedef {{ type: "pong", reply?: number }} Pong */
/**
 * @typedef {(
 *   Snapshot | Update | Presence | Evaluation | Hint | PrivateView | Refused | Pong
 * )} ServerMessage
 */

// Messages of the page.

/**
 * @typedef {(
 *   | { type: "hello", secret?: string }
 *   | { type: "play", move: string, answers: number }
 *   | { type: "resign" | "abort" | "takeback" | "agree", answers: number }
 *   | { type: "claim", result: "victory" | "draw", answers: number }
 *   | { type: "help", on: boolean }
 *   | { type: "level", level: string }
 *   | { type: "decline" | "rematch" | "hint" | "look" | "ping" }
 * )} ClientMessage
 */

// After a game.

/**
 * @typedef {{ board: string, scene: Scene, move?: string, seat?: Mover, told?: string }} Step
 */
/** @typedef {{ steps: Step[] }} Steps */
/** @typedef {{ turn: number, moves: string[], weights: number[] }} ChanceDraw */
/**
 * @typedef {{
 *   number: number, seat: Seat, move: string, mark: "best" | "good" | "mistake", best: string[],
 *   said: string,
 * }} Judgement
 */
/**
 * @typedef {{
 *   curve: number[], moves: Judgement[], accuracy: (number | null)[], decided_by?: number,
 *   why_not?: string,
 * }} Analysis
 */
