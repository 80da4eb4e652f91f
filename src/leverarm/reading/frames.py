r"""What stands around equations: \begin{aligned} and \end{aligned}, \boxed{}; and row ends that lost a backslash."""

from __future__ import annotations

from collections.abc import Iterator

from leverarm.reading.tokens import Token
from leverarm.reading.vocabulary import ROWS

Tokens = list[Token]


def with_mended_rows(tokens: Tokens) -> Tokens:
    r"""In a damaged text, "\ " at the level of an environment without "\\" was the end of a row."""
    result = list(tokens)
    levels: list[tuple[Token | None, list[int], bool]] = [(None, [], False)]
    for place, token in enumerate(tokens):
        if token.turn > 0:
            levels.append((token, [], False))
        elif token.turn < 0 and len(levels) > 1:
            _mend(result, *levels.pop())
        elif token.kind == "gap" and token.text in ("\\ ", "\\\n", "\\\t"):
            levels[-1][1].append(place)
        elif token.kind == "row" and token.text != "\n":
            opener, places, _ = levels[-1]
            levels[-1] = (opener, places, True)
    while levels:
        _mend(result, *levels.pop())
    return result


def _mend(result: Tokens, opener: Token | None, places: list[int], parted: bool) -> None:
    if parted or (opener is not None and opener.kind != "begin"):
        return
    for place in places:
        result[place] = result[place]._replace(kind="row", text="\\\\", note="'\\ ' as '\\\\'")


def without_frames(tokens: Tokens) -> Tokens:
    r"""The tokens without \begin{aligned}, \end{aligned} and the like where their rows are equations, closed or not."""
    dropped: set[int] = set()
    begun: list[int] = []
    equal: list[bool] = [False]
    for place, token in enumerate(tokens):
        if token.kind == "begin":
            begun.append(place)
            equal.append(False)
        elif token.kind == "end" and begun:
            start, equals = begun.pop(), equal.pop()
            if token.text in ROWS and _is_frame(tokens, start, equals):
                dropped.update((start, place), _braces(tokens, start, place))
                equal[-1] = equal[-1] or equals
        elif token.kind == "end" and token.text in ROWS:
            dropped.add(place)
        elif token.kind == "=":
            equal[-1] = True
    dropped.update(place for place in begun if tokens[place].text in ROWS)
    return [token for place, token in enumerate(tokens) if place not in dropped]


def _is_frame(tokens: Tokens, start: int, equals: bool) -> bool:
    name = tokens[start].text
    if name == "array" or name.endswith("cases"):
        return equals and not any(token.kind == "=" for token in tokens[max(0, start - 2) : start])
    return True


def _braces(tokens: Tokens, start: int, stop: int) -> Iterator[int]:
    if start and tokens[start - 1].kind == "open" and tokens[start - 1].text == "{":
        yield start - 1
        if stop + 1 < len(tokens) and tokens[stop + 1].kind == "close" and tokens[stop + 1].text == "}":
            yield stop + 1


def without_boxes(tokens: Tokens) -> Tokens:
    r"""The tokens without \underline{ and \boxed{ around an equation, and without the braces that close them."""
    dropped: set[int] = set()
    begun: list[int] = []
    equal = [False]
    for place, token in enumerate(tokens):
        if token.kind == "{":
            begun.append(place)
            equal.append(False)
        elif token.kind == "}" and begun:
            start, equals = begun.pop(), equal.pop()
            if equals and start > 0 and tokens[start - 1].kind == "box":
                dropped.update((start - 1, start, place))
        elif token.kind == "=":
            equal[-1] = True
    return [token for place, token in enumerate(tokens) if place not in dropped]
