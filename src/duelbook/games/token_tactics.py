"""The rules and the text of Token Tactics."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook.position import BOOK, HIDDEN, Hidden, Listener, Position, count, player, put
from duelbook.scene import Scene, Stack

START = 10
FORTIFY_LIMIT = 15  # a battle never makes a reserve larger, so this limits every commit
ATTACKS, DEFENSES = range(1, FORTIFY_LIMIT + 1), range(FORTIFY_LIMIT + 1)


@dataclass(frozen=True, slots=True)
class TokenTactics(Position):
    """Attack with hidden tokens until a reserve is empty."""

    title = "Token Tactics"
    player_1_starts = True
    ACTIONS = ("fortify", *(f"attack {n}" for n in ATTACKS), *(f"defend {n}" for n in DEFENSES))
    ALIASES = {"1": "fortify", "2": "attack"}
    RANGES = {"reserves": range(FORTIFY_LIMIT + 1), "commit": (None, HIDDEN, ATTACKS)}

    reserves: tuple[int, int] = (START, START)
    commit: int | Hidden | None = None  # the attacker's tokens, while the player to move defends

    # Rules ----------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        if self.winner() is not None:
            return []
        mine = self.reserves[self.to_move]
        if self.commit is not None:
            return [f"defend {n}" for n in range(mine + 1)]
        attacks = [f"attack {n}" for n in range(1, mine + 1)]
        return ["fortify", *attacks] if mine < FORTIFY_LIMIT else attacks

    def apply(self, move: str) -> Self:
        me, opponent = self.to_move, 1 - self.to_move
        if move == "fortify":
            reserves = put(self.reserves, me, self.reserves[me] + 1)
            return replace(self, to_move=opponent, reserves=reserves)
        choice, tokens = move.split()
        if choice == "attack":
            return replace(self, to_move=opponent, commit=int(tokens))
        # The defender, who is to move already, has the next turn.
        _, _, reserves = self._battle(int(tokens))
        return replace(self, reserves=reserves, commit=None)

    def _battle(self, defense: int) -> tuple[int, int, tuple[int, int]]:
        """Return the winner of a battle, the tokens taken, and the reserves after it."""
        defender, attacker, attack = self.to_move, 1 - self.to_move, self.commit
        if not isinstance(attack, int):
            raise TypeError("A battle cannot be resolved while the attacker's commit is hidden.")
        taker = attacker if attack > defense else defender  # the defender wins equal commits
        taken = min(abs(attack - defense), self.reserves[1 - taker])
        after = list(self.reserves)
        after[taker] += taken  # the winner takes the difference, then both spend (TT-R2)
        after[1 - taker] -= taken
        after[attacker] -= attack
        after[defender] -= defense
        return taker, taken, (max(0, after[0]), max(0, after[1]))

    def winner(self) -> int | None:
        if self.reserves == (0, 0):
            return self.to_move  # both are empty: the defender, who is to move, wins (TT-R1)
        return 1 - self.reserves.index(0) if 0 in self.reserves else None

    def ruling(self) -> str:
        return "TT-R1" if self.reserves == (0, 0) else ""

    def view(self, seat: int) -> Self:
        defending = self.commit is not None and seat == self.to_move
        return replace(self, commit=HIDDEN) if defending else self

    # Text -----------------------------------------------------------------------------------

    def welcome(self) -> str:
        return f"---- Token Tactics ----\n{self.board()}"

    def turn(self) -> str:
        return "" if self.commit is not None else f"{player(self.to_move)}'s Turn:"

    def ask(self, words: tuple[str, ...]) -> str:
        mine = self.reserves[self.to_move]
        if self.commit is not None:
            defend = f"{player(self.to_move)}, enter the number of tokens to defend with (0-{mine})"
            return f"{defend}:\n> " if words else ""
        commit = f"Enter the number of tokens to commit (1-{mine}):\n> "
        return commit if words else "Choose an action: (1) Fortify, (2) Attack\n> "

    def hear(self, words: tuple[str, ...]) -> str:
        is_action = words in (("fortify",), ("attack",))
        return f"You chose to {words[0].capitalize()}." if is_action else ""

    def tell(self, move: str, after: Self) -> str:
        me = player(self.to_move)
        if move == "fortify":
            return f"{me} adds 1 token to their reserve."
        if move.startswith("attack"):
            return ""  # both commits are revealed together (TT-R3)
        defense = int(move.split()[1])
        taker, taken, _ = self._battle(defense)
        text = (
            f"Reveal:\n- Attacker committed {count(self.commit, 'token')}.\n"
            f"- Defender committed {count(defense, 'token')}.\n"
            f"{'Defender' if taker == self.to_move else 'Attacker'} wins the battle!\n"
            f"{player(taker)} takes {count(taken, 'token')} from {player(1 - taker)}.\n\n"
            f"Updated Reserves:\n- {player(0)} Tokens: {after.reserves[0]}\n"
            f"- {player(1)} Tokens: {after.reserves[1]}"
        )
        if after.reserves == (0, 0):
            return f"{text}\n\nGame Over!\nBoth reserves are empty: {me} defended and wins."
        if (winner := after.winner()) is not None:
            text += f"\n\nGame Over!\n{player(winner)} wins by capturing all of "
            text += f"{player(1 - winner)}'s tokens."
        return text

    def tell_to(self, listener: Listener, move: str, after: Self) -> str:
        me, opponent = listener.who(self.to_move), listener.who(1 - self.to_move)
        if move == "fortify":
            return f"{me.opens('fortify')}, to {count(after.reserves[self.to_move], 'token')}."
        choice, tokens = move.split()
        if choice == "attack":
            known = count(int(tokens), "token") if me.is_you else "a secret number of tokens"
            return f"{me.opens('attack')} with {known}."
        taker, taken, _ = self._battle(int(tokens))
        winner, loser = listener.who(taker), listener.who(1 - taker)
        takes = f"{winner.opens('take')} {count(taken, 'token')} from {loser}."
        return (
            f"{opponent.opens('attack')} with {count(self.commit, 'token')}, {me.does('defend')} "
            f"with {tokens}. {takes if taken else 'Nobody takes a token.'}"
        )

    def why_won(self, listener: Listener, winner: int) -> str:
        if self.reserves == (0, 0):
            defends = f"and {listener.who(winner).does('win')} as the defender"
            return f"Both reserves are empty, {defends}."
        all_tokens = f"all of {listener.who(1 - winner).whose} tokens"
        return f"{listener.who(winner).opens('win')} by capturing {all_tokens}."

    def why_not(self, words: tuple[str, ...]) -> str:
        return self.why_not_to(BOOK, words)

    def why_not_to(self, listener: Listener, words: tuple[str, ...]) -> str:
        mine = count(self.reserves[self.to_move], "token")
        if (self.commit is not None) != (words[0] == "defend"):
            attacks = f"{listener.who(1 - self.to_move).opens('be')} attacking"
            under_attack = f"{attacks}, so you must defend."
            return under_attack if self.commit is not None else "There is no attack to defend."
        if words[0] == "fortify":
            return f"You have {mine}, and nobody can fortify beyond {FORTIFY_LIMIT}."
        return f"You have only {mine}."

    def board(self) -> str:
        commit = f"\n{player(1 - self.to_move)} has committed tokens to an attack."
        reserves = "\n".join(f"{player(s)} Tokens: {self.reserves[s]}" for s in (0, 1))
        return reserves if self.commit is None else reserves + commit

    def scene(self) -> Scene:
        my_words, other_words = ("fortify", "attack") if self.commit is None else ("defend", "")
        says = put((other_words, other_words), self.to_move, my_words)
        does = [words.capitalize() + " +1" * (words == "fortify") for words in says]
        reserves = tuple(
            Stack("", self.reserves[s], s, "coins", says[s], does=does[s]) for s in (0, 1)
        )
        attack = Stack("attack", self.commit or 0, 1 - self.to_move, "envelope")
        return reserves if self.commit is None else (*reserves, attack)
