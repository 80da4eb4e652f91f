"""Which bracket closes which, and how deep they are nested."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from leverarm.notation.reading.tokens import MAX_NESTING, Refusal, Token

_CLOSING = {"(": ")", "[": "]", "{": "}", "|": "|"}

_UNFINISHED = frozenset(["+", "-", "*", "/", "^", "cdot", "times", ",", ";", "open", "row"])

_THIN = ("\\,", "\\:", "\\;", "\\!", "\\>")
_GOES_ON = ("+", "-", "*", "cdot", "times")
_OF_FORMULAS = ("+", "-", "function", "open", "frac")

_NEED_GROUPS = frozenset(["_", "^", "frac", "accent", "style", "box", "under", "function"])


def shown(token: Token) -> str:
    """A token as it is quoted in a message."""
    if token.kind in ("begin", "end"):
        return f"'\\{token.kind}{{{token.text}}}'"
    if token.kind in ("row", "gap") and token.text == "\n":
        return "the end of the line"
    if (
        token.kind in ("frac", "accent", "style", "under", "box", "omission", "function", "relation")
        and token.text.isalpha()
    ):
        return f"'\\{token.text}'"
    return f"'{token.text}'"


def without_spaces(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without empty groups and gaps; right inside square brackets gaps may part entries, and stay.

    An empty group that scripts hang on, as in {}^0 J, is one token: they belong to what follows.
    """
    inside: list[Token] = []
    tokens = _without_line_breaks(tokens)
    parted = _of_one_kind(tokens)
    kept: list[Token] = []
    for token, following in zip_longest(tokens, tokens[1:]):
        if token.turn > 0:
            inside.append(token)
        elif token.turn < 0 and inside:
            inside.pop()
        if token.kind == "&" and not (inside and (inside[-1].kind == "begin" or inside[-1].text == "[")):
            continue
        if token.kind == "gap" or (token.kind == "row" and token.text == "\n"):
            listed = bool(inside) and inside[-1].kind == "open" and inside[-1].text == "["
            listed = listed and (token.kind == "row" or inside[-1].start not in parted)
            if not listed or (token.kind == "row" and kept[-1].kind in _UNFINISHED):
                continue
        if token.kind == "}" and kept and kept[-1].kind == "{" and (len(kept) < 2 or kept[-2].kind not in _NEED_GROUPS):
            empty = kept.pop()
            if following is None or following.kind not in ("^", "_"):
                continue
            token = Token("before", "{}", empty.start, token.end)
        kept.append(token)
    return [token for token, after in zip_longest(kept, kept[1:]) if not _trails(token, after)]


def _without_line_breaks(tokens: Sequence[Token]) -> list[Token]:
    r"""The tokens without the marks of an aligned formula that goes on with a sign in a bracket: [a & \quad + b]."""
    kept: list[Token] = []
    inside: list[str] = []
    for token in tokens:
        if token.turn > 0:
            inside.append(token.text)
        elif token.turn < 0 and inside:
            inside.pop()
        if token.kind in _GOES_ON and inside[-1:] == ["["]:
            end = len(kept)
            while end and kept[end - 1].kind in ("&", "gap"):
                end -= 1
            has_gap = end + 1 < len(kept)
            if end < len(kept) and kept[end].kind == "&" and (has_gap or token.kind != "-"):
                del kept[end:]
        kept.append(token)
    return kept


def _of_one_kind(tokens: Sequence[Token]) -> set[int]:
    r"""Where the brackets begin in which gaps part no entries: commas do, or thin gaps part the factors of a formula.

    So in [a \cos q \, \dot q + b]; a gap parts entries in [\theta_1 \ \theta_2], and a thin one between mere names.
    """
    inside: list[tuple[Token, set[str]]] = []
    found: set[int] = set()
    for token in tokens:
        if token.kind in _OF_FORMULAS and inside:
            inside[-1][1].add("formula")
        if token.turn > 0:
            inside.append((token, set()))
        elif token.turn < 0 and inside:
            opened, seen = inside.pop()
            if "," in seen or ("thin" in seen and "formula" in seen):
                found.add(opened.start)
        elif inside and (token.kind == "," or token.text in _THIN):
            inside[-1][1].add("," if token.kind == "," else "thin")
    return found


def _trails(token: Token, after: Token | None) -> bool:
    """A line's end before the bracket closes, or before an operator that goes on with the entry."""
    return token.text == "\n" and (after is None or after.kind == "close" or after.kind in _UNFINISHED)


def partners(tokens: Sequence[Token]) -> list[int]:
    """For each opening token the index of the one that closes it, else -1. Raises Refusal where they do not pair."""
    result = [-1] * len(tokens)
    open_ones: list[int] = []
    for index, token in enumerate(tokens):
        if token.turn > 0:
            if len(open_ones) >= MAX_NESTING:
                raise Refusal(
                    token.start, f"brackets are nested more than {MAX_NESTING} deep; write the formula in parts"
                )
            open_ones.append(index)
        elif token.turn < 0:
            if not open_ones:
                raise Refusal(token.start, f"{shown(token)} without {_opener(token)} before it")
            begun = open_ones.pop()
            if not _fit(tokens[begun], token):
                raise Refusal(
                    token.start,
                    f"{shown(tokens[begun])} is closed by {shown(token)}; it needs {_closer(tokens[begun])}",
                )
            result[begun] = index
    if open_ones:
        token = tokens[open_ones[-1]]
        raise Refusal(token.start, f"{shown(token)} is never closed; it needs {_closer(token)}")
    return result


def _fit(begun: Token, ended: Token) -> bool:
    if begun.kind == "open":
        return ended.kind == "close" and _CLOSING[begun.text] == ended.text
    return ended.kind == {"{": "}", "begin": "end"}[begun.kind] and (begun.kind == "{" or begun.text == ended.text)


def _closer(token: Token) -> str:
    return f"'\\end{{{token.text}}}'" if token.kind == "begin" else f"'{_CLOSING[token.text]}'"


def _opener(token: Token) -> str:
    if token.kind == "end":
        return f"'\\begin{{{token.text}}}'"
    return "'" + {")": "(", "]": "[", "}": "{", "|": "\\left|"}[token.text] + "'"
