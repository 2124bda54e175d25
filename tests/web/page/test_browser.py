"""People at real browsers: whole games, with interruptions."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal

import httpx
import pytest
from conftest import Serve
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Route, WebSocket, expect

import axe
import duelbook
from duelbook import Match
from duelbook.listener import Listener
from duelbook.play import saves
from online import UNLIMITED, begin
from paths import ROOT, TESTS
from servers import TIMEOUT_SECONDS, Server, running

pytestmark = pytest.mark.integration

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
ACCESSIBILITY = (TESTS / "support/accessibility.js").read_text(encoding="utf-8")
EXAMPLES = ROOT / "examples" / "games"
GAMES = duelbook.list_games()
TOWER = "tower-defense-duel"
TO_THE_END = [*["build 4", "build 1"] * 3, "build 2", "build 1", "build 1"]
DRAWN = """() => [...document.querySelectorAll(".game-card")].every((card) => {
  const { top, bottom } = card.getBoundingClientRect();
  return top > innerHeight || bottom < 0 || card.querySelector("svg.picture *");
})"""
"""Whether all visible pictures of the home page are drawn."""
expect.set_options(timeout=TIMEOUT_SECONDS * 1000)


def short_game(game: type[duelbook.Position]) -> Match:
    """Return the shortest of some random games."""

    def played(seed: int) -> Match:
        draw, match = random.Random(seed), Match.begin(game)
        while match.position.moves():
            match = match.play(draw.choice(match.position.moves()))
        return match

    return min(map(played, range(60)), key=lambda match: len(match.moves))


class Person:
    """A person with a browser, the received messages, and the errors of the browser."""

    def __init__(self, browser: Browser, server: Server, name: str, **options: Any) -> None:  # noqa: ANN401 # as Playwright takes them
        self.name, self.server = name, server
        self.received: list[str] = []
        self.errors: list[str] = []
        self.server_is_down = False  # then failed connections are no errors
        usual: dict[str, Any] = {"reduced_motion": "reduce", "service_workers": "block"}
        options = usual | {"viewport": {"width": 1280, "height": 900}} | options
        self.context = browser.new_context(base_url=server.url, **options)
        self.context.set_default_timeout(TIMEOUT_SECONDS * 1000)
        self.page: Page = self.context.new_page()
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("websocket", self._listen)

    def _console(self, message: ConsoleMessage) -> None:
        text = f"{message.text} {message.location}"
        lost = self.server_is_down and ("net::ERR_" in text or "/live" in text)
        blocked = "Service Worker registration blocked by Playwright" in text
        if message.type in ("error", "warning") and not lost and not blocked:
            self.errors.append(text)

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda payload: self.received.append(str(payload)))

    def record_responses(self) -> None:
        """Record all later responses that depend on the game."""

        def forward(route: Route) -> None:
            response = route.fetch()
            self.received.append(f"{response.headers} {response.text()}")
            route.fulfill(response=response)

        self.page.route(lambda url: "/static/" not in url, forward)

    # Actions ------------------------------------------------------------------------------------

    def part(self, name: str) -> Locator:
        """Return a part of the page by its name for tests."""
        return self.page.get_by_test_id(name)

    def open_options(self, book: str) -> None:
        """Click on the options of a game after all pictures are drawn."""
        options = self.part(f"options-{book}")
        options.scroll_into_view_if_needed()
        self.page.wait_for_function(DRAWN)
        options.click()

    def begin(self, book: str, mode: str, **choices: str) -> str:
        """Choose a game and set it up; return the address of the game."""
        self.page.goto("/")
        self.open_options(book)
        for field, value in {"mode": mode, **choices}.items():
            self.page.locator(f"label:has(input[name={field}][value={value}])").click()
        self.page.locator("input[name=name]").fill(self.name)
        self.part("start").click()
        self.page.wait_for_url("**/g/*")
        return self.page.url

    def join(self, address: str) -> None:
        """Take the open seat of a game."""
        self.page.goto(address)
        self.page.locator("form input[name=name]").fill(self.name)
        self.part("sit-down").click()
        expect(self.part("sit-down")).to_have_count(0)
        own_card = self.page.locator(".player .about").filter(has_text=re.compile("^you"))
        expect(own_card).to_have_count(1)  # no longer a spectator

    def is_to_move(self) -> None:
        """Wait for the turn of this player."""
        expect(self.part("state")).to_have_text("Your turn")

    def play(self, move: str) -> None:
        """Click on a move, as a whole or word by word."""
        self.is_to_move()
        options = self.part("options")
        expect(options.locator("button:enabled").first).to_be_visible()
        button = options.locator(f'[data-move="{move}"]')
        if not button.count():
            for word in move.split()[:-1]:
                if options.locator(f'[data-word="{word}"]:not([data-move])').count():
                    options.locator(f'[data-word="{word}"]').click()
        button.click()

    def type(self, move: str) -> None:
        """Type a move."""
        self.is_to_move()
        self.part("typed-move").fill(move)
        self.part("typed-move").press("Enter")

    def sees(self, *texts: str) -> None:
        """Wait until the log contains a text."""
        for text in texts:
            expect(self.part("story")).to_contain_text(text)

    def sees_moves(self, count: int) -> None:
        """Wait until `count` moves are listed."""
        expect(self.part("moves").locator("li")).to_have_count(count)

    def sees_end(self, text: str) -> None:
        """Wait until the game is over and someone has won it."""
        expect(self.part("state")).to_have_text(text)


People = Callable[..., Person]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    game = ("--game", str(EXAMPLES / "kuhn_poker.py"))
    hasty = ("--first-move", "0.3", "--away", "0.3")
    with running(Server(tmp_path_factory.mktemp("server"), *UNLIMITED, *game, *hasty)) as server:
        yield server


@pytest.fixture
def people(browser: Browser, server: Server) -> Iterator[People]:
    """Create people, and check after the test that no browser reported an error."""
    created: list[Person] = []

    def create(name: str, server: Server = server, **options: object) -> Person:
        created.append(Person(browser, server, name, **options))
        return created[-1]

    yield create
    for person in created:
        person.context.close()
    assert [person.errors for person in created] == [[] for _ in created]


@pytest.fixture
def pair(people: People) -> tuple[Person, Person]:
    """Ann and Bo at a game of Tower Defense Duel, Ann to move."""
    return start_with_two(people, TOWER)


def start_with_two(people: People, book: str, **options: object) -> tuple[Person, Person]:
    """Return two people at a game."""
    ann, bo = people("Ann", **options), people("Bo", **options)
    bo.join(ann.begin(book, "friend"))
    return ann, bo


# Games ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))
def test_two_people_play_a_game_to_its_end(people: People, game: type[duelbook.Position]) -> None:
    match = short_game(game)
    both = start_with_two(people, game.slug)
    for number, (position, move) in enumerate(zip(match.positions, match.moves, strict=False)):
        both[position.to_move].play(move)
        if number + 1 < len(match.moves):
            for person in both:
                person.sees_moves(number + 1)
    winner = match.winner()
    assert winner is not None
    for seat, person in enumerate(both):
        person.sees_end("You win" if seat == winner else f"{both[winner].name} wins")
        reader = Listener(("Ann", "Bo"), seat)
        steps = zip(match.positions, match.moves, match.positions[1:], strict=False)
        sentences = [before.tell_to(reader, move, after) for before, move, after in steps]
        expect(person.part("story").locator("p")).to_have_text(
            [re.compile("^Welcome to "), *sentences, match.end_reason(reader)]
        )
        expect(person.part("review")).to_be_visible()
        expect(person.part("analysis").locator("li, p").first).not_to_contain_text("Analysing")


def test_a_player_can_abort_or_claim_when_the_opponent_is_absent(people: People) -> None:
    ann, bo = people("Ann"), people("Bo", viewport={"width": 360, "height": 740})

    def begin() -> None:
        ann.page.goto("/")
        ann.open_options(TOWER)
        ann.page.locator("label:has(input[name=mode][value=friend])").click()
        ann.page.locator("select[name=clock]").select_option(index=1)
        ann.page.locator("input[name=name]").fill("Ann")
        ann.part("start").click()
        ann.page.wait_for_url("**/g/*")
        bo.join(ann.page.url)

    begin()
    expect(ann.part("overdue")).to_contain_text("Make your first move")
    expect(bo.part("overdue")).to_contain_text("Ann has not moved yet.")
    expect(bo.part("abort-the-game")).to_be_in_viewport(ratio=1)
    bo.part("abort-the-game").click()
    for person in (ann, bo):
        person.sees_end("The game is aborted")
        person.sees("The game is aborted: nobody wins.")
        expect(person.part("overdue")).to_be_empty()
    begin()
    ann.play("build 4")
    bo.play("build 1")
    ann.is_to_move()
    expect(bo.part("overdue")).to_be_empty()
    ann.page.goto("about:blank")
    expect(bo.part("overdue")).to_contain_text("Ann has left.")
    for claim in ("claim-draw", "claim-victory"):
        expect(bo.part(claim)).to_be_in_viewport(ratio=1)
    bo.part("claim-victory").click()
    bo.sees_end("You win")
    bo.sees("Ann has left the game, so you win.")


def test_the_computer_plays_and_allows_takebacks(people: People) -> None:
    ann = people("Ann")
    ann.begin(TOWER, "computer", level="easy")
    ann.play("build 4")
    ann.sees_moves(2)
    ann.part("takeback").click()
    ann.sees_moves(0)
    moves = 0
    while ann.part("review").count() == 0:
        ann.is_to_move()
        ann.part("options").locator("button").first.click()
        moves += 2
        over = ann.part("review").or_(ann.part("moves").locator(f"li:nth-child({moves})"))
        expect(over.first).to_be_attached()
    expect(ann.part("state")).to_have_text(re.compile("^(You win|The computer wins)$"))
    assert "Player 1" not in ann.page.locator("main").inner_text()
    old = ann.page.url
    ann.part("rematch").click()
    ann.page.wait_for_url(lambda url: url != old)


def test_a_game_can_be_played_with_the_keyboard(people: People) -> None:
    ann = people("Ann")
    keys = ann.page.keyboard
    ann.page.goto("/")
    expect(ann.part(f"book-{TOWER}")).to_be_visible()
    tab_to(ann, f"[data-testid=options-{TOWER}]")
    keys.press("Enter")
    expect(ann.part("start")).to_be_visible()
    tab_to(ann, "input[name=mode]")
    keys.press("ArrowDown")
    keys.press("ArrowDown")  # from the computer to each other at this device
    tab_to(ann, "[data-testid=start]")
    keys.press("Enter")
    ann.page.wait_for_url("**/g/*")
    for number, move in enumerate(TO_THE_END):
        expect(ann.part("options").locator(f'[data-move="{move}"]:enabled')).to_be_visible()
        if number % 2:
            tab_to(ann, f'[data-testid=options] [data-move="{move}"]')
        else:
            tab_to(ann, "[data-testid=typed-move]")
            keys.type(move)
        keys.press("Enter")
        if number + 1 < len(TO_THE_END):
            ann.sees_moves(number + 1)
    expect(ann.part("state")).to_contain_text("wins")


def tab_to(person: Person, selector: str) -> None:
    """Press Tab until an element has the focus; each focus on the way must be visible."""
    for _ in range(80):
        found = person.page.evaluate(
            """(selector) => {
              const node = document.activeElement;
              const seen = [node, ...(node.labels ?? []), node.nextElementSibling].filter(Boolean);
              const styles = seen.map((one) => getComputedStyle(one));
              const drawn = node instanceof SVGElement ? [...node.querySelectorAll("*")] : [];
              const halo = drawn.map((one) => getComputedStyle(one));
              const ring = styles.some((s) => s.boxShadow !== "none" ||
                (s.outlineStyle !== "none" && Number.parseFloat(s.outlineWidth) > 0)) ||
                halo.some((s) => s.stroke !== "none" && Number.parseFloat(s.strokeWidth) >= 3);
              return [node.matches(selector), ring || node === document.body, node.outerHTML];
            }""",
            selector,
        )
        assert found[1], f"the focus cannot be seen: {found[2]:.200}"
        if found[0]:
            return
        person.page.keyboard.press("Tab")
    pytest.fail(f"{selector} is not reached")


def test_a_picture_can_be_clicked_word_by_word(people: People) -> None:
    both = start_with_two(people, "token-tactics")
    both[0].is_to_move()
    both[0].part("options").get_by_role("button", name="attack").click()
    both[0].part("options").locator('[data-move="attack 6"]').click()
    both[1].is_to_move()
    pieces = both[1].part("picture").locator("[data-says][tabindex='0']")
    if pieces.count():
        pieces.first.click()
    both[1].type("defend 2")
    both[0].sees("You attack with 6 tokens, Bo defends with 2.")
    both[1].sees("Ann attacks with 6 tokens, you defend with 2.")


def test_an_illegal_move_is_refused_in_the_books_words(pair: tuple[Person, Person]) -> None:
    ann, _ = pair
    ann.type("attack")
    expect(ann.part("refusal")).to_contain_text("you must build")
    ann.play("build 4")


def test_a_double_click_on_the_picture_makes_one_move(people: People) -> None:
    ann, bo = start_with_two(people, "token-tactics")
    ann.page.clock.install()
    ann.page.reload()
    ann.is_to_move()
    ann.page.clock.pause_at("2100-01-01")
    reserve = ann.part("picture").locator("[data-says='fortify']")
    reserve.click()
    bo.play("fortify")
    ann.is_to_move()
    reserve.hover()
    ann.page.mouse.down(click_count=2)
    ann.page.mouse.up(click_count=2)
    ann.sees_moves(2)
    ann.is_to_move()
    reserve.click()
    ann.sees_moves(3)


def test_a_stray_key_makes_no_move(pair: tuple[Person, Person]) -> None:
    ann, bo = pair
    expect(bo.part("state")).to_have_text("Ann is to move")
    bo.page.mouse.click(5, 5)
    ann.play("build 4")
    bo.is_to_move()
    expect(bo.part("options")).to_be_focused()
    for key in ("Enter", "Space"):
        bo.page.keyboard.press(key)
    bo.is_to_move()
    bo.sees_moves(1)


@pytest.mark.parametrize(
    ("book", "answers", "move"),
    [
        ("island-conquest", ["yes", "3"], "fortify 3"),
        ("island-conquest", ["n", "2"], "rise 2"),
        ("token-tactics", ["2", "6"], "attack 6"),
        ("token-tactics", ["1"], "fortify"),
        ("galaxy-conquest", ["3 1"], "planet 3 ship 1"),
    ],
)
def test_the_books_answers_can_be_typed(
    people: People, book: str, answers: list[str], move: str
) -> None:
    ann, _ = start_with_two(people, book)
    for answer in answers:
        ann.type(answer)
    expect(ann.part("moves").locator("li").first).to_contain_text(move)


def test_a_refused_answer_lists_the_possible_answers(people: People) -> None:
    ann, _ = start_with_two(people, "island-conquest")
    ann.type("maybe")
    expect(ann.part("refusal")).to_contain_text("yes (fortify) or no (rise)")
    ann.part("options").get_by_role("button", name="yes: fortify").click()
    ann.type("9")
    expect(ann.part("refusal")).to_contain_text("a number from 1 to 5")
    ann.type("5")
    expect(ann.part("moves")).to_contain_text("fortify 5")


def test_a_hidden_choice_at_one_device_is_behind_a_curtain(people: People) -> None:
    ann = people("Ann")
    ann.begin("token-tactics", "device")
    expect(ann.part("open-curtain")).to_contain_text("Ann")
    expect(ann.part("options").locator("button").first).to_be_hidden()
    ann.part("open-curtain").click()
    ann.part("typed-move").fill("attack 6")
    ann.part("typed-move").press("Enter")
    expect(ann.part("open-curtain")).to_contain_text("Player 2")
    expect(ann.part("moves")).to_contain_text("attack ?")
    assert "attack 6" not in ann.page.content()
    ann.part("open-curtain").click()
    ann.part("typed-move").fill("defend 2")
    ann.part("typed-move").press("Enter")
    ann.sees("Ann attacks with 6 tokens, Player 2 defends with 2.")


# What happens in between ------------------------------------------------------------------------


def test_chance_deals_and_is_checked_at_the_end(people: People) -> None:
    ann, bo = start_with_two(people, "kuhn-poker")
    ann.sees_moves(2)
    expect(ann.part("moves").locator("li").nth(1)).to_contain_text("Chance: deal ?")
    expect(bo.part("moves").locator("li").nth(0)).to_contain_text("Chance: deal ?")
    ann.play("bet")
    bo.page.reload()
    bo.play("bet")
    for person in (ann, bo):
        expect(person.part("state")).to_have_text(re.compile(r"^(You win|Ann wins|Bo wins) 2$"))
        expect(person.part("analysis")).not_to_contain_text("Analysing")
        expect(person.part("fairness")).to_have_text(
            "The chance outcomes were fair: all 2 follow from the seed that the server promised"
            " before the game."
        )


def test_a_changed_seed_commitment_is_reported(people: People) -> None:
    ann, bo = start_with_two(people, "kuhn-poker")
    ann.sees_moves(2)
    ann.page.evaluate(
        """() => {
          const seats = JSON.parse(localStorage["duelbook.seats"]);
          for (const seat of Object.values(seats)) seat.promise = "0".repeat(64);
          localStorage["duelbook.seats"] = JSON.stringify(seats);
        }"""
    )
    ann.page.reload()
    ann.play("bet")
    bo.play("pass")
    expect(ann.part("fairness")).to_contain_text("Warning, the chance outcomes were not fair")
    expect(bo.part("fairness")).to_contain_text("The chance outcomes were fair")


def test_two_players_at_one_device_see_only_their_own_cards(people: People) -> None:
    ann = people("Ann")
    ann.begin("kuhn-poker", "device")
    cards = re.compile("jack|queen|king")
    for move in ("pass", "bet", "pass"):
        expect(ann.part("curtain")).to_be_visible()
        expect(ann.part("picture")).not_to_have_text(cards)
        # The page may show the first frame before it is noted here.
        assert not any(cards.search(frame) for frame in ann.received[-1:])
        ann.part("open-curtain").click()
        expect(ann.part("picture")).to_have_text(cards)
        ann.part("options").locator(f'[data-move="{move}"]').click()
    expect(ann.part("state")).to_have_text("Player 2 wins 1")


def test_a_reload_changes_nothing(pair: tuple[Person, Person]) -> None:
    ann, bo = pair
    ann.play("build 4")
    bo.play("build 2")
    ann.sees_moves(2)
    before = ann.part("story").inner_text()
    ann.page.reload()
    ann.is_to_move()
    assert ann.part("story").inner_text() == before
    ann.play("build 1")
    bo.page.reload()
    bo.sees_moves(3)
    bo.play("build 1")


def test_two_tabs_of_a_seat_show_the_same_state(pair: tuple[Person, Person]) -> None:
    ann, bo = pair
    tab = ann.context.new_page()
    tab.goto(ann.page.url)
    expect(tab.get_by_test_id("state")).to_have_text("Your turn")
    ann.play("build 4")
    expect(tab.get_by_test_id("moves").locator("li")).to_have_count(1)
    bo.play("build 2")
    tab.get_by_test_id("options").locator('[data-move="build 1"]').click()
    for person in pair:
        person.sees_moves(3)


def test_the_page_reconnects_after_a_server_restart(people: People, serve: Serve) -> None:
    server = serve(*UNLIMITED)
    ann, bo = start_with_two(people, TOWER, server=server)
    ann.play("build 4")
    bo.is_to_move()
    for person in (ann, bo):
        person.server_is_down = True
    server.kill()
    for person in (ann, bo):
        expect(person.page.locator("#connection")).to_contain_text("lost")
    server.start()
    for person in (ann, bo):
        expect(person.page.locator("#connection")).to_be_empty()
        person.server_is_down = False
    bo.play("build 2")
    ann.play("build 1")
    bo.sees_moves(3)


def test_a_spectator_sees_the_game_and_is_counted(
    people: People, pair: tuple[Person, Person]
) -> None:
    ann, bo = pair
    cy = people("Cy")
    cy.page.goto(ann.page.url)
    expect(ann.part("watching")).to_have_text("1 spectator")
    expect(cy.part("player-0")).to_contain_text("online")
    expect(cy.part("watching")).to_be_empty()
    ann.play("build 4")
    bo.play("build 2")
    cy.sees_moves(2)
    cy.sees("Ann builds 4 units, up to 4.", "Bo builds 2 units, up to 2.")
    expect(cy.part("options")).to_be_hidden()
    expect(cy.part("resign")).to_be_hidden()
    cy.page.close()
    expect(ann.part("watching")).to_be_empty()


def test_a_rematch_swaps_the_seats(pair: tuple[Person, Person]) -> None:
    ann, bo = pair
    ann.part("resign").click()
    ann.part("resign-yes").click()
    ann.sees_end("Bo wins")
    bo.sees_end("You win")
    old = ann.page.url
    bo.part("rematch").click()
    expect(ann.page.get_by_text("Bo wants another game.")).to_be_visible()
    ann.part("rematch").click()
    for person in pair:
        person.page.wait_for_url(lambda url: "/g/" in url and url != old)
        expect(person.part("player-0")).to_contain_text("Bo")
        expect(person.part("player-1")).to_contain_text("Ann")
    bo.play("build 4")
    ann.play("build 2")


def test_a_move_is_taken_back_after_the_opponent_agrees(pair: tuple[Person, Person]) -> None:
    ann, bo = pair
    ann.play("build 4")
    bo.is_to_move()
    ann.part("takeback").click()
    bo.part("takeback-decline").click()
    expect(bo.part("takeback-decline")).to_have_count(0)
    ann.part("takeback").click()
    bo.part("takeback-allow").click()
    for person in pair:
        person.sees_moves(0)
    ann.play("build 1")


def test_help_is_shown_when_both_allow_it(pair: tuple[Person, Person]) -> None:
    for person in pair:
        person.part("allow-help").check()
    for person in pair:
        expect(person.part("evaluation")).to_be_visible()
    pair[0].part("ask-hint").click()
    expect(pair[0].part("hint")).to_contain_text("build")


# Secrets ----------------------------------------------------------------------------------------


def test_a_hidden_choice_is_not_sent_to_the_opponent(people: People) -> None:
    """Two games that differ only in the choice send the same to the opponent and a spectator."""
    received = []
    for choice in ("attack 7", "attack 8"):
        ann, bo, cy = people("Ann"), people("Bo"), people("Cy")
        for reader in (bo, cy):
            reader.record_responses()
        address = ann.begin("token-tactics", "friend")
        bo.join(address)
        cy.page.goto(address)
        expect(cy.part("state")).to_contain_text("Ann is to move")
        ann.is_to_move()
        for reader in (bo, cy):
            expect(reader.page.locator("#connection")).to_be_empty()
            reader.received.clear()  # earlier responses have no secrets
        ann.play(choice)
        expect(ann.part("moves")).to_contain_text(choice)
        for reader in (bo, cy):
            expect(reader.part("moves")).to_contain_text("attack ?")
            reader.page.reload()
        for reader in (bo, cy):
            expect(reader.part("moves")).to_contain_text("attack ?")
            expect(reader.part("watching")).to_have_text("1 spectator" if reader is bo else "")
            for seat in (0, 1):
                expect(reader.part(f"player-{seat}")).not_to_contain_text("away")
        everything = "\n".join([*bo.received, *cy.received, bo.page.content(), cy.page.content()])
        assert choice not in everything
        received.append({normalize(line, address) for line in everything.splitlines()})
        bo.type("defend 0")
        bo.sees(f"Ann attacks with {choice.split()[1]} tokens, you defend with 0.")
    assert received[0] == received[1]


def normalize(line: str, address: str) -> str:
    """Return a line without random parts: ids, secrets, times, and the order of arrival."""
    line = line.replace(address.rsplit("/", 1)[1], "ID")
    line = re.sub(r'"secret":"[^"]*"', "SECRET", line)
    line = re.sub(r"'(date|etag|last-modified)': '[^']*'", "TIME", line)
    # How long a compressed page is depends on the id in it.
    line = re.sub(r"'content-encoding': 'gzip', 'content-length': '\d+'", "COMPRESSED", line)
    # Reloading the page disconnects a player for a moment; the others may see that late.
    line = re.sub(r'(data-testid="watching">)[^<]*', r"\1", line)
    line = re.sub(r"\b(online|away)\b", "PRESENCE", line)
    return "" if '"type":"presence"' in line else line


def test_names_are_plain_text(people: People) -> None:
    name = "<img src=x onerror=a>"
    ann, bo = people(name), people("</script><b>")
    bo.join(ann.begin(TOWER, "friend"))
    ann.play("build 4")
    bo.sees(f"{name} builds 4 units, up to 4.")
    for person in (ann, bo):
        expect(person.part("player-0")).to_contain_text(name)
        assert person.page.locator("main img[src=x], main b").count() == 0


# Saves ------------------------------------------------------------------------------------------


def test_a_downloaded_game_can_be_continued(pair: tuple[Person, Person], tmp_path: Path) -> None:
    ann, bo = pair
    ann.play("build 4")
    bo.play("build 2")
    ann.is_to_move()
    game = ann.page.url.rsplit("/", 1)[1]
    continued = tmp_path / "continued.json"
    continued.write_text(
        httpx.get(f"{ann.server.url}/api/games/{game}/save", timeout=TIMEOUT_SECONDS).text
    )
    ann.part("resign").click()
    ann.part("resign-yes").click()
    with ann.page.expect_download() as download:
        ann.part("download").click()
    text = download.value.path().read_text()
    assert saves.parse(text, "the download").match.moves == ("build 4", "build 2")

    bo.page.goto("/")
    bo.part("save-file").set_input_files(continued)
    bo.page.get_by_role("button", name="Open", exact=True).click()
    bo.page.wait_for_url("**/g/*")
    bo.sees_moves(2)
    bo.part("options").locator('[data-move="build 1"]').click()
    bo.sees_moves(3)


# For everyone -----------------------------------------------------------------------------------


def finished_game(server: Server) -> str:
    """Return the path of a finished game."""
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        game = begin(http, mode="device", name="Ann", other="Bo")
        for number, move in enumerate(TO_THE_END):
            command = {"type": "play", "move": move, "answers": 0}
            shown = http.get(f"/api/games/{game['id']}").json()
            command["answers"] = shown["turn"]
            headers = {"Authorization": f"Bearer {game['secret']}"}
            answer = http.post(f"/api/games/{game['id']}/commands", json=command, headers=headers)
            assert answer.is_success, (number, answer.text)
    return f"/g/{game['id']}"


@pytest.mark.parametrize("width", [360, 1280])
def test_every_page_is_accessible(
    people: People, server: Server, tmp_path: Path, width: int
) -> None:
    ann = people("Ann", viewport={"width": width, "height": 800})
    problems = {}

    def look(name: str) -> None:
        for theme in THEMES:
            ann.page.emulate_media(color_scheme=theme)
            expect(ann.page.locator("html")).to_have_attribute("data-theme", theme)
            ann.page.screenshot(path=tmp_path / f"{name}-{width}-{theme}.png", full_page=True)
            found = ann.page.evaluate(ACCESSIBILITY)
            if axe.SCRIPT.is_file():  # most of its rules are the same in all colours
                found += axe.violations(ann.page, colours_only=theme != THEMES[0])
            if found:
                problems[f"{name}, {theme}"] = found

    ann.page.goto("/")
    expect(ann.part(f"book-{TOWER}")).to_be_visible()
    look("home")
    ann.open_options("token-tactics")
    expect(ann.part("start")).to_be_visible()
    look("setup")
    for game in GAMES:
        ann.begin(game.slug, "computer", level="easy")
        ann.is_to_move()
        look(game.slug)
    ann.begin(TOWER, "friend")
    expect(ann.part("copy-link")).to_be_visible()
    look("waiting")
    ann.part("cancel-invitation").click()
    expect(ann.part("cancelled")).to_be_visible()
    look("cancelled")
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        ann.page.goto(f"/g/{begin(http, name='Bo')['id']}")
    expect(ann.part("short-rules").locator("li")).to_have_count(3)
    look("invitation")
    ann.page.goto(finished_game(server))
    expect(ann.part("analysis").locator("li").first).to_be_visible()
    look("finished")
    ann.page.goto(f"/rules/{TOWER}")
    expect(ann.page.locator("figure svg").first).to_be_visible()
    look("rules")
    ann.page.goto("/#progress")
    expect(ann.part("progress")).to_be_visible()
    look("progress")
    ann.page.goto("/")
    expect(ann.part("my-games").locator(".standing").first).to_be_visible()
    look("home with games")
    ann.page.goto("/g/nothing")
    expect(ann.part("not-found")).to_be_visible()
    look("not found")
    ann.errors = [text for text in ann.errors if "404" not in text]
    assert not problems, json.dumps(problems, indent=1)
    if not axe.SCRIPT.is_file():
        pytest.skip(axe.MISSING)


def test_a_changed_theme_is_stored(people: People) -> None:
    ann = people("Ann", color_scheme="light")
    ann.page.goto("/")
    ann.page.locator("#theme").click()
    ann.page.reload()
    assert ann.page.evaluate("document.documentElement.dataset.theme") == "dark"
