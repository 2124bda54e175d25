// A game: what the server says of it, shown; what the player wants, said to the server.

import * as api from "./api.js";
import { Chooser } from "./move_form.js";
import { ClockFaces } from "./clocks.js";
import { balance } from "./evaluation_bar.js";
import { button, el, mark, refill } from "./dom.js";
import { invitation, openSeat, sharing } from "./invite.js";
import { lost } from "./not_found.js";
import { Picture } from "./picture.js";
import { Review } from "./review.js";
import { rulesDialog } from "./rules.js";
import * as seats from "./saved_seats.js";
import { Story } from "./game_log.js";
import { count, isDrawn, named, overheard } from "./text_format.js";

const CONNECTION = {
  connecting: ["Connecting…", ""],
  live: ["", ""],
  lost: ["Connection lost. Trying again…", "lost"],
};

export async function game(page, id) {
  document.title = "A game · Duelbook";
  let first;
  let secret = seats.held(id)?.secret ?? null;
  try {
    first = await api.snapshot(id, secret);
  } catch (problem) {
    if (problem.status === 401) {
      secret = null;
      first = await api.snapshot(id, null).catch(() => null);
    } else if (problem.status === 404 || problem.status === 400) {
      lost(page, "There is no such game.");
      return;
    }
    if (!first) {
      const retry = button("Try again", () => location.reload(), { class: "main" });
      page.replaceChildren(el("div", { class: "notice stack" }, el("p", {}, problem.message), retry));
      return;
    }
  }
  new Table(page, first, secret);
}

class Table {
  constructor(page, snapshot, secret) {
    this.lifted = null;
    this.presence = { seats: [false, false], watching: 0 };
    this.clocks = new ClockFaces();
    this.build(page, snapshot);
    this.take(snapshot);
    this.live = new api.Live(snapshot.id, secret, {
      hear: (message) => this.hear(message),
      state: (state) => this.connected(state),
    });
  }

  // Parts that stay --------------------------------------------------------------------------

  build(page, { book, title }) {
    const part = (kind, props = {}) => el("div", { class: kind, ...props });
    this.state = el("h2", { class: "state", tabindex: "-1", "data-testid": "state" });
    this.lastMove = el("p", { class: "soft", "data-testid": "last-move" });
    this.watching = el("span", { class: "soft", "data-testid": "watching" });
    this.players = part("players");
    this.pictureBox = part("picture-box", { "data-testid": "picture" });
    this.balance = part("");
    this.inWords = part("words-of-picture");
    this.story = new Story();
    this.curtain = part("", { "data-testid": "curtain" });
    this.chooser = new Chooser({
      play: (move) => this.say({ type: "play", move, answers: this.snap.turn }),
      changed: () => this.picture.show(this.snap.view.scene),
      name: (text) => named(text, this.names()),
    });
    this.asks = part("asks");
    this.notice = el("p", { class: "refusal", role: "alert" });
    this.news = el("p", { class: "soft", role: "status", "data-testid": "news" });
    this.hint = el("p", { class: "notice", role: "status", hidden: true, "data-testid": "hint" });
    this.controls = part("controls", { role: "group", "aria-label": "The game" });
    this.moves = el("ol", { class: "moves", tabindex: "0", "aria-label": "Moves", "data-testid": "moves" });
    this.after = part("stack");
    this.lookBack = part("");
    this.movesBox = el("section", { class: "stack" }, el("h3", {}, "Moves"), this.moves);
    const rules = button("Rules", rulesDialog(book, title), { class: "quiet" });
    page.replaceChildren(
      el(
        "div",
        { class: "table" },
        el("div", { class: "table-head" }, el("h1", {}, title), el("div", { class: "row" }, this.watching, rules)),
        el("div", { class: "column" }, this.players, this.pictureBox, this.lookBack, this.balance, el("details", {}, el("summary", {}, "The picture in words"), this.inWords)),
        el(
          "div",
          { class: "column" },
          el("div", { class: "state-row" }, this.state, this.lastMove),
          this.story.box,
          this.curtain,
          this.chooser.box,
          this.notice,
          this.news,
          this.hint,
          this.asks,
          this.after,
          this.controls,
          this.movesBox,
        ),
      ),
    );
    this.picture = new Picture(this.pictureBox, {
      label: `${title}, the position`,
      point: (piece, event) => this.chooser.point(piece, event),
      can: (piece) => !this.chooser.box.hidden && this.chooser.can(piece),
      chosen: (piece) => this.chooser.chosen(piece),
      name: (text) => named(text, this.names()),
    });
  }

  names() {
    return this.snap.table.chairs.map(({ name }, seat) => name || `Player ${seat + 1}`);
  }

  // Whom one plays, as the list of one's games says it.
  against() {
    const { seats: held, table } = this.snap;
    if (held.length > 1) return "at one device";
    const other = table.chairs[1 - held[0]];
    if (other?.kind === "open") return "waiting for a friend";
    return other && `against ${this.names()[1 - held[0]]}`;
  }

  // What the server says -----------------------------------------------------------------------

  hear(message) {
    if (message.type === "snapshot") this.take(message);
    else if (message.type === "update") this.update(message);
    else if (message.type === "presence") {
      this.presence = message;
      this.showPlayers();
    } else if (message.type === "evaluation") {
      this.evaluation = message;
      this.showBalance();
    } else if (message.type === "hint") this.showHint(message.said);
    else if (message.type === "refused") this.refused(message);
  }

  take(snapshot) {
    const again = this.snap?.turn === snapshot.turn;
    this.snap = snapshot;
    const stuck = this.chooser.pending; // the answer to a move was lost with the connection
    this.show(!again || stuck);
  }

  update({ seq, turn, kept, moves = [], movers = [], told = [], table, view }) {
    const snap = this.snap;
    if (seq <= snap.seq) return;
    const before = snap.moves.length;
    snap.moves = [...snap.moves.slice(0, kept), ...moves];
    snap.movers = [...snap.movers.slice(0, kept), ...movers];
    snap.told = [...snap.told.slice(0, kept), ...told];
    const moved = turn !== snap.turn;
    const fewer = snap.moves.length < before;
    Object.assign(snap, { seq, turn });
    if (view) snap.view = view;
    const { next, takeback } = snap.table;
    if (table) snap.table = table;
    if (moved) this.news.textContent = fewer ? "The last move was taken back." : "";
    else if (takeback === snap.seats[0] && snap.table.takeback !== takeback && !this.withdrawn) {
      this.news.textContent = `${this.names()[1 - takeback]} does not want the move taken back.`;
    }
    this.withdrawn = false;
    if (moved) this.hint.hidden = true;
    if (moved) this.notice.textContent = "";
    this.show(moved);
    if (snap.table.next && !next && snap.seats.length) this.follow(snap.table.next);
  }

  refused({ why, code, reply }) {
    if (reply !== undefined && reply === this.chooser.pending) {
      this.chooser.refuse(why, code);
      return;
    }
    this.notice.textContent = named(why, this.names());
  }

  connected(state) {
    if (state === "gone") {
      lost(document.getElementById("page"), "There is no such game any more.");
      return;
    }
    if (state === "refused") {
      this.live.watch();
      this.notice.textContent = "Your seat was not accepted, so you are watching. Reload the page to try again.";
      return;
    }
    const [text, kind] = CONNECTION[state];
    const line = document.getElementById("connection");
    if (state === "connecting" && line.className === "lost") return;
    line.textContent = text;
    line.className = kind;
  }

  say(message) {
    this.notice.textContent = this.news.textContent = "";
    const number = this.live.send(message);
    if (!number) this.notice.textContent = "You are not connected. Nothing was sent.";
    return number;
  }

  // The same secret opens the game that follows.
  follow(next) {
    const { secret, title } = seats.held(this.snap.id) ?? {};
    if (secret) seats.keep(next, { secret, title });
    location.assign(`/g/${encodeURIComponent(next)}`);
  }

  // Showing it ---------------------------------------------------------------------------------

  get over() {
    return Boolean(this.snap.table.result);
  }

  get waits() {
    return this.snap.table.chairs.some(({ kind }) => kind === "open");
  }

  // Whether something was chosen that is not revealed yet.
  get secret() {
    const hides = (value) => value !== null && typeof value === "object" && (value.hidden === true || Object.values(value).some(hides));
    return Boolean(this.snap.moves.at(-1)?.endsWith("?")) || hides(this.snap.view.position);
  }

  get mine() {
    return !this.over && !this.waits && this.snap.seats.includes(this.snap.view.to_move);
  }

  // Whether the choice must be hidden from the other player at this device.
  get behindCurtain() {
    return this.mine && this.snap.view.sealed && this.snap.seats.length > 1;
  }

  show(moved) {
    const active = document.activeElement;
    const inside = [this.chooser.box, this.curtain, this.pictureBox].some((box) => box.contains(active));
    const plays = this.snap.seats.length > 0; // whoever watches is left where they are
    const playing = inside || active === this.state || Boolean(this.chooser.pending);
    const adrift = inside || active === this.state || (plays && active === document.body);
    const way = active === this.chooser.input ? "typed" : playing ? this.chooser.way : null;
    this.showState();
    this.showPlayers();
    this.story.show([this.snap.welcome, ...this.telling(), this.turnTold(), this.ending()], this.names());
    this.showWords(this.snap.view.board);
    if (moved) this.chooseAgain();
    else if (this.chooser.box.hidden === this.mine && !this.behindCurtain) this.chooseAgain();
    this.showCurtain();
    this.picture.show(this.review?.scene() ?? this.snap.view.scene);
    this.showMoves();
    this.showBalance();
    this.showAsks();
    this.showControls();
    this.showAfter();
    seats.note(this.snap.id, { title: this.snap.title, against: this.against(), over: this.over });
    if (moved && adrift && this.hasBeenShown) this.settle(way);
    this.hasBeenShown = true;
  }

  chooseAgain() {
    const shown = this.mine && (!this.behindCurtain || this.lifted === this.snap.turn);
    this.chooser.ask(this.snap.view, shown ? this.snap.view.legal ?? [] : []);
  }

  // After a move the focus goes where the player goes on.
  settle(way) {
    if (way === "pointed" && this.picture.focus()) return;
    if (!this.curtain.hidden) this.curtain.querySelector("button")?.focus({ preventScroll: true });
    else if (!this.chooser.box.hidden) this.chooser.focus(way);
    else this.state.focus({ preventScroll: true });
  }

  showWords(board) {
    this.inWords.textContent = named(board, this.names());
    this.inWords.classList.toggle("drawn", isDrawn(board));
  }

  showState() {
    const { view, table, seats: held } = this.snap;
    const names = this.names();
    let text = `${names[view.to_move]} is to move`;
    let seat = view.to_move;
    if (this.over) {
      seat = table.result.winner ?? null;
      text = seat === null ? "Nobody wins" : `${names[seat]} wins`;
    } else if (this.waits) text = "Waiting for the other player";
    else if (this.mine && held.length === 1) text = "Your turn";
    refill(this.state, seat !== null && !this.waits && mark(seat), el("span", {}, text));
    const { moves, title } = this.snap;
    const last = moves.length - 1;
    this.lastMove.textContent = last < 0 ? "" : `Last move: ${names[this.snap.movers[last]]}, ${moves[last]}`;
    document.title = `${this.mine && held.length === 1 ? "Your turn" : text} · ${title} · Duelbook`;
  }

  // What happened, move by move, with whoever did it: the books leave that to the prompt before.
  telling() {
    const { moves, movers, told, seats: held } = this.snap;
    return told.map((text, at) => {
      const heard = held.includes(movers[at]) ? text : overheard(text, movers[at]);
      return `Player ${movers[at] + 1}: ${moves[at]}\n${heard.replace(/^\n+/, "")}`;
    });
  }

  // The words that open a turn are for whoever has it.
  turnTold() {
    const { turn, to_move: seat } = this.snap.view;
    if (this.waits || !turn) return "";
    return this.mine ? turn : `Player ${seat + 1} is to move.`;
  }

  ending() {
    const { result } = this.snap.table;
    if (!result || result.by === "play") return "";
    const [winner, loser] = [result.winner, 1 - result.winner].map((seat) => `Player ${seat + 1}`);
    if (result.by === "resignation") return `${loser} resigns.\n${winner} wins.`;
    if (result.by === "time") return `${loser} has no time left.\n${winner} wins.`;
    return "The game ends without a winner.";
  }

  showPlayers() {
    const { table, view, seats: held } = this.snap;
    const cards = table.chairs.map((chair, seat) => {
      const turn = !this.over && !this.waits && view.to_move === seat;
      const here = chair.kind === "computer" || this.presence.seats[seat];
      const about = [
        held.length === 1 && held[0] === seat && "you",
        chair.kind === "open" ? "not here yet" : chair.kind === "computer" || held.includes(seat) ? "" : here ? "here" : "away",
        turn && "to move",
        table.result?.winner === seat && "winner",
      ];
      const clock = table.clocks && el("span", { class: "clock", "data-testid": `clock-${seat}` });
      if (clock) this.clocks.faces[seat] = clock;
      return el(
        "div",
        { class: `player seat${seat} ${turn ? "turn" : ""}`, "data-testid": `player-${seat}` },
        el("span", { class: "name" }, mark(seat), el("span", {}, chair.kind === "open" ? "Open seat" : this.names()[seat])),
        clock,
        el("span", { class: "about" }, about.filter(Boolean).join(", ") || "\u00a0"),
      );
    });
    refill(this.players, cards);
    const { clocks } = table;
    if (clocks !== this.heardClocks) this.clocks.hear(clocks);
    this.heardClocks = clocks;
    this.clocks.show();
    const others = this.presence.watching - (held.length ? 0 : 1);
    this.watching.textContent = others > 0 ? count(others, "spectator") : "";
  }

  showCurtain() {
    const hidden = !this.behindCurtain || this.lifted === this.snap.turn;
    this.curtain.hidden = hidden;
    this.curtain.className = hidden ? "" : "curtain";
    if (hidden) {
      this.curtain.replaceChildren();
      return;
    }
    const name = this.names()[this.snap.view.to_move];
    const lift = () => {
      this.lifted = this.snap.turn;
      this.show(true);
      this.chooser.focus(null);
    };
    refill(this.curtain, el("p", {}, `Only ${name} should look now.`), button(`I am ${name}: show me`, lift, { class: "main", "data-key": "lift", "data-testid": "lift-curtain" }));
  }

  showMoves() {
    if (!this.snap || this.over) {
      this.movesBox.hidden = this.over;
      return;
    }
    const { moves } = this.snap;
    this.movesBox.hidden = !moves.length;
    const items = moves.map((move, at) => {
      const seat = this.snap.movers[at];
      const by = el("span", { class: "hidden" }, `${this.names()[seat]}: `);
      return el("li", { class: at === moves.length - 1 ? "last" : "" }, el("span", { class: "number" }, `${at + 1}.`), mark(seat), by, move);
    });
    this.moves.replaceChildren(...items);
    this.moves.scrollTop = this.moves.scrollHeight;
    this.showState();
  }

  showBalance() {
    const { table, turn } = this.snap;
    const allowed = table.help.every(Boolean) && !this.over && !this.secret; // nobody can weigh a secret
    const shown = allowed && this.evaluation?.turn === turn ? this.evaluation : null;
    refill(this.balance, shown && balance(shown, this.names()));
  }

  showHint(said) {
    this.hint.hidden = false;
    this.hint.textContent = `Hint: ${named(said, this.names())}`;
  }

  showAsks() {
    const { table, seats: held, turn } = this.snap;
    const asks = [];
    const one = held.length === 1;
    if (one && table.takeback === 1 - held[0]) {
      asks.push(
        question(
          `${this.names()[1 - held[0]]} asks to take the last move back.`,
          button("Allow it", () => this.say({ type: "agree", answers: turn }), { "data-key": "allow", "data-testid": "takeback-allow" }),
          button("Decline", () => this.say({ type: "decline" }), { "data-key": "decline", "data-testid": "takeback-decline" }),
        ),
      );
    }
    if (one && table.takeback === held[0]) {
      asks.push(question("You asked to take your last move back.", button("Ask no longer", () => this.withdraw(), { "data-key": "decline" })));
    }
    if (one && this.waits && !this.over) asks.push(this.invitation ?? (this.invitation = invitation(this.snap.id)));
    if (!held.length && this.waits && !this.over) asks.push(this.seat ?? (this.seat = openSeat(this.snap)));
    if (!held.length && !this.waits) asks.push(el("p", { class: "soft" }, "You are watching this game."));
    const kept = asks.length === this.asked?.length && asks.every((ask, at) => ask === this.asked[at]);
    if (!kept && !refill(this.asks, asks)) this.state.focus({ preventScroll: true });
    this.asked = asks;
  }

  withdraw() {
    this.withdrawn = true;
    this.say({ type: "decline" });
  }

  showControls() {
    const { seats: held, table, turn, movers } = this.snap;
    const buttons = [];
    if (held.length && !this.over && !this.waits) {
      const helps = held.every((seat) => table.help[seat]);
      const other = table.chairs[1 - held[0]];
      const both = table.help.every(Boolean);
      const toggle = el("input", { type: "checkbox", "data-key": "help", "data-testid": "allow-help", checked: helps });
      toggle.addEventListener("change", () => this.say({ type: "help", on: toggle.checked }));
      const waiting = helps && !both && held.length === 1 ? ` (${other.name} does not yet)` : "";
      buttons.push(
        button("Take back", () => this.say({ type: "takeback", answers: turn }), { "data-key": "takeback", "data-testid": "takeback", disabled: !movers.some((seat) => held.includes(seat)) }),
        both && this.mine && button("Hint", () => this.say({ type: "hint" }), { "data-key": "hint", "data-testid": "ask-hint" }),
        ...this.resigning(turn),
        el("label", { class: "check" }, toggle, el("span", {}, `Allow help${waiting}`)),
      );
    }
    if (!refill(this.controls, buttons)) this.state.focus({ preventScroll: true });
  }

  // Giving up takes two steps.
  resigning(turn) {
    if (this.sureToResign !== turn) {
      const ask = () => {
        this.sureToResign = turn;
        this.showControls();
        this.controls.querySelector("[data-key=resign-no]")?.focus();
      };
      return [button("Resign", ask, { "data-key": "resign", "data-testid": "resign" })];
    }
    const no = () => {
      this.sureToResign = null;
      this.showControls();
      this.controls.querySelector("[data-key=resign]")?.focus();
    };
    return [
      el("span", {}, "Really give up?"),
      button("Yes, resign", () => this.say({ type: "resign", answers: turn }), { "data-key": "resign-yes", "data-testid": "resign-yes" }),
      button("No, play on", no, { "data-key": "resign-no" }),
    ];
  }

  showAfter() {
    if (!this.over) {
      this.review = null;
      this.after.replaceChildren();
      this.lookBack.replaceChildren();
      return;
    }
    if (!this.review) {
      this.review = new Review(this.snap, this.names(), (scene, board) => {
        this.picture.show(scene);
        this.showWords(board);
      });
      this.rematch = el("div", { class: "row" });
      this.after.replaceChildren(
        el("section", { class: "sheet result", "aria-label": "After the game" }, this.rematch, sharing(this.snap.id)),
        this.review.verdictBox,
      );
      this.lookBack.replaceChildren(this.review.box);
    }
    this.showRematch();
  }

  showRematch() {
    const { table, seats: held } = this.snap;
    const home = el("a", { class: "button", href: "/", "data-key": "home" }, "Other games");
    if (table.next) {
      const go = (event) => {
        event.preventDefault();
        this.follow(table.next);
      };
      refill(this.rematch, el("a", { class: "button main", href: `/g/${table.next}`, onclick: go, "data-key": "next", "data-testid": "next-game" }, "To the next game"), home);
      return;
    }
    if (!held.length || this.waits) {
      refill(this.rematch, home);
      return;
    }
    const asked = held.every((seat) => table.rematch[seat]);
    const wanted = held.length === 1 && table.rematch[1 - held[0]] && table.chairs[1 - held[0]].kind === "person";
    refill(
      this.rematch,
      wanted && el("span", { role: "status" }, `${this.names()[1 - held[0]]} wants another game.`),
      button(asked ? "Waiting for the other…" : "Rematch", () => this.say({ type: "rematch" }), { class: "main", disabled: asked, "data-key": "rematch", "data-testid": "rematch" }),
      home,
    );
  }
}

function question(text, ...answers) {
  return el("div", { class: "notice stack", role: "status" }, el("p", {}, text), el("div", { class: "row" }, answers));
}
