r"""The lines of programs in MATLAB and Python: what each assigns, and the function and the block that it stands in.

What only programs have is taken out first (comments, signs that lines go on), with all places kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise
from typing import NamedTuple

from leverarm.notation.reading.characters import SOLVE
from leverarm.notation.reading.prose import goes_on, is_prose, opened
from leverarm.notation.tree import Span

MAX_SIZE = 12
"""The most rows of an array that is filled entry by entry."""
LONGEST_LINE = 20_000
"""The longest line of a program [characters]."""

_SIGNS = re.compile(
    r"^[ \t]{0,40}(?:def[ \t]+\w+[ \t]*\([^\n]*:|function\b[^\n.]*\([\w, \t~]*\)|import[ \t]+\w)|^from \S+ import\b"
    r"|^(?:>{3} |In \[\d+\]:)|\b(?:np|numpy|sp|sympy)\.[A-Za-z]|^[^\n=]*=[ \t]*zeros\(|^[\w(), \[\]]+[+*/-]=(?!=)"
    r"|[\w\])] @ \w|\.dot\(|[-+*;,=([][ \t]*\.\.\.[ \t]*(?:%[^\n]*)?\n[ \t]*[^\s.]"
    r"|^\[\w+(?:,[ \t]*\w+)*\][ \t]*=[ \t]*deal\("
    r"|^[ \t]{0,40}(\w+)[ \t]*=[ \t]*\1[ \t]*[-+]"
    r"|^[ \t]{0,40}\w+(?:\([\d, ]+\))?[ \t]*=(?:[^=\n[]*|[ \t]*\[[^=\n]*\]'?);[ \t]*(?:%[^\n]*)?$",
    re.MULTILINE,
)
"""What only programs have: headers, imports, prompts, +=, @, zeros, lines that go on with ... or end with ;."""
_UNSAID = re.compile(
    r"(?P<text>\"\"\"[\s\S]*?\"\"\"|'''[\s\S]*?''')|(?P<comment>#[^\n]*|(?<![0-9\\])%[^\n]*)"
    r"|(?P<goes>\.\.\.[^\n]*(?:\n|\Z)|\\[ \t]*(?:\n|\Z))"
    r"|(?P<field>(?<![\w.)\]])(?!(?:np|numpy|math|cmath|sp|sympy|sin|cos)\b)[A-Za-z]\w{0,40}\.(?!T\b)(?=[A-Za-z]\w*(?![\w(])))"
    r"|\b\w{1,40}\[[ \t]*(?:\"(?P<key>[A-Za-z]\w*)\"|'(?P<word>[A-Za-z]\w*)')[ \t]*\]"
    r"|(?P<of>=[ \t]*(?:@\([\w, \t]*\)|lambda\b[\w, \t]*:))|(?P<each>\.)(?=[*/^'])|,[ \t]*dtype[ \t]*=[ \t]*\w[\w.]*"
    r"|(?P<solve>(?<=[\w)\]])\\)(?=[ \t]*[\w(\[])"
)
"""What is no formula, or is written as in no other text: comments, lines that go on, params["m1"], @(q), M\\b."""
MOST_COMMENTS = 200
"""Programs with more comments than this have none that say what names are."""
_NAMES_SAID = re.compile(r"[%#]\s*(?:[A-Za-z]\w*\s*=\s*[^=,;%#\s][^=,;%#]*,\s*)*[A-Za-z]\w*\s*=\s*[^=,;%#\s][^=,;%#]*")
_NAME_SAID = re.compile(r"([A-Za-z]\w*)\s*=")
STRING = re.compile(r"\"[^\"\n]*\"|(?<![\w)\]'.])'[^'\n]*'|f\"|f'")
_BLOCK = re.compile(r"(?:for|while|if|elif|else|elseif|try|except|finally|with|switch|parfor)\b")
_HEADER = re.compile(r"def[ \t]+(?P<python>\w+)|function\b(?:[^=\n]*=)?[ \t]*(?P<matlab>\w+)")
_PASSED = re.compile(
    r"(?:import|from|class|print|disp|fprintf|printf|syms|clear|clc|close|figure|plot|hold|assert|raise|pass|global|end"
    r"|persistent|plt|pprint|init_printing|function|def|format|break|continue|else|try|finally|in|out)\b"
)
_PROMPT = re.compile(r">{3} ?|\.\.\. |In \[\d+\]: ?")
_OUTPUT = re.compile(r"Out\[\d+\]: ?")
RETURN = re.compile(r"return\b[ \t]*")
_SPLITTING = re.compile(r"[()\[\]{},;]")
_END = re.compile(r"\bend\w*[ \t;]*\Z")
_EQUALS = re.compile(r"(?<![=<>!~:])(?P<sign>[-+*/]?)=(?!=)")
TARGET = re.compile(
    r"(?:[A-Za-z]\w*\.)?(?P<name>[^\W\d]\w*)"
    r"(?P<index>\((?:(?:[\d:]+|[ijkn](?:[+-]\d)?|end)[, ]*)+\)|\[[^\[\]]*\](?:\[[^\[\]]*\])?)?\Z"
)
_MATLAB = re.compile(r"^[ \t]*function\b[^\n]*$|;[ \t]*(?:%[^\n]*)?$", re.MULTILINE)
_PRIMES = re.compile(r"[\w)\]]''")
_TRANSPOSE = re.compile(r"(?<=[\w)\]])'(?!')")
_TRANSPOSED = "\u1d40"
_SIDE_BY_SIDE = re.compile(r"^[^=\n[]*=[^\n[]*[\w)] +[A-Za-z(]", re.MULTILINE)
"""A product without its sign: then spaces part no entries."""
_ENDS_ENTRY = re.compile(r"[\w)\]]")
_PARTED = re.compile(r" +(?:[\w(\[]|[-+][\w(\[])")


class Line(NamedTuple):
    """A line of a program, with those it goes on in: its place, the function it is in, whether it is certain to run."""

    start: int
    end: int
    scope: str
    is_certain: bool
    shown: Span | None = None
    """What a console printed under it."""


class Part(NamedTuple):
    """An assignment to a name or an entry, where both sides stand; of several names, which it is of how many."""

    name: str
    entry: str
    target: Span
    value: Span
    sign: str
    line: Line
    which: tuple[int, int] = (0, 1)

    @property
    def span(self) -> Span:
        return self.target[0], self.value[1]


def is_program(text: str) -> bool:
    """Whether lines of a text are those of a program, in their syntax."""
    return _SIGNS.search(text) is not None


def without_unsaid(text: str, areas: Iterable[Span]) -> str:
    r"""The text, of the same length, without the comments of its programs and the signs that lines go on.

    Matlab's signs for M^-1 b and the transpose, a backslash and a prime, are signs of their own.
    """

    def blank(found: re.Match[str]) -> str:
        whole = found.group()
        match found.lastgroup:
            case "comment" if _says_names(whole, text):
                return f";{whole[1:]}"
            case "solve":
                return SOLVE
            case "key" | "word" as kind:
                before, after = found.start(kind) - found.start(), found.end() - found.end(kind)
                return " " * before + found[kind] + " " * after
            case "goes":
                return " " * len(whole)
            case "of":
                return "=" + " " * (len(whole) - 1)
        return "".join("\n" if sign == "\n" else " " for sign in whole)

    pieces, at = [], 0
    for start, end in areas:
        code = _UNSAID.sub(blank, text[start:end])
        if _MATLAB.search(code) and not _PRIMES.search(code) and not _SIDE_BY_SIDE.search(code):
            code = _TRANSPOSE.sub(_TRANSPOSED, code)
            code = _with_commas(code) if "*" in code else code
        pieces += [text[at:start], code]
        at = end
    return "".join([*pieces, text[at:]])


def _says_names(comment: str, text: str) -> bool:
    """Whether a comment only says what letters of the program are that it assigns nowhere: % a = alpha, b = beta."""
    if _NAMES_SAID.fullmatch(comment) is None or is_prose(comment) or text.count(comment[0]) > MOST_COMMENTS:
        return False
    names = [re.escape(name) for name in _NAME_SAID.findall(comment)]
    if not all(len(re.findall(rf"(?<![A-Za-z])d{{0,2}}{name}(?!\w)", text)) > 1 for name in names):
        return False
    return not any(re.search(rf"^[^\n%#]*(?<!\w){name}\s*(?:[([][^\n=]*)?=(?!=)", text, re.MULTILINE) for name in names)


def _with_commas(code: str) -> str:
    """Matlab's [a b; c d] as [a,b; c,d]: in square brackets without commas, spaces between entries are commas."""
    signs = list(code)
    inside: list[tuple[str, list[int]]] = [("", [])]
    for place, sign in enumerate(code):
        bracket, spaces = inside[-1]
        if sign in "([{":
            inside.append((sign, []))
        elif sign in ")]}" and len(inside) > 1:
            inside.pop()
            for space in spaces if bracket == "[" else ():
                signs[space] = ","
        elif sign == ",":
            inside[-1] = ("(", [])
        elif sign == " " and _PARTED.match(code, place) and _ENDS_ENTRY.match(code[place - 1]):
            spaces.append(place)
    return "".join(signs)


def is_passed(text: str, line: Line) -> bool:
    """Whether a line is of a program and states nothing by itself, or what a function gives back."""
    code = text[line.start : line.end]
    return any(pattern.match(code) for pattern in (_PASSED, _BLOCK, _HEADER, RETURN)) or bool(STRING.search(code))


def lines_of(text: str, start: int, end: int) -> Iterator[Line]:
    """The lines of a program, put together where they go on; with the function and the blocks that they stand in."""
    functions: list[tuple[int, str]] = []
    blocks: list[int] = []
    idle = LONGEST_LINE
    ends: list[str] = []
    at = start
    while at < end:
        begun, stop, at = _whole_line(text, at, end)
        prompt = _PROMPT.match(text, begun, stop)
        begun = prompt.end() if prompt else begun
        word = text[begun:stop]
        if not word:
            continue
        indent = begun - (text.rfind("\n", 0, begun) + 1)
        idle = LONGEST_LINE if indent <= idle else idle
        if word.startswith("if __name__"):
            idle = indent
        if indent > idle or word.startswith("if __name__"):
            continue
        block, header = _BLOCK.match(word), _HEADER.match(word)
        while blocks and blocks[-1] >= indent:
            blocks.pop()
        while functions and functions[-1][0] >= indent:
            functions.pop()
        if header is not None:
            functions.append((indent if header["python"] else -1, f"{header['python'] or header['matlab']}@{begun}"))
            ends += [] if header["python"] else ["function"]
        elif block and word.endswith(":"):
            blocks.append(indent)
        elif block and not word.startswith("el") and not _END.search(word):
            ends.append("block")
        elif _END.fullmatch(word) and ends and ends.pop() == "function" and functions:
            functions.pop()
        shown = _shown(text, at, end) if prompt else None
        at = shown[1] if shown else at
        is_certain = not blocks and "block" not in ends and not block
        yield Line(begun, stop, functions[-1][1] if functions else "", is_certain, shown)


def _whole_line(text: str, at: int, end: int) -> tuple[int, int, int]:
    """Where a line begins and ends, with those that it goes on in, and where the next begins."""
    stop = _line_end(text, at, end)
    depth, last, lines = opened(text[at:stop]), text[at:stop], 0
    while stop < end and lines < MAX_SIZE**2:
        following = _line_end(text, stop + 1, end)
        line = text[stop + 1 : following]
        if not line.strip() or (depth <= 0 and not goes_on(line, last, 0)) or _PROMPT.match(line):
            break
        depth, stop, last, lines = depth + opened(line), following, line, lines + 1
    whole = text[at:stop]
    begun = at + len(whole) - len(whole.lstrip())
    return begun, begun + len(whole.strip()), min(stop + 1, end)


def _line_end(text: str, at: int, end: int) -> int:
    stop = text.find("\n", at, end)
    return end if stop < 0 else stop


def _shown(text: str, at: int, end: int) -> Span | None:
    """What a console prints behind a prompt's line, up to the next prompt or an empty line."""
    begun = at
    while at < end:
        stop = _line_end(text, at, end)
        if not text[at:stop].strip() or _PROMPT.match(text, at):
            break
        at = min(stop + 1, end)
    output = _OUTPUT.match(text, begun, at)
    begun = output.end() if output else begun
    return (begun, at) if text[begun:at].strip() else None


def split(text: str, start: int, end: int, sign: str) -> list[Span]:
    """The stretches between signs that stand outside of brackets, without spaces around them; empty ones left out."""
    edges, depth = [start - 1], 0
    for found in _SPLITTING.finditer(text, start, end):
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(found.group(), 0)
        if depth <= 0 and found.group() == sign:
            edges.append(found.start())
    result = []
    for before, behind in pairwise([*edges, end]):
        stretch = text[before + 1 : behind]
        if stretch.strip():
            first = before + 1 + len(stretch) - len(stretch.lstrip())
            result.append((first, first + len(stretch.strip())))
    return result


def parts_of(text: str, line: Line) -> list[Part]:
    """The assignments of a line; none where it is anything else."""
    if line.end - line.start > LONGEST_LINE or is_passed(text, line):
        return []
    result: list[Part] = []
    for start, end in split(text, line.start, line.end, ";"):
        pieces = split(text, start, end, ",")
        if len(pieces) < 2 or not all(_equal_signs(text, *piece) for piece in pieces):
            pieces = [(start, end)]
        for piece in pieces:
            parts = _assignment(text, *piece, line)
            if not parts:
                return []
            result += parts
    return result


def _equal_signs(text: str, start: int, end: int) -> list[re.Match[str]]:
    """The "=" of an assignment, outside of brackets: one, or several in a = b = formula."""
    signs = islice(_EQUALS.finditer(text, start, end), 9)
    found = [sign for sign in signs if opened(text[start : sign.start()]) == 0]
    return found if len(found) == 1 or not any(sign["sign"] for sign in found) else []


def _assignment(text: str, start: int, end: int, line: Line) -> list[Part]:
    signs = _equal_signs(text, start, end)
    if not signs:
        return []
    right = text[signs[-1].end() : end]
    value = (signs[-1].end() + len(right) - len(right.lstrip()), end)
    if value[0] >= end or is_prose(right):
        return []
    result: list[Part] = []
    for sign in signs:
        parts = _targets(text, start, sign, value, line)
        if not parts or (len(parts) > 1 and len(signs) > 1):
            return []
        result += parts
        start = sign.end() + len(text[sign.end() : end]) - len(text[sign.end() : end].lstrip())
    return result


def _targets(text: str, start: int, equal: re.Match[str], value: Span, line: Line) -> list[Part]:
    """What stands before "=": a name or an entry, or a list of them."""
    left = text[start : equal.start()].rstrip()
    if (target := TARGET.match(left)) is not None:
        span = (start + target.start("name"), start + len(left))
        return [Part(target["name"], index_of(target), span, value, equal["sign"], line)]
    is_list = left[:1] in ("(", "[") and left[-1:] in (")", "]")
    targets = split(text, start + is_list, start + len(left) - is_list, ",")
    found = [(each, TARGET.match(text[slice(*each)])) for each in targets]
    if len(found) < 2 or equal["sign"]:
        return []
    parts = [
        Part(name["name"], index_of(name), (each[0] + name.start("name"), each[1]), value, "", line, (k, len(found)))
        for k, (each, name) in enumerate(found)
        if name is not None
    ]
    return parts if len(parts) == len(found) else []


def index_of(target: re.Match[str]) -> str:
    """The index behind a name, always spelled alike: M[0][1] as M[0, 1] is [0,1]."""
    return "".join((target["index"] or "").split()).replace("][", ",")


def arguments_of(text: str, at: int) -> list[str]:
    """What stands in the parentheses that open at a place, parted by commas; nothing where none open."""
    depth = 0
    for found in _SPLITTING.finditer(text, at, at + LONGEST_LINE if text[at : at + 1] == "(" else at):
        depth += {"(": 1, ")": -1}.get(found.group(), 0)
        if depth == 0:
            return ["".join(text[slice(*part)].split()) for part in split(text, at + 1, found.start(), ",")]
    return []
