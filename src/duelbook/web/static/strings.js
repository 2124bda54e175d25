// The texts of the page that do not come from the server, by the part of the page that shows them.
// biome-ignore-all lint/style/noExcessiveLinesPerFile: all texts of the page are in one file

/**
 * Return a number with a noun: `1 move`, `2 moves`.
 *
 * @param {number} number
 * @param {string} thing
 */
const plural = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;

/** The names of the players in sentences of the page. */
export const WHO = {
  player: (/** @type {number} */ number) => `Player ${number}`,
  computer: "the computer",
  computerLabel: "Computer",
  chance: "chance",
  you: "you",
  ownedByYou: (/** @type {string} */ what) => (what ? `Your ${what}` : "You"),
  owned: (/** @type {string} */ name, /** @type {string} */ what) =>
    what ? `${name}'s ${what}` : name,
};

/** The state of a game: the turn, the result, and the players. */
export const STATE = {
  openSeat: "Open seat",
  yourTurn: "Your turn",
  isToMove: (/** @type {string} */ name) => `${name} is to move`,
  chance: "Chance decides",
  waiting: "Waiting for the other player",
  youWin: "You win",
  wins: (/** @type {string} */ name) => `${name} wins`,
  draw: "The game is a draw",
  aborted: "The game is aborted",
  takenBack: "The last move was taken back.",
  noTakeback: (/** @type {string} */ name) => `${name} declines to take the move back.`,
  atOneDevice: "at one device",
  waitingForFriend: "waiting for a friend",
  against: (/** @type {string} */ name) => `against ${name}`,
  you: "you",
  notHere: "not here yet",
  here: "online",
  away: "away",
  preparing: "preparing",
  toMove: "to move",
  winner: "winner",
};

/** The log before the first move. */
export const LOG = {
  label: "Game log",
  welcome: (/** @type {string} */ title) => `Welcome to ${title}.`,
  youBegin: "You start.",
  begins: (/** @type {string} */ name) => `${name} starts.`,
};

/** The text alternative of the picture. */
export const IN_WORDS = {
  of: (/** @type {number} */ value, /** @type {number} */ limit) => `${value} of ${limit}`,
  hidden: "hidden",
  none: "none",
  unit: "unit",
  track: (/** @type {number} */ last) => `Positions: 0 to ${last}`,
  onTrack: (/** @type {string} */ whose, /** @type {number} */ place, /** @type {number} */ base) =>
    `${whose}: at ${place}, from base ${base}`,
};

/** The page of a game, while it is played. */
export const GAME = {
  position: (/** @type {string} */ title) => `${title}, the position`,
  question: "Your move?",
  thatIsAll: "Done",
  noAnswer: "This answer is not possible here.",
  canAnswer: (/** @type {string} */ answers) => `You can answer: ${answers}.`,
  oneOf: (/** @type {string[]} */ answers, /** @type {string} */ last) =>
    answers.length ? `${answers.join(", ")} or ${last}` : last,
  range: (/** @type {number} */ first, /** @type {number} */ last) =>
    `a number from ${first} to ${last}`,
  onlyOneLooks: (/** @type {string} */ name) => `Only ${name} should look now.`,
  iAm: (/** @type {string} */ name, /** @type {string} */ shown) => `I am ${name}: ${shown}`,
  showPrivate: "show my private information",
  showMe: "show me",
  controls: "The game",
  takeBack: "Take back",
  hint: "Hint",
  resign: "Resign",
  reallyResign: "Do you want to resign?",
  yesResign: "Yes, resign",
  playOn: "No, continue",
  allowHelp: "Allow help",
  allowHelpAlone: (/** @type {string} */ opponent) => `Allow help (${opponent} does not yet)`,
  more: "More",
  close: "Close",
  details: "More about the game",
  log: "Game log",
  moves: "Moves",
  inWords: "As text",
  noMoves: "Nobody has moved yet.",
  watching: "You are watching this game.",
  spectators: (/** @type {number} */ number) => plural(number, "spectator"),
  yourMove: "Your move",
  back: "Choose again",
  oneLess: "One less",
  oneMore: "One more",
  typed: "Or type your move",
  play: "Play",
  wholeMoves: "Show whole moves",
  oneWord: "One word at a time",
  playing: (/** @type {string} */ move) => `Playing ${move}…`,
};

/** The end of a game. */
export const END = {
  label: "After the game",
  youLose: "You lose",
  draw: "Draw",
  rematch: "Rematch",
  asked: "Waiting for the other player…",
  wanted: (/** @type {string} */ name) => `${name} wants another game.`,
  next: "To the next game",
  otherGames: "Other games",
  review: "Review",
  close: "Close",
};

/** The switch for sounds and vibration. */
export const SOUND = {
  label: "Sound",
};

/** Hints and the guided first game. */
export const HINTS = {
  thinking: "Looking for the best move…",
  said: (/** @type {string} */ text) => `Hint: ${text}`,
  play: (/** @type {string} */ move) => `Play ${move}.`,
  guided: "Play a guided first game",
  skip: "Skip",
  coach: (/** @type {number} */ at, /** @type {number} */ of) => `${at} of ${of}:`,
  done: "You know the game now. Continue, and ask for a hint whenever you want one.",
  left: "You have left the guided game. Ask for a hint whenever you want one.",
  skipped: "You have skipped the guide. Ask for a hint whenever you want one.",
};

/** The list of keys. */
export const KEYS = {
  title: "Keys",
  unfinished: (/** @type {string} */ digits) => `${digits}: press Enter, or another digit.`,
  /** @type {[string, string][]} */
  list: [
    ["0–9", "choose a number, or the first, second, third… choice"],
    ["A–Z", "choose the option that starts with this letter"],
    ["Tab, arrows", "move through the board and the buttons, or change an amount"],
    ["Enter", "choose the marked option, or the number that you have typed"],
    ["Escape", "choose again"],
    ["← →", "step through the moves after the game"],
    ["?", "show these keys"],
  ],
};

/** The home page and the cards of the games. */
export const HOME = {
  today: "Today",
  title: "Duelbook: two players, one rule book",
  heading: "Two players, one rule book.",
  lead: "Tap a game to play the computer, or play a friend.",
  reload: "Reload the page to try again.",
  yourGames: "Your games",
  progress: "Your progress",
  aGame: "A game",
  over: "Over",
  inProgress: "In progress",
  play: "Play",
  friend: "Friend",
  device: "This device",
  options: "Options",
  playLabel: (/** @type {string} */ title, /** @type {string} */ opponent) =>
    `Play ${title}: ${opponent}`,
  friendLabel: (/** @type {string} */ title) => `Friend: invite a friend to ${title} by link`,
  deviceLabel: (/** @type {string} */ title) => `This device: play ${title} with two players`,
  optionsLabel: (/** @type {string} */ title) => `Options of ${title}`,
  guided: "a guided first game",
  computer: (/** @type {string} */ level) => `against the computer, ${level}`,
  effort: (/** @type {{ moves: number, mistakes: number }} */ { moves, mistakes }) =>
    `About ${moves} moves. ${hardness(mistakes)} ${tenths(mistakes)}.`,
};

/** @param {number} mistakes */
const tenths = (mistakes) =>
  `${Math.round(mistakes * 10) || "hardly any"} of 10 random moves are mistakes`;

/** @param {number} mistakes */
const hardness = (mistakes) => {
  if (mistakes < 0.2) return "Forgiving:";
  return mistakes < 0.4 ? "Tricky:" : "Hard:";
};

/** The page on which a game is set up. */
export const SETUP = {
  whom: "Opponent",
  computer: "The computer",
  aboutComputer: "at a level of your choice",
  friend: "A friend",
  aboutFriend: "by a link that you send",
  device: "Two players",
  aboutDevice: "at this device",
  level: "Level",
  others: "Other computer players",
  mcts: "simulates many games",
  minimax: "looks a few moves ahead",
  greedy: "looks one move ahead",
  random: "plays random moves",
  starts: "Who starts?",
  iStart: "I do",
  otherStarts: "The other",
  myFriend: "My friend",
  chance: "Chance",
  yourName: "Your name",
  nameOf: (/** @type {number} */ number) => `Name of Player ${number}`,
  clock: "Clock",
  noClock: "No clock",
  minutesEach: (/** @type {number} */ minutes) =>
    minutes === 1 ? "1 minute each" : `${minutes} minutes each`,
  minutesAndSeconds: (/** @type {number} */ minutes, /** @type {number} */ seconds) =>
    `${minutes} minutes, ${seconds} seconds a move`,
  customClock: "Another time",
  minutes: "Minutes each",
  extra: "Seconds for each move",
  badClock: "A clock has 0.1 to 360 minutes, and each move adds 0 to 300 whole seconds.",
  help: "Allow hints and the evaluation bar",
  whenBoth: "(when both sides do)",
  start: "Start",
  startAndGetLink: "Start and get the link",
  allGames: "All games",
  rules: "All rules, with pictures, and a guided first game",
};

/** The list of the player's games. */
export const STANDING = {
  open: "Waiting for a friend",
  youWon: "You won",
  won: (/** @type {string} */ name) => `${name} won`,
  draw: "Draw",
  aborted: "Aborted",
};

/** Invitations, and the page that a friend opens. */
export const INVITE = {
  challenge: (/** @type {string} */ name, /** @type {string} */ title) =>
    name ? `${name} challenges you to ${title}` : `You are challenged to ${title}`,
  sitDown: "Accept the invitation",
  accept: "Accept and play",
  yourName: "Your name",
  allowHelp: "Allow hints and the evaluation bar (when both sides do)",
  allows: "allows hints and the evaluation bar.",
  forbids: "does not allow hints or the evaluation bar.",
  noClock: "There is no clock.",
  clock: (/** @type {string} */ time) => `Each player has ${time}`,
  increment: (/** @type {string} */ time) => `, and ${time} more for each move`,
  invite: (/** @type {string} */ title) => `Invite a friend to ${title}`,
  waiting: "Waiting for your friend",
  send: "Send this link to your friend",
  link: "Link to this game",
  share: "Share the link",
  copy: "Copy the link",
  copied: "Copied.",
  code: "The link as a code for a phone's camera",
  download: "Download the game",
  firstPlays: "The first person who accepts plays. Everyone else who opens the link watches.",
  playMeanwhile: "Play the computer while you wait",
  notice: "This page, and your other games, show a notice when your friend arrives.",
  cancel: "Cancel the invitation",
  notConnected: "You are not connected. Nothing was sent.",
  cancelled: "This invitation was cancelled",
  youCancelled: "You have cancelled the invitation",
  playComputer: (/** @type {string} */ title) => `Play ${title} against the computer`,
  otherGames: "Other games",
  arrived: (/** @type {string} */ name, /** @type {string} */ title) =>
    `${name} has joined your game of ${title}.`,
  goToGame: "Go to the game",
  later: "Later",
};

/** Texts about the connection. */
export const OFFLINE = {
  badAnswer: "The server sent an unexpected response.",
  notAccepted: "Your seat was not accepted, so you are watching. Reload the page to try again.",
  connecting: "Connecting…",
  lost: "Connection lost. Trying again…",
  notSent: "Connection lost: nothing was sent. Trying again…",
  noServer: "The server cannot be reached.",
  needsServer: "You cannot start games or make moves now. This page shows the last known state.",
};

/** The progress page. */
export const PROGRESS = {
  title: "Your progress",
  lead: "The games that you have finished in this browser. Only you can see them.",
  allGames: "All games",
  nothing: "You have not finished a game here yet.",
  opponent: "Opponent",
  won: "Won",
  lost: "Lost",
  drawn: "Drawn",
  friends: "Friends",
  computer: (/** @type {string} */ level) => `Computer, ${level}`,
  beaten: "★ You have beaten perfect play.",
  canBeat: {
    first: "The first player can beat perfect play.",
    second: "The second player can beat perfect play.",
    either: "Perfect play can be beaten, with chance.",
    nobody: "Perfect play cannot be beaten: nobody can force a win.",
  },
  file: "Move to another browser",
  aboutFile: "Download the file here, and add it in the other browser. No game counts twice.",
  download: "Download the file",
  choose: "Add a file",
  imported: (/** @type {number} */ count) =>
    count === 1 ? "1 game was added." : `${count} games were added.`,
  notOurs: "This is not a progress file of Duelbook. Nothing was changed.",
  otherVersion: "This file is from another version of Duelbook. Nothing was changed.",
  wrongGame: (/** @type {number} */ number) =>
    `Game ${number} of this file is not complete. Nothing was changed.`,
  tooLarge: "This file is too large for a progress file. Nothing was changed.",
};

/** Notifications. */
export const NOTIFY = {
  on: "Notify me when it is my turn",
  off: "Stop notifying me",
  denied: "Your browser does not allow notifications. You can change this in its settings.",
  turn: "It is your turn",
  over: "The game is over",
  arrived: "Your friend has joined",
};

/** Rules pages. */
export const RULES = {
  label: "Rules",
  close: "Close",
  all: "The rules of all games",
  asPage: "Open the rules page",
  of: (/** @type {string} */ title) => `Rules of ${title}`,
  link: "Rules",
  play: "Play",
  unknown: "There are no rules for this game.",
};

/** The review of a game. */
export const REVIEW = {
  label: "Review",
  report: "The moves",
  moves: "Moves",
  analysis: "Analysis of the game",
  working: "Analysing the game…",
  start: "The start",
  mistake: (/** @type {string} */ text) => `A mistake: ${text}`,
  aMistake: ", a mistake",
  mistakes: "Mistakes",
  noMistakes: "Nobody made a mistake.",
  decided: "It decided the game.",
  move: (/** @type {number} */ number) => `Move ${number}`,
  better: (/** @type {string} */ moves, /** @type {number} */ left) =>
    left ? `Better: ${moves} and ${left} more.` : `Better: ${moves}.`,
  accuracy: (/** @type {number} */ percent, /** @type {number} */ mistakes) =>
    `${percent}% without a mistake, ${plural(mistakes, "mistake")}`,
  toStart: "To the start",
  back: "One move back",
  forward: "One move forward",
  toEnd: "To the end",
  slider: "Move",
  isWinning: (/** @type {string} */ name) => `${name} is winning`,
  nobody: "nobody",
  whoWasWinning: (/** @type {string} */ parts) => `Who was winning: ${parts}.`,
  atStart: (/** @type {string} */ leader) => `at the start ${leader}`,
  afterMove: (/** @type {number} */ number, /** @type {string} */ leader) =>
    `after move ${number} ${leader}`,
};

/** The form that opens a saved game. */
export const UPLOAD = {
  title: "Open a saved game",
  file: "A file that you downloaded here or saved at the terminal",
  mode: "Continue",
  device: "at this device",
  friend: "with a friend, by link",
  computer: "against the computer",
  youAre: "You are",
  open: "Open",
  chooseFirst: "Choose a file first.",
  notOurs: "This is not a saved game of Duelbook.",
};

/** Requests: to take a move back, or to replace a computer that cannot continue. */
export const REQUESTS = {
  asks: (/** @type {string} */ name) => `${name} asks to take the last move back.`,
  youAsked: "You asked to take your last move back.",
  allow: "Allow it",
  decline: "Decline",
  withdraw: "Withdraw the request",
  waits: "The game waits: another computer player can take over.",
  whoTakesOver: "Replacement",
  takeOver: "Take over",
};

/** An opponent who does not start, or has left. */
export const OVERDUE = {
  notBegun: (/** @type {string} */ name) => `${name} has not moved yet.`,
  hasLeft: (/** @type {string} */ name) => `${name} has left.`,
  canAbort: (/** @type {string} */ time) => `In ${time} you can abort.`,
  canClaim: (/** @type {string} */ time) => `In ${time} you can claim victory.`,
  abort: "Abort the game",
  claimVictory: "Claim victory",
  claimDraw: "Claim draw",
  begin: (/** @type {string} */ other) => `Make your first move: ${other} can abort the game.`,
  beginWithin: (/** @type {string} */ time) => `Make your first move within ${time}.`,
};

/** The check of the chance outcomes. */
export const FAIRNESS = {
  fair: (/** @type {number} */ outcomes, /** @type {boolean} */ isEarly) => {
    const all = outcomes === 1 ? "the only one follows" : `all ${outcomes} follow`;
    const seen = isEarly ? "promised before the game" : "has published";
    return `The chance outcomes were fair: ${all} from the seed that the server ${seen}.`;
  },
  unfair: (/** @type {string} */ why) => `Warning, the chance outcomes were not fair: ${why}`,
  replaced: "the server has replaced the seed of the chance outcomes during the game.",
  notPromised: "the seed of the chance outcomes is not the one that the server promised.",
  doesNotFollow: (/** @type {number} */ number, /** @type {string} */ move) =>
    `move ${number}, ${move}, does not follow from the seed.`,
  unchecked: (/** @type {string} */ why) => `The chance outcomes could not be checked: ${why}`,
};

/** Titles, and the page for unknown addresses. */
export const PAGE = {
  title: (/** @type {string[]} */ ...parts) => [...parts, "Duelbook"].join(" · "),
  notFoundTitle: "Not found",
  notFound: "Page not found",
  noPage: "There is no such page.",
  noGame: "There is no such game.",
  gameGone: "This game no longer exists.",
  reasons: "The link may be incomplete. Games that nobody plays for a long time are deleted.",
  chooseGame: "Choose a game",
  tryAgain: "Try again",
};

/** Durations. */
export const TIME = {
  minutes: (/** @type {number} */ number) => plural(number, "minute"),
  seconds: (/** @type {number} */ number) => plural(number, "second"),
};
