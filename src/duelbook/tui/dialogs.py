"""Dialogs over a game: lists, questions, pages and the curtain."""

from __future__ import annotations

from collections.abc import Iterable

from rich.text import Text
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from duelbook.tui.key_commands import Item


class ListDialog(ModalScreen[str]):
    """A list for arrows, numbers and the mouse; Escape chooses nothing."""

    def __init__(self, title: str, items: Iterable[Item], *, can_leave: bool = True) -> None:
        super().__init__()
        self.head, self.items, self.can_leave = title, tuple(items), can_leave

    def compose(self) -> ComposeResult:
        """Show the title and the list."""
        keys = "Arrows and Enter, or a number" + ("; Esc goes back" if self.can_leave else "")
        with Vertical(classes="dialog"):
            yield Static(Text(self.head, "bold"))
            numbered = enumerate(self.items, start=1)
            yield OptionList(
                *(Option(_line(number, item.label), id=item.name) for number, item in numbered)
            )
            yield Static(Text(keys, "dim"))

    def on_mount(self) -> None:
        """Give the keyboard focus to the list."""
        self.query_one(OptionList).focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Choose an item."""
        self.dismiss(str(event.option.id))

    def on_key(self, event: events.Key) -> None:
        """Choose an item by its number, or nothing with Escape."""
        if event.key == "escape" and self.can_leave:
            event.stop()
            self.dismiss("")
        elif event.character and event.character in "123456789":
            at = int(event.character) - 1
            if at < len(self.items):
                event.stop()
                self.dismiss(self.items[at].name)


def _line(number: int, label: str) -> Text:
    """Return an entry of a list: its number and title, and its description below them."""
    title, _, about = label.partition("\n")
    text = Text(f"{number:>2}  {title}")
    return text.append(f"\n    {about}", "dim") if about else text


class TextDialog(ModalScreen[str | None]):
    """A question whose answer is a line of text; Escape answers nothing."""

    def __init__(self, question: str, value: str = "") -> None:
        super().__init__()
        self.question, self.value = question, value

    def compose(self) -> ComposeResult:
        """Show the question and an input line."""
        with Vertical(classes="dialog"):
            yield Static(Text(self.question, "bold"))
            yield Input(self.value)
            yield Static(Text("Enter accepts; Esc goes back", "dim"))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer with the line."""
        self.dismiss(event.value)

    def on_key(self, event: events.Key) -> None:
        """Answer nothing."""
        if event.key == "escape":
            event.stop()
            self.dismiss(None)


class PageDialog(ModalScreen[None]):
    """A text that scrolls."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def compose(self) -> ComposeResult:
        """Show the text."""
        with Vertical(classes="dialog page"):
            with VerticalScroll():
                yield Static(Text(self.text))
            yield Static(Text("Arrows scroll; Esc goes back", "dim"))

    def on_mount(self) -> None:
        """Give the keyboard focus to the text, so that the keys scroll it."""
        self.query_one(VerticalScroll).focus()

    def on_key(self, event: events.Key) -> None:
        """Go back."""
        if event.key in ("escape", "q", "enter", "question_mark"):
            event.stop()
            self.dismiss(None)


class Curtain(Screen[bool]):
    """Cover the game until only one player looks at the screen."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self.words = words

    def compose(self) -> ComposeResult:
        """Show only the request that the other player look away."""
        with Vertical(id="curtain"):
            yield Static(Text(self.words, "bold", justify="center"))
            yield Static(Text("Press Enter, or click here. Esc: menu.", "dim", justify="center"))

    def on_key(self, event: events.Key) -> None:
        """Lift the curtain, or go to the menu."""
        if event.key in ("enter", "escape"):
            event.stop()
            self.dismiss(event.key == "enter")

    def on_click(self) -> None:
        """Lift the curtain."""
        self.dismiss(True)
