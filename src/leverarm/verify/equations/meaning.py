"""What a written name can stand for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from leverarm.reading.tree import Name
from leverarm.verify.equations.values import Value

Find = Callable[[], Value]


@dataclass(frozen=True, slots=True)
class Meaning:
    """One thing that a name can stand for. The value is computed when it is asked for.

    `kind` tells readings apart that all names of a family share: c_1 and c_12 are both cosines, or both entries of C.
    `said` is what the name was taken for, where that is not plain: L_1 for the arm's "a1". A loose reading is of a
    letter that writers as well use for something of their own, such as h. `defined` is the name, with its dots, that
    the document itself defines: how its formula is read depends on where it is used.
    """

    kind: str
    about: str
    find: Find
    said: str = ""
    is_loose: bool = False
    defined: Name | None = None


Family = tuple[str, str, str, str]
"""Names that share their reading: letter, style, the pattern of the index and how the name is used."""


def pattern(lower: str) -> str:
    """An index with every digit alike: "c1" and "c2" are "c0"."""
    return "".join("0" if c.isdigit() else c for c in lower)


def spelled(name: Name) -> str:
    """The name as one word without marks: L_{c_1} is Lc1."""
    return plain(f"{name.letter}{name.lower}{name.upper}")


@lru_cache(maxsize=4096)
def plain(word: str) -> str:
    """A word without underscores, braces and other marks between its letters."""
    return "".join(c for c in word if c.isalnum())


def shown(name: Name) -> str:
    """The name in ASCII as it is told to a reader: L_1, q_1', M."""
    index = f"_{name.lower}" if name.lower else ""
    above = f"^{name.upper}" if name.upper else ""
    return f"{name.letter}{index}{above}{chr(39) * name.dots}"
