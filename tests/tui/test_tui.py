"""The full-screen interface, played by Textual's pilot."""

from __future__ import annotations

import asyncio
import json
import re
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from functools import partial
from itertools import cycle
from pathlib import Path
from random import Random

import pytest
from textual import events
from textual.geometry import Size

import bad_inputs
import duelbook
from duelbook.play import saves
from duelbook.play.series import Series
from duelbook.players import levels
from duelbook.position import CHANCE
from duelbook.tui.dialogs import Curtain, ListDialog, PageDialog
from duelbook.tui.games.game_screen import GameScreen
from duelbook.tui.review import Curve, ReviewScreen
from duelbook.tui.widgets import Bar
from paths import ROOT, TESTS
from shared_solutions import shared_solution
from tui_pilot import CLOCK, LARGE, SMALL, Person, open_tui, text_in

pytestmark = [pytest.mark.anyio, pytest.mark.integration]
SLUGS = [game.slug for game in duelbook.list_games()]
PICTURES = TESTS / "tui/pictures"
EXAMPLES = ROOT / "examples" / "games"


def begin(slug: str, vs: str = "person", **terms: object) -> Series:
    players = ("person", vs)
    return Series.begin(duelbook.load(slug), players=players, seed=5, **terms)  # type: ignore[arg-type]


def moves(person: Person) -> list[str]:
    return list(person.local.game.series.match.moves)


def saved(home: Path) -> Series:
    (file,) = (home / "saves").iterdir()
    return saves.read(file)


@pytest.mark.parametrize(
    ("vs", "hands"),
    [("person", ["typed", "arrows"]), ("random", ["mouse"])],
    ids=["two people with keys", "against the computer with the mouse"],
)
@pytest.mark.parametrize("slug", SLUGS)
async def test_game_is_played_to_its_end(slug: str, vs: str, hands: list[str], home: Path) -> None:
    ways = cycle(hands)
    series = begin(slug, vs, names=("Ann", "Bo"))
    async with open_tui(series, seed=9) as person:
        await person.play_to_the_end(lambda: next(ways))
        match = person.local.game.series.match
        assert match.outcome() is not None
        winner = match.winner()
        assert winner is not None
        await person.sees("[Again] [Swap seats] [Review]")
        won = ("Ann", "Bo")[winner]
        await person.sees("ou win" if vs == "random" and winner == 0 else f"{won} wins")
    assert saved(home).match == match


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "120x40"])
@pytest.mark.parametrize("slug", SLUGS)
async def test_screens_match_the_stored_pictures(slug: str, size: tuple[int, int]) -> None:
    opening = {"island": "no 4", "token": "1", "galaxy": "7 5", "tower": "4", "capture": "2"}
    async with open_tui(begin(slug, names=("Ann", "Bo")), size=size) as person:
        answers = opening[slug.split("-", maxsplit=1)[0]]
        for _ in range(2):
            await person.ready()
            for answer in answers.split():
                await person.choose({"no": "rise", "1": "fortify"}.get(answer, answer), "typed")
        await person.ready()
        shown = await person.wait_until_drawn()
    file = PICTURES / f"{slug}-{size[0]}x{size[1]}.txt"
    if not file.exists():
        file.write_text(shown)
        pytest.fail(f"{file.name} is new: look at it.")
    assert shown == file.read_text()


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["80x24", "120x40"])
@pytest.mark.parametrize("slug", ["tower-defense-duel", "token-tactics"])
async def test_end_and_review_match_the_stored_pictures(
    slug: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    async with open_tui(begin(slug, names=("Ann", "Bo")), size=size, seed=9) as person:
        await person.play_to_the_end(lambda: "arrows")
        await person.sees("[Again] [Swap seats] [Review]")
        await assert_matches_picture(person, f"{slug}-end", size)
        await person.type("r")
        await person.until(lambda: isinstance(person.app.screen, ReviewScreen))
        curve = person.app.screen.query_one(Curve)
        await person.until(lambda: bool(curve.values))
        await person.press("m")
        await assert_matches_picture(person, f"{slug}-review", size)


async def assert_matches_picture(person: Person, name: str, size: tuple[int, int]) -> None:
    """Compare what the screen shows with a picture, which is made where there is none."""
    await person.wait_until_drawn()
    picture = CLOCK.sub("0:00", person.app.export_screenshot())
    file = PICTURES / f"{name}-{size[0]}x{size[1]}.svg"
    if not file.exists():
        file.write_text(re.sub(r"@font-face *{[^}]*}", "", picture))  # which is on the network
        pytest.fail(f"{file.name} is new: look at it.")
    assert text_in(picture, size) == text_in(file.read_text(), size)


async def test_two_people_finish_a_game_with_hidden_choices_by_mouse() -> None:
    async with open_tui(begin("token"), seed=9) as person:
        await person.play_to_the_end(lambda: "mouse")
        assert person.local.game.series.match.outcome() is not None


async def test_letters_of_a_word_are_not_commands() -> None:
    async with open_tui(begin("tower")) as person:
        await person.type("build 4")
        assert moves(person) == ["build 4"]
        await person.type("b")
        await person.sees("Typed b. Enter accepts it.")
        await person.press("enter")
        await person.type("4")
        await person.type("attack")
        assert moves(person) == ["build 4", "build 4", "attack"]
        await person.type("u")
        assert person.local.game.number == 2


async def test_only_legal_moves_can_be_chosen() -> None:
    async with open_tui(begin("tower")) as person:
        assert person.offered() == ["1", "2", "4"]  # there is nothing to attack yet
        await person.type("a")
        assert person.local.game.number == 0
        await person.type("3")
        await person.sees("'3' is not one of the choices.")
        await person.click_board("attack")  # which would be a click on the other tower
        assert person.local.game.number == 0
        await person.type("4")
        assert person.local.game.number == 1
        assert person.offered() == ["build", "attack"]


async def test_clicks_on_the_board_enter_a_move() -> None:
    async with open_tui(begin("galaxy")) as person:
        await person.click_board("ship 5")
        assert person.local.choice.pieces == ("ship 5",)
        await person.click_board("ship 6")  # no move has both
        assert person.local.choice.pieces == ("ship 5",)
        await person.click_board("planet 3")
        assert moves(person) == ["planet 3 ship 5"]
    async with open_tui(begin("capture")) as person:
        await person.click_board("move 2")
        assert moves(person) == ["move 2"]


async def test_worker_results_are_dropped_after_leaving_a_screen() -> None:
    async with open_tui(begin("token", "random")) as person:
        screen, shown = person.local, list[str]()
        show = person.app.show_from_thread
        await asyncio.to_thread(show, screen, lambda: shown.append("shown"))
        await person.app.pop_screen()
        await asyncio.to_thread(show, screen, lambda: shown.append("left"))
    assert shown == ["shown"]


async def test_number_that_may_continue_waits_for_enter() -> None:
    series = begin("token", "random")
    async with open_tui(series) as person:
        await person.type("2")
        await person.type("1")
        assert person.local.game.number == 0
        await person.sees("Enter accepts it")
        await person.press("enter")
        assert person.local.game.series.match.moves[0] == "attack 1"


async def test_hidden_choices_are_not_shown_and_need_a_curtain() -> None:
    async with open_tui(begin("token", names=("Ann", "Bo"))) as person:
        await person.type("2")
        assert isinstance(person.app.screen, Curtain)
        await person.sees("Bo looks away.")
        await person.press("enter")
        await person.sees("(1-10):")
        before = await person.wait_until_drawn()
        await person.type("1")
        after = await person.wait_until_drawn()
        assert after.replace(" Typed text is hidden. Enter accepts it.", "") == before
        await person.type("0")
        assert isinstance(person.app.screen, Curtain)
        await person.sees("Ann looks away.")
        assert "10" not in await person.wait_until_drawn()
        await person.press("enter")
        await person.sees("attack ?")
        await person.sees("hidden")
        assert "attack 10" not in await person.wait_until_drawn()
        await person.press("f2")
        await person.until(lambda: "Studying" not in person.local.note)
        await person.type("3")
        await person.sees("Attacker committed 10")


async def test_private_cards_appear_only_behind_the_curtain() -> None:
    series = Series.begin(duelbook.load(str(EXAMPLES / "kuhn_poker.py")), seed=3)
    cards = ("jack", "queen", "king")
    async with open_tui(series) as person:
        await person.ready()
        assert isinstance(person.app.screen, Curtain)
        shown = await person.wait_until_drawn()
        assert not any(card in shown for card in cards)
        await person.press("enter")
        mine = [card for card in cards if card in str(person.local.game.shown)]
        assert len(mine) == 1
        await person.choose("bet", "typed")
        assert isinstance(person.app.screen, Curtain)
        shown = await person.wait_until_drawn()
        assert not any(card in shown for card in cards)


async def test_chance_moves_by_itself() -> None:
    series = Series.begin(duelbook.load(str(EXAMPLES / "pig.py")), seed=3)
    async with open_tui(series) as person:
        await person.ready()
        await person.choose("roll", "typed")
        await person.ready()
        positions = person.local.game.series.match.positions
        assert positions[1].to_move == CHANCE
        assert positions[-1].to_move != CHANCE


async def test_every_example_game_can_be_shown() -> None:
    for file in sorted(EXAMPLES.glob("*.py")):
        async with open_tui(Series.begin(duelbook.load(str(file)), seed=1)) as person:
            await person.ready()
            await person.pilot.resize_terminal(40, 12)
            await person.pilot.pause()
            assert (await person.wait_until_drawn()).strip()


async def test_undo_hint_bar_names_and_resign() -> None:
    async with open_tui(begin("tower")) as person:
        await person.type("4")
        await person.press("f2")
        await person.until(lambda: "Studying" not in person.local.note)
        assert "build" in person.local.note or "attack" in person.local.note
        await person.press("f4")
        bar = person.local.query_one(Bar)
        await person.until(lambda: bar.value is not None)
        await person.sees("Player 2 loses in 22 turns.")
        await person.press("f3")
        assert person.local.game.number == 0
        await person.press("f3")
        await person.sees("There is no move to take back.")
        await person.press("escape")
        assert isinstance(person.app.screen, ListDialog)
        await person.press("5")
        await person.press(*["backspace"] * 8, *"Ann", "enter")
        await person.press(*["backspace"] * 8, *"Bo", "enter")
        await person.sees("Ann")
        await person.press("f7")
        await person.press("2")
        await person.sees("Ann resigns, so Bo wins.")


async def test_level_of_the_computer_can_be_changed() -> None:
    async with open_tui(begin("tower", "easy")) as person:
        await person.sees("Computer (easy)")
        await person.type("4")
        await person.ready()
        assert person.local.game.number == 2
        await person.press("u")
        assert person.local.game.number == 0
        await person.press("escape", "6", "4")
        await person.sees("Computer (perfect)")


async def test_leaving_saves_and_resume_continues(home: Path) -> None:
    async with open_tui(begin("tower", "easy")) as person:
        await person.type("4")
        await person.ready()
        await person.press("f10")
    assert person.app.return_value
    assert "Continue with: duelbook resume" in person.app.return_value
    (file,) = (home / "saves").iterdir()
    async with open_tui(saves.read(file), file=file) as person:
        assert person.local.game.number == 2
        await person.type("2")
        await person.ready()
    assert len(json.loads(file.read_text())["games"][0]["moves"]) == 4


async def test_ctrl_c_leaves_from_anywhere(home: Path) -> None:
    async with open_tui(begin("island")) as person:
        await person.press("escape", "ctrl+c")
    assert person.app.interrupted
    assert saved(home).match.moves == ()


async def test_play_again_and_swap_seats() -> None:
    async with open_tui(begin("capture", "random", names=("Ann", "Bot"))) as person:
        await person.press("f7", "2")
        await person.ready()
        await person.type("s")
        await person.ready()
        series = person.local.game.series
        assert (series.names, series.players) == (("Bot", "Ann"), ("random", "person"))
        await person.press("f7", "2")
        await person.type("a")
        await person.ready()
        assert person.local.game.series.players == ("random", "person")


async def test_match_continues_with_the_next_game() -> None:
    async with open_tui(begin("island", best_of=3)) as person:
        await person.press("f7", "2")
        await person.sees("Score: Player 1 has 0, Player 2 has 1.")
        await person.type("n")
        await person.sees("game 2 of 3")
        assert person.local.game.series.match.first == 1


async def test_game_is_chosen_in_the_tui() -> None:
    async with open_tui(None) as person:
        assert isinstance(person.app.screen, ListDialog)
        await person.sees("Galaxy Conquest")
        await person.press("5")
        await person.press("down", "enter")
        await person.press("2")
        await person.ready()
        assert person.local.game.series.players == ("easy", "person")
        assert person.local.game.game.slug == "tower-defense-duel"


async def test_keys_and_rules_pages_open() -> None:
    async with open_tui(begin("tower")) as person:
        await person.press("question_mark")
        assert isinstance(person.app.screen, PageDialog)
        await person.sees("F3 or u   undo")
        await person.press("escape", "f8")
        await person.sees("Two towers, one mark at 15.")
        assert "TD-4" not in await person.wait_until_drawn()


async def test_no_color_disables_all_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")
    async with open_tui(begin("tower")) as person:
        assert "#56b6d8" in person.app.export_screenshot()
    monkeypatch.setenv("NO_COLOR", "1")
    async with open_tui(begin("tower")) as person:
        assert "#56b6d8" not in person.app.export_screenshot()
        assert person.app.theme.startswith("ansi-")
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("COLORFGBG", "0;15")
    async with open_tui(begin("tower"), look="") as person:
        assert not person.app.current_theme.dark


async def test_resizing_preserves_the_choice() -> None:
    async with open_tui(begin("galaxy")) as person:
        await person.type("7")
        for size in [(40, 12), (20, 6), (200, 60), SMALL]:
            await person.pilot.resize_terminal(*size)
            await person.pilot.pause()
        await person.sees("Enter the ship number to deploy")
        await person.type("5")
        assert moves(person) == ["planet 7 ship 5"]


async def test_review_shows_better_moves() -> None:
    async with open_tui(begin("capture", names=("Ann", "Bo"))) as person:
        for move in "12222":  # the last one loses, and 1 would not
            await person.choose(move, "typed")
        await person.press("f7", "2")
        await person.ready()
        await person.type("r")
        review = person.app.screen
        assert isinstance(review, ReviewScreen)
        await person.until(lambda: bool(review.query_one(Curve).values))
        assert len(review.values) == 6
        await person.press("m")
        assert (review.at, review.mistakes) == (5, [5])
        await person.sees("5. Ann: move 2")
        await person.sees("mistake: loses in")
        await person.sees("; better: move 1, which leaves no forced win")
        await person.press("home")
        await person.sees("The start.")
        await person.press("right", "right", "left", "end", "escape")
        await person.ready()


KEYS = [
    *("left", "right", "up", "down", "enter", "backspace", "delete", "escape", "tab", "shift+tab"),
    *("f1", "f2", "f3", "f4", "f4", "f5", "f6", "f7", "f8", "f9", "f11", "f12", "f13", "f24"),
    *("pageup", "pagedown", "home", "end", "insert", "ctrl+left", "shift+up", "ctrl+shift+down"),
    *("ctrl+a", "ctrl+w", "ctrl+l", "ctrl+p", "ctrl+backslash", "ctrl+@", "alt+x", "super+k"),
]


@pytest.fixture
def oracle(slug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a large game know its solution, which a hint or the bar would make first."""
    game = duelbook.load(slug)
    if game.vectors:
        monkeypatch.setitem(levels._oracles, game, shared_solution(game))  # noqa: SLF001 # as above


@pytest.mark.slow
@pytest.mark.parametrize("slug", SLUGS)
async def test_random_input_does_not_crash_or_hang(slug: str, oracle: None) -> None:
    game = duelbook.load(slug)
    typed = [one.decode(errors="replace")[:30] for one in bad_inputs.inputs(game)]
    await endure(
        slug,
        [
            partial(type_and_close, text=text)
            for text in [*typed, *bad_inputs.incomplete_moves(game)]
        ],
    )


@pytest.mark.parametrize("slug", SLUGS)
async def test_no_key_click_paste_or_size_crashes_or_hangs(slug: str, oracle: None) -> None:
    random = Random(slug)
    texts = [one.decode(errors="replace") for one in bad_inputs.inputs(duelbook.load(slug))]
    places = [(random.randrange(-2, 90), random.randrange(-2, 30)) for _ in range(60)]
    sizes = [(random.randrange(1, 200), random.randrange(1, 60)) for _ in range(30)]
    deeds: list[Deed] = [
        *(partial(press_and_close, key=key) for key in KEYS),
        *(partial(paste_and_close, text=text) for text in texts),
        *(partial(click_and_close, x=x, y=y) for x, y in places),
        partial(resize, sizes=sizes),
    ]
    random.shuffle(deeds)
    await endure(slug, deeds)


Deed = Callable[[Person], Awaitable[None]]


async def endure(slug: str, deeds: Iterable[Deed]) -> None:
    """Do one action after the other, in a new app when a game is over or was left; then play."""
    left = deque(deeds)
    while left:
        async with open_tui(begin(slug)) as person:
            while left and person.app.is_running and not is_over(person):
                await left.popleft()(person)
            if person.app.is_running and not is_over(person):
                await person.pilot.resize_terminal(*SMALL)
                await person.play_to_the_end(lambda: "arrows")
        assert not person.app.return_code


def is_over(person: Person) -> bool:
    return isinstance(person.app.screen, GameScreen) and person.local.game.is_over


async def type_and_close(person: Person, text: str) -> None:
    await person.press(*text, one_by_one=False)
    await close(person)


async def press_and_close(person: Person, key: str) -> None:
    await person.press(key)
    await close(person)


async def paste_and_close(person: Person, text: str) -> None:
    person.app.post_message(events.Paste(text))
    await person.wait_until_idle()
    await close(person)


async def click_and_close(person: Person, x: int, y: int) -> None:
    await person.click_at(x, y)
    await close(person)


async def resize(person: Person, sizes: list[tuple[int, int]]) -> None:
    for width, height in sizes:
        person.app.post_message(events.Resize(Size(width, height), Size(width, height)))
    await person.wait_until_idle()


async def close(person: Person) -> None:
    """Close the dialogs over the game."""
    while person.app.is_running and not isinstance(person.app.screen, GameScreen):
        await person.press("enter" if isinstance(person.app.screen, Curtain) else "escape")
