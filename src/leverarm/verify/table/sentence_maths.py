"""Mathematics inside sentences: which words of "V_1 (theta1): -m2 a1 s2 thetad2^2" are letters of formulas.

Sentences of the table are plain text; pages set these words as mathematics and leave the others as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from leverarm.model import Arm
from leverarm.notation.latex_names import name_latex
from leverarm.notation.names import GREEK, dotted, split_name

_WORD = re.compile(r"(?<![\w.^])([A-Za-z]\w*)(?:\^(T|\d+))?(?!\w|\.\w)")
_INDEXED = re.compile(rf"({'|'.join(sorted(GREEK, key=len, reverse=True))}|[A-Za-z])(d{{0,2}})_?(\d+|[bdijkm])")
_MINUS = re.compile(r"(?<![^\s(|])-(?=\s|\d|$)")
LETTERS = {name: (name, 0) for name in ("M", "V", "G", "F", "W", "S", "H", "K", "P", "q", "tau", "phi", "rho")}
LETTERS |= {"Mdot": ("M", 1), "qd": ("q", 1), "qdd": ("q", 2)}
"""Those of the robot equation, each with its dots."""
ENGLISH = {"a", "I"}
"""Words that an arm's symbol may be called too."""


def set_maths(sentence: str, arm: Arm, plain: Callable[[str], str], maths: Callable[[str], str]) -> str:
    """The sentence with its words set by `plain`, and the LaTeX of its formulas' letters by `maths`."""
    pieces = _pieces(sentence, arm)
    return "".join(maths(text) if is_maths else plain(_MINUS.sub("−", text)) for is_maths, text in pieces)


def _pieces(sentence: str, arm: Arm) -> Iterator[tuple[bool, str]]:
    """The parts of the sentence, in order: (True, LaTeX) or (False, text)."""
    letters, at = _letters(arm), 0
    for match in _WORD.finditer(sentence):
        latex = _latex(match[1], letters)
        if latex is None:
            continue
        yield False, sentence[at : match.start()]
        yield True, f"{latex}^{{{match[2]}}}" if match[2] else latex
        at = match.end()
    yield False, sentence[at:]


def _letters(arm: Arm) -> dict[str, tuple[str, int]]:
    """What the names of the arm's coordinates, their speeds and its symbols stand for; whole words stay words."""
    own = [name for name in (*arm.coordinates, *arm.defaults) if not split_name(name).is_word]
    made = {dotted(name, dots): (name, dots) for name in own for dots in (2, 1, 0)}
    return {word: parts for word, parts in (LETTERS | made).items() if word not in ENGLISH}


def _latex(word: str, letters: dict[str, tuple[str, int]]) -> str | None:
    """The LaTeX of a word that is a letter of a formula; None of any other."""
    if word in letters:
        return name_latex(*letters[word])
    if found := _INDEXED.fullmatch(word):
        return name_latex(f"{found[1]}_{found[3]}", len(found[2]))
    return None
