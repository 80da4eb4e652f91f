"""Which lines of plain text are formulas, and where in a line of prose one begins and ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from leverarm.notation.reading.keywords import FUNCTIONS, GREEK, OTHER_FUNCTIONS, words
from leverarm.notation.reading.measures import UNIT_WORDS

Span = tuple[int, int]
_WORD = re.compile(r"(?<![A-Za-z0-9_\\])[A-Za-z]{2,}(?![A-Za-z0-9_(\[])")
_COMMON = words(
    "the is are was of in to we by as at on or an it if so be "
    "this that with where then and for from has have can which thus hence also not no all "
    "our its you use using get gives given since when let see find here there now "
    "one obeys becomes reads satisfies yields fulfils arm rod"
)
_FORMULA_WORDS = frozenset(
    [
        *GREEK,
        *FUNCTIONS,
        *OTHER_FUNCTIONS,
        *UNIT_WORDS,
        "sum",
        "dot",
        "ddot",
        "diag",
        "inv",
        "np",
        "sp",
        "math",
        "Matrix",
    ]
)
_SKIPPED = re.compile(
    r"\s*(?:#|%|>|<[A-Za-z!/]|\||\\(?:usepackage|documentclass|newcommand|renewcommand|include|input|def|hypersetup|setlength|title|"
    r"author|section|subsection|chapter|caption|DeclareMathOperator|bibliography|item\s*\[)|(?:import|from|def|return|for|while|if|elif|class|assert|function|print)\b)"
)
_MADE = re.compile(
    r"=\s*(?:[a-z]+\.)?(?:zeros|ones|empty|eye|symbols|dynamicsymbols|Symbol|Function|linspace|sym|syms)\s*\("
)
"""Lines of programs that only make room, or letters: M = np.zeros((2, 2))."""
_ROW = re.compile(r"\s*\|.*\|.*\|\s*\Z")
_CELL = re.compile(r"[^|]+")
_OF_TABLE = re.compile(r"[\s:=-]*")
_RULE = re.compile(r"\s*[=*_#~-]{4,}\s*$")
_ADDRESS = re.compile(r"https?://|www\.|<[a-z]+ [a-z]+=")
_PREFIX = re.compile(
    r"\s*(?:\*\*[^*\n]{1,60}\*\*[ .:]*|[-*\u2022\u25b6\u2023\u25aa]\s+|\(?[0-9]{1,3}[.)]\s+|\(?[a-z]\)\s+"
    r"|[A-Za-z][A-Za-z .0-9-]{0,40}(?:\([0-9.a-z]+\))?:\s+|[^\s=:\\$|&()\[\]{}][^=:\\$|&()\[\]{}]{0,60}:\s+)"
)
_NUMBER = re.compile(r"\s\s\(\s*[0-9][0-9.]{0,8}[a-z]?\s*\)$")
_NAME_AHEAD = re.compile(r"\s+[A-Za-z\\$(][\w{}\\.^'*]*\s*=")
_ENDS_TERM = re.compile(r"[\w)\]}$]$")
_COLON = re.compile(r"(?<==)[^=:]*:\s(?=[^:]*=)|\.\s+(?=[A-Za-z\\][\w{}\\^']*\s*=)")
_BETWEEN = re.compile(r"[\s,;:.]*(?:[a-z]{2,}:\s+)?")
_AFTER_BRACKET = re.compile(r"\s*(?:[,;:.]|\Z)")
_UNSAID = re.compile(r"(?:^|[;,])\s*[A-Za-z]\w{0,9}\s*=\s*\Z")
"""A name of which only words say what it is: w = the rates of q."""
_RATE = re.compile(r"[A-Za-z]{1,3}d{1,2}ot")
EQUAL = re.compile(r"(?<![<>!=])=|\u2261|\\equiv|\\triangleq|\bEq\(")
_GOES_ON = re.compile(r"\s*(?:[-+*/=&]|\\cdot|\\times|\\left|\\right|\u2212)")
_BRACKETS = re.compile(r"[(\[{]|[)\]}]")


def formulas_in(line: str, start: int) -> list[Span]:
    """Where in the text the formulas of one line stand, if it has any; prose around them is left out."""
    if EQUAL.search(line) is None or _RULE.match(line):
        return []
    if _ROW.match(line):
        cells = [found for found in _CELL.finditer(line) if not _OF_TABLE.fullmatch(found.group())]
        return [span for cell in cells for span in formulas_in(cell.group(), start + cell.start())]
    if _SKIPPED.match(line) or _ADDRESS.search(line) or _MADE.search(line):
        return []
    begin = _after_prefix(line)
    stop = _end(line)
    result: list[Span] = []
    for first, last in _between_prose(line, begin, stop):
        if EQUAL.search(line, first, last):
            result += _between_colons(line, first, last)
    return [(start + first, start + last) for first, last in result]


def _between_colons(line: str, first: int, last: int) -> Iterator[Span]:
    """A stretch of formulas without what stands around it; a colon or full stop parts it from the next."""
    edges = [first, *(found.end() for found in _COLON.finditer(line, first, last)), last]
    for stretch in pairwise(edges):
        for begin, end in _between_brackets(line, *stretch):
            if EQUAL.search(line, begin, end):
                begin = _BETWEEN.match(line, begin, end).end()  # type: ignore[union-attr]
                text = line[begin:end].rstrip(" \t:;,")
                if text.startswith("(") and text.endswith(")") and EQUAL.search(text.partition(")")[0]):
                    begin, text = begin + 1, text[1:-1]
                text = _UNSAID.sub("", text) if line[begin + len(text) :].strip() else text
                yield begin, begin + len(text.rstrip(" \t:;,"))


def _between_brackets(line: str, first: int, last: int) -> list[Span]:
    """The parts of a stretch between brackets that only open or only close in it, as around "(all q = 0)"."""
    open_ones: list[int] = []
    edges: list[int] = []
    for found in _BRACKETS.finditer(line, first, last):
        if found.group() in "([{":
            open_ones.append(found.start())
        elif open_ones:
            open_ones.pop()
        elif _AFTER_BRACKET.match(line, found.end(), last):
            edges.append(found.start())
        else:
            return [(first, last)]
    equal = max((found.start() for found in EQUAL.finditer(line, first, last)), default=first)
    empty = len(line[:last].rstrip()) if line[last:].strip() else last
    open_ones = [at for at in open_ones if at < equal or at + 1 >= empty]
    if any(line[place] == "{" for place in open_ones):
        return [(first, last)]
    edges = sorted([*edges, *open_ones])
    return [*zip([first, *(edge + 1 for edge in edges)], [*edges, last], strict=True)]


def _end(line: str) -> int:
    """Where the formula of a line ends: before a comment and the number of the equation."""
    comments = [place for place in (line.find(" #"), line.find(" //")) if place >= 0]
    line = line[: min(comments, default=len(line))].rstrip()
    number = _NUMBER.search(line[-24:])
    return len(line) - len(number.group()) if number else len(line)


def opened(text: str) -> int:
    """How many more brackets and environments a text opens than it closes."""
    brackets = sum(1 if found.group() in "([{" else -1 for found in _BRACKETS.finditer(text))
    return brackets + text.count("\\begin{") - text.count("\\end{")


def goes_on(line: str, before: str, depth: int) -> bool:
    """Whether a line without a left side goes on with the formula of the line before, which leaves brackets open."""
    if not line.strip() or _SKIPPED.match(line) or (EQUAL.search(line) and not line.lstrip().startswith(("=", "&"))):
        return False
    if _between_prose(line, 0, len(line)) != [(0, len(line))]:
        return False
    return bool(_GOES_ON.match(line)) or depth > 0 or before.rstrip().endswith(("+", "-", "*", "=", "/", ",", "\\\\"))


def is_prose(line: str) -> bool:
    """Whether words of a language stand in a line."""
    return _between_prose(line, 0, len(line)) != [(0, len(line))]


def _after_prefix(line: str) -> int:
    """Behind a bullet, a number or a label such as "Link 1:"."""
    begin = 0
    for _ in range(3):
        found = _PREFIX.match(line, begin)
        if found is None or (EQUAL.search(line, begin, found.end()) is not None):
            break
        begin = found.end()
    return begin


def _between_prose(line: str, begin: int, stop: int) -> list[Span]:
    candidates = list(_WORD.finditer(line, begin, stop))
    prose = [found for place, found in enumerate(candidates) if _is_prose(line, candidates, place)]
    edges = [begin, *(edge for found in prose for edge in found.span()), stop]
    return [(first, last) for first, last in zip(edges[::2], edges[1::2], strict=True) if first < last]


def _is_prose(line: str, candidates: list[re.Match[str]], place: int) -> bool:
    """A common word, or a long one with another word beside it, or that stands by a formula without being part of it.

    "Pose q1 = 0, speeds qd1 = 1 rad/s therefore": at the beginning before a name, or at the end behind a term.
    """
    found = candidates[place]
    word = found.group()
    if word.lower() in _COMMON:
        return True
    if len(word) < 4 or word in _FORMULA_WORDS or _is_rate(word):
        return False
    left = place > 0 and line[candidates[place - 1].end() : found.start()].isspace()
    right = place + 1 < len(candidates) and line[found.end() : candidates[place + 1].start()].isspace()
    before, behind = line[: found.start()].rstrip(), line[found.end() :]
    opens = (not before or before[-1] in ",;:.(") and _NAME_AHEAD.match(behind) is not None
    closes = not behind.strip(" .,:;") and before != "" and _ENDS_TERM.search(before) is not None
    begins = word[0].isupper() and before.endswith(".") and line[found.start() - 1].isspace()
    is_own = re.search(rf"{word}\s*(?:=|\()", line) is not None
    return left or right or begins or (not is_own and (opens or closes))


def _is_rate(word: str) -> bool:
    named = (word.rstrip("d"), word.removesuffix("ddot").removesuffix("dot"), word.lstrip("d"))
    return _RATE.fullmatch(word) is not None or any(name in GREEK for name in named)
