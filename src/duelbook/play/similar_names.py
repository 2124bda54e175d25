"""The look of a name: whether a name is visible, and which names look alike.

The tables hold the letters that people mistake for others most often. The standard library knows
the rest: compatible forms of one character (ﬁ, ①, Ａ), upper and lower case, digits of all scripts.
"""

from __future__ import annotations

import re
from unicodedata import category, decimal, normalize

JOINERS = re.compile(
    "[\u180b-\u180d\u200c\u200d\ufe00-\ufe0f\U000e0020-\U000e007f\U000e0100-\U000e01ef]"
)
"""Characters that shape or join their neighbours (emoji, Devanagari, Persian, Mongolian, variants
of Chinese characters); by themselves they are invisible."""
BLANKS = re.compile(
    "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180f\u2800\u3164\uffa0\ufffc"
    "\U00013441\U00013442\U00016fe4\U0001d159]"
)
"""Invisible characters that Unicode counts as letters, marks or symbols."""

LATIN = {
    "Cyrillic": ("АВЕЅІЈКМНОРСТУХѴԌҮԚԜаеорсухѕіјԛԝһԁӏѵ", "ABESIJKMHOPCTYXVGYQWaeopcyxsijqwhdlv"),
    "Greek": ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹαγικνορυχϲϳ", "ABEZHIKMNOPTYXCayikvopuxcj"),
    "Armenian": ("ՕՍՏԼօոսհյ", "OUSLonuhj"),
    "Cherokee": ("ᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᏔᎩᏃᏀ", "ABCDEHJKLMPRSTVWYZG"),
    "other Latin": ("ɑɡıɩꓲ", "agiiI"),
}
"""Letters that look like Latin letters."""
ONE_LINE = str.maketrans(dict.fromkeys("I1|ǀ∣", "l") | {"0": "O"})
"""Characters that look like a small L, and the zero."""


def is_visible(name: str) -> bool:
    """Return whether a name has a base character, and no invisible characters but joiners."""
    seen = JOINERS.sub("", name)
    if BLANKS.search(seen) or not seen.isprintable():
        return False
    return any(category(character)[0] in "LNPS" for character in seen)


def alike(name: str, other: str) -> bool:
    """Return whether two names look alike, or differ only in upper and lower case."""
    return any(ours == theirs for ours, theirs in zip(forms(name), forms(other), strict=True))


def forms(name: str) -> tuple[str, str]:
    """Return the spelling and the look of a name, each in a form that is equal for alike names.

    `Ilya` has the spelling of `ilya` and the look of `llya`; `ilya` and `llya` differ in both.
    """
    latin = _in_latin(name)
    shape = latin.translate(ONE_LINE).casefold().replace("rn", "m").replace("vv", "w")
    return latin.casefold(), shape


def _in_latin(name: str) -> str:
    """Return a name without invisible characters, and with Latin letters for those like them."""
    table = {
        ord(a): b for theirs, ours in LATIN.values() for a, b in zip(theirs, ours, strict=True)
    }
    seen = BLANKS.sub("", JOINERS.sub("", normalize("NFKD", name)))
    digits = (str(decimal(letter, letter)) for letter in seen)
    return " ".join("".join(digits).translate(table).split())
