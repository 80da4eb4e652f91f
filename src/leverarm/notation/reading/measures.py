r"""Numbers with units: 25 cm, 9.81\,\mathrm{m/s^2}, \SI{2}{\kilo\gram}, 30^\circ, in metres, kilograms and seconds.

A unit is read where it stands behind a number and both are a whole side of an equation or a whole entry of a list.
`2 m g l` is a product of letters, and so is `M_22 = 3 m`: a unit of one letter that also is a mass or gravity counts
only where it is typeset as a unit, or where what is on the other side is customarily measured in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice

from leverarm.notation.reading.keywords import table, words
from leverarm.notation.reading.tokens import Refusal, Token
from leverarm.notation.tree import Name, Node, Number, Product, Unit

_BASE: dict[str, tuple[Fraction, Unit]] = {
    name: (Fraction(factor), (kg, m, s))
    for factor, kg, m, s, names in [
        ("1", 1, 0, 0, "kg kilogram kilograms kilogramme"),
        ("0.001", 1, 0, 0, "g gram grams gramme"),
        ("1", 0, 1, 0, "m metre meter metres meters"),
        ("1", 0, 0, 1, "s sec second seconds"),
        ("60", 0, 0, 1, "min minute minutes"),
        ("1", 1, 1, -2, "N newton newtons Newton"),
        ("1", 1, 2, -2, "J joule joules Joule"),
        ("1", 1, 2, -3, "W watt watts Watt"),
        ("1", 0, 0, -1, "Hz hertz"),
        ("1", 1, -1, -2, "Pa pascal"),
        ("1", 0, 0, 0, "rad radian radians"),
    ]
    for name in names.split()
}
_PREFIXES = {
    name: Fraction(10) ** power
    for power, names in [
        (-6, "micro \u00b5 \u03bc"),
        (-3, "milli m"),
        (-2, "centi c"),
        (-1, "deci d"),
        (3, "kilo k"),
        (6, "mega M"),
    ]
    for name in names.split()
}
_PREFIXED = words("g m s N J W Hz Pa gram metre meter metres meters second newton joule watt hertz pascal")
_ANGLES = {
    **dict.fromkeys(words("\u00b0 deg degs degree degrees ang"), Fraction(1, 180)),
    **dict.fromkeys(words("rpm"), Fraction(1, 30)),
    **dict.fromkeys(words("rev"), Fraction(2)),
}
"""Units that are so many times pi."""
UNIT_WORDS = frozenset([*_BASE, *_ANGLES, *(p + u for p in _PREFIXES for u in _PREFIXED)])
_MEASURED_IN = {
    "m": words("q theta vartheta l L a d e o r h x y z p b s w c q D H R ell"),
    "g": words("m M"),
    "s": words("t T dt"),
    "N": words("f F u Q R N tau"),
    "J": words("K P E V T U W L H k"),
    "W": words("P W"),
}
"""Letters of quantities customarily given in a unit whose letter is also used for something else."""

_UPRIGHT = re.compile(r"\\(?:mathrm|text|textrm|textup|mathsf|unit|si|SI|qty|operatorname|rm|mbox)(?![A-Za-z])|^\s*\[")
_DROPPED = re.compile(
    r"\\(?:mathrm|textrm|textup|text|mathsf|unit|si|operatorname|mbox|rm|left|right|of)(?![A-Za-z])\*?"
    r"|\\[,;:! ]|\\q?quad(?![A-Za-z])|\\(?:thin)?space(?![A-Za-z])|[~$\u2009\u202f\u00a0]"
)
_TIMES_TEN = re.compile(
    r"\s*(?:\\,\s*)?(?:\\times|\\cdot|[*\u00b7\u00d7\u22c5x])\s*10\s*(?:\^|\*\*)\s*(?:\{\s*([-\u2212+]?\s*\d{1,3})\s*\}|([-\u2212+]?\d{1,3}))"
)
_TIMES_TEN_RAISED = re.compile(
    r"\s*[*\u00b7\u00d7\u22c5]\s*10([\u207b\u207a]?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+)"
)
_OVER = re.compile(r"\s*/\s*(\d{1,9})(?![\d.])")
_FRACTION = re.compile(r"\\[dt]?frac\s*\{((?:[^{}]|\{[^{}]*\}){1,80})\}\s*\{((?:[^{}]|\{[^{}]*\}){1,80})\}")
_REMARK = re.compile(r"\s*\(([A-Za-z ,-]{4,60})\)\s*$")
_WHOLE_BRACKET = re.compile(r"\s*[\[(]([^\[\]()]{1,60})[\])]\s*$")
_EXPONENT = re.compile(r"\^\s*\{\s*([-\u2212+]?\d)\s*\}")
_DEGREE = re.compile(r"\^\s*\{?\s*(?:\\circ|\u00b0)\s*\}?")
_ATOM = re.compile(
    r"\s*(?:(?P<over>/|\\div(?![A-Za-z]))"
    r"|(?P<times>\\(?:cdot|times)(?![A-Za-z])|[*.\u00b7\u22c5\u00d7\u2022](?!\d)|(?<=[A-Za-z])-(?=[A-Za-z]))"
    r"|(?P<name>\\?[A-Za-z\u00b5\u03bc]+|\u00b0)"
    r"|(?P<power>(?:\^|\*\*)\s*\{?\s*[-\u2212+]?\d\s*\}?|\u207b?[\u00b9\u00b2\u00b3\u2074]|(?<=[A-Za-z])-?[1-4](?!\d))"
    r"|(?P<open>\()|(?P<close>\)))"
)
_RAISED = str.maketrans(
    "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079\u207b\u207a\u2212", "0123456789-+-"
)
_MACROS = table("per:/ squared:2 cubed:3 square:2 cubic:3 degree:\u00b0 degreeCelsius: circ:\u00b0 celsius:")
_PLAIN_NUMBER = re.compile(r"\s*([-+\u2212]?)\s*(\d{1,40}(?:\.\d{1,40})?(?:[eE][-+]?\d{1,3})?)\s*")
_COMPOUNDS = {
    name.replace(" ", ""): name.split() for name in ("N m", "N s", "N m s", "kg m", "mN m", "N mm", "N cm", "kg cm")
}
_SIGNED = re.compile(r"\s*(?:[-+*/\u00b7\u00d7\u22c5\u2212]|\\(?:cdot|times|div)(?![A-Za-z]))")
_BELOW = re.compile(r"/|per|\^\s*\{?\s*[-\u2212]|\u207b")
_BARE_POWER = re.compile(r"[A-Za-z][1-4]")
_LONGEST = 160
"""The longest unit [characters]."""
_FURTHEST = 300
"""The most signs of a number or a list with its unit."""


@dataclass(frozen=True, slots=True)
class _Measure:
    """A unit: its size in SI, its dimension, how many times pi it is (0: not at all), and the names it is made of."""

    factor: Fraction
    unit: Unit
    turns: int
    names: tuple[str, ...]


def with_measures(tokens: list[Token], text: str) -> list[Token]:
    """The tokens of a piece, each number that stands with its unit as one token "measured"."""
    if not any(token.kind in ("number", "degree") or token.text == "rad" for token in tokens):
        return tokens
    tokens = _with_units_behind(_with_degrees(tokens), text)
    result: list[Token] = []
    place = 0
    while place < len(tokens):
        end = place
        if tokens[place].turn == 1 or tokens[place].kind in ("number", "name", "frac"):
            made, end = _measured_here(tokens, place, text) if _begins(tokens, place) else ([], place)
            result += made
        if end == place:
            result.append(tokens[place])
            end = place + 1
        place = end
    return result


def _with_units_behind(tokens: list[Token], text: str) -> list[Token]:
    """A sum with a unit behind it, in SI, as the sum in brackets times that: 0.91 + 0.4 cos(q2) kg m^2."""
    result, place = [*tokens], len(tokens)
    while place:
        begun = next((k + 1 for k in range(place - 1, -1, -1) if tokens[k].kind in _SIDES), 0)
        stop = place
        while stop > begun and tokens[stop - 1].kind in (".", "gap", "row", "&"):
            stop -= 1
        if begun < stop and _IN_KG.search(text, tokens[max(begun, stop - 30)].start, tokens[stop - 1].end):
            found = _units_behind(tokens, begun, stop, text) if _is_sum(tokens, begun, stop) else iter(())
            for first, unit in islice(found, 1):
                start, end = tokens[first].start, tokens[stop - 1].end
                one = _measured(Number(Fraction(1), unit=unit, span=(start, end)), start, end)
                before, behind = tokens[begun].start, tokens[first - 1].end
                result[first:stop] = [Token("close", ")", behind, behind, turn=-1), one]
                result.insert(begun, Token("open", "(", before, before, turn=1))
        place = begun - 1 if begun else 0
    return result


def _units_behind(tokens: Sequence[Token], begun: int, stop: int, text: str) -> Iterator[tuple[int, Unit]]:
    """Where a unit in SI, with kg or N in it, begins that ends a side; and the unit."""
    for k in range(max(begun + 1, stop - 30), stop):
        rest = text[tokens[k - 1].end : tokens[stop - 1].end]
        if tokens[k - 1].kind in _ENDS_TERM and rest[:1] in (" ", "\\", "~", "\t"):
            measure = _unit(rest)
            if measure is not None and measure.factor == 1 and {"kg", "N"} & {*measure.names} and measure.names[1:]:
                yield k, measure.unit


def _is_sum(tokens: Sequence[Token], begun: int, stop: int) -> bool:
    """Whether terms are added in a side, or a function is in it."""
    depth = 0
    for k in range(begun, stop):
        depth += tokens[k].turn
        if tokens[k].kind in ("+", "function") or (depth == 0 and k > begun and tokens[k].kind == "-"):
            return True
    return False


def _measured_here(tokens: Sequence[Token], place: int, text: str) -> tuple[list[Token], int]:
    """The tokens for a number, a list of numbers or an angle with its unit, and where they end."""
    token = tokens[place]
    if token.kind == "number":
        for end in _ends(tokens, place, place + 1):
            span = (token.start, tokens[end - 1].end)
            letters = _letters_before(tokens, place)
            if (node := _number(token.text, text[token.end : span[1]], span, letters)) is not None:
                return [_measured(node, *span)], end
    if token.kind in ("begin", "open") and (close := _closing(tokens, place)) is not None:
        numbers = _entries(tokens, place, close)
        for end in _ends(tokens, place, close + 1) if numbers else ():
            rest = text[tokens[close].end : tokens[end - 1].end]
            measure = None if _SIGNED.match(rest) else _unit(rest)
            if measure is not None and (_UPRIGHT.search(rest) or _is_sure(measure, rest, frozenset())):
                return [
                    _in_unit(each, k in numbers, measure) for k, each in enumerate(tokens[place : close + 1], place)
                ], end
    end = place
    while end < len(tokens) and (tokens[end].kind in _OF_NUMBERS or tokens[end].text == "pi"):
        end += 1
    if end > place + 1 and end < len(tokens) and tokens[end].text == "rad" and _whole(tokens, place) == end + 1:
        return list(tokens[place:end]), end + 1
    return [], place


def _ends(tokens: Sequence[Token], place: int, first: int) -> list[int]:
    """Where a unit may end, the furthest first: at the end of the side or entry, or before words."""
    last = _whole(tokens, place)
    words = [k for k in range(first + 1, min(last, first + 40)) if tokens[k].kind == "word"]
    return [
        end for end in [last, *reversed(words)] if end > first and tokens[end - 1].end - tokens[first].start <= _LONGEST
    ]


def _closing(tokens: Sequence[Token], place: int) -> int | None:
    depth = 0
    for k in range(place, min(len(tokens), place + _FURTHEST)):
        depth += tokens[k].turn
        if depth == 0:
            return k
    return None


def _entries(tokens: Sequence[Token], opened: int, close: int) -> set[int]:
    """The places of the numbers of a list of nothing but numbers; none of any other."""
    inside = [token for token in tokens[opened + 1 : close] if token.kind not in ("-", "gap")]
    if any(token.kind not in ("number", ",", ";", "&", "row", "open", "close") for token in inside):
        return set()
    return {k for k in range(opened + 1, close) if tokens[k].kind == "number"}


def _in_unit(token: Token, is_number: bool, measure: _Measure) -> Token:
    if not is_number:
        return token
    return _measured(_worth(_value(token.text), measure, (token.start, token.end), token.text), token.start, token.end)


def quantity(number: str, unit: str, start: int, end: int) -> Token | None:
    r"""\SI{25}{\centi\metre}, \qty{3}{m/s} and \ang{30} as one token; None where the number or unit is not known."""
    found = _PLAIN_NUMBER.fullmatch(number)
    if found is None or len(unit) > _LONGEST:
        return None
    node = _number(found[2], "\\si{" + unit + "}", (start, end), frozenset())
    if node is None:
        return None
    return _measured(_negated(node) if found[1] in ("-", "\u2212") else node, start, end)


def _measured(node: Node, start: int, end: int) -> Token:
    return Token("measured", "number", start, end, value=node)


def _negated(node: Node) -> Node:
    match node:
        case Number(value=value, unit=unit, step=step, span=span):
            return Number(-value, unit=unit, step=step, span=span)
        case Product(factors=(first, *rest), span=span):
            return Product((_negated(first), *rest), span=span)
        case _:
            return Product((Number(Fraction(-1), span=node.span), node), span=node.span)


_SIDES = frozenset(["=", ",", ";", "relation", "implies"])
_ENDS_TERM = frozenset(["close", "}", "lower", "name", "number"])
_IN_KG = re.compile(r"kg|N")
_ENDS = frozenset([",", ";", "=", "&", "row", "close", "relation", "implies"])
_BEGINS = frozenset([",", ";", "=", "&", "row", "open", "begin", "gap", "relation"])
_OF_NUMBERS = frozenset(["number", "/", "*", "cdot", "frac", "{", "}", "gap"])


def _begins(tokens: Sequence[Token], place: int) -> bool:
    """Whether a side or an entry begins at a number, signs left out."""
    while place and tokens[place - 1].kind in ("-", "+", "gap"):
        place -= 1
    if place and tokens[place - 1].kind == "open":  # below a line, or a factor, letters stand in a bracket
        return place == 1 or tokens[place - 2].kind == "function" or _begins(tokens, place - 1)
    return not place or tokens[place - 1].kind in _BEGINS


def _whole(tokens: Sequence[Token], place: int) -> int:
    """Where the side or entry ends in which a place stands; the place itself where that is far off."""
    depth, begun = 0, place
    while place < len(tokens):
        if place - begun > _FURTHEST:
            return begun
        token = tokens[place]
        depth += token.turn
        wide = token.kind == "gap" and token.text in ("quad", "qquad")
        if depth < 0 or (depth == 0 and token.turn >= 0 and (token.kind in _ENDS or wide)):
            break
        place += 1
    while place > begun and tokens[place - 1].kind in (".", "gap", "row", "&"):
        place -= 1
    return place


def _letters_before(tokens: Sequence[Token], place: int) -> frozenset[str]:
    """The letter of the name before a number, subscripts left out: of l_{c1} = 2, l; and the first of a word, lc."""
    depth = 0
    for k in range(place - 1, max(-1, place - 40), -1):
        depth += -1 if tokens[k].kind == "{" else tokens[k].kind == "}"
        is_below = depth > 0 or (k > 0 and tokens[k - 1].kind == "_")
        if tokens[k].kind == "name" and not is_below:
            word = tokens[k].text
            return frozenset([word, word[:1] if len(word) < 4 else ""])
    return frozenset()


def _with_degrees(tokens: list[Token]) -> list[Token]:
    r"""Numbers with a degree sign behind them, 30° and 30^\circ, as one token wherever they stand."""
    if not any(token.kind == "degree" for token in tokens):
        return tokens
    result: list[Token] = []
    place = 0
    while place < len(tokens):
        token = tokens[place]
        end = place + 1
        if token.kind == "number":
            kinds = [each.kind for each in tokens[end : end + 4]]
            for signs in (["degree"], ["^", "degree"], ["^", "{", "degree", "}"]):
                if kinds[: len(signs)] == signs:
                    end += len(signs)
        if end > place + 1:
            span = (token.start, tokens[end - 1].end)
            node = _worth(Fraction(token.text), _Measure(Fraction(1, 180), (0, 0, 0), 1, ("\u00b0",)), span, token.text)
            result.append(_measured(node, *span))
        else:
            result.append(token)
        place = end
    return result


def _number(digits: str, rest: str, span: tuple[int, int], letters: frozenset[str]) -> Node | None:
    """The value of a number with what stands behind it; None where that is no unit, or may be letters."""
    value = _value(digits)
    for pattern in (_TIMES_TEN, _TIMES_TEN_RAISED):
        if (power := pattern.match(rest)) is not None:
            exponent = next(group for group in power.groups() if group).translate(_RAISED).replace(" ", "")
            value, digits, rest = value * Fraction(10) ** int(exponent), f"{digits}e{exponent}", rest[power.end() :]
            break
    if (over := _OVER.match(rest)) is not None and int(over[1]):
        value, digits, rest = value / int(over[1]), "", rest[over.end() :]
    rest = _without_remark(rest)
    if not rest.strip():
        return Number(value, span=span) if over is None and "e" not in digits else None
    measure = None if _SIGNED.match(rest) else _unit(rest)
    if measure is None or not (_UPRIGHT.search(rest) or _is_sure(measure, rest, letters)):
        return None
    return _worth(value, measure, span, digits)


def _without_remark(text: str) -> str:
    """Without words in brackets at the end: 12 N m (counterclockwise)."""
    found = _REMARK.search(text)
    if found is None or not any(len(word) > 3 and word not in UNIT_WORDS for word in found[1].split()):
        return text
    return text[: found.start()]


def _value(digits: str) -> Fraction:
    mantissa, _, power = digits.lower().partition("e")
    return Fraction(mantissa) * Fraction(10) ** int(power or 0)


def _worth(value: Fraction, measure: _Measure, span: tuple[int, int], digits: str) -> Node:
    step = _step(digits) * measure.factor if digits else None
    number = Number(value * measure.factor, unit=measure.unit, step=step, span=span)
    match measure.turns, number.value:
        case (0, _) | (_, 0):
            return number
        case 1, _:
            pi = Name("pi", span=span)
            return pi if number.value == 1 else Product((number, pi), span=span)
    return number


def _step(digits: str) -> Fraction:
    """What one more in the last written place is: 1/10 for 12.5."""
    mantissa, _, power = digits.lower().partition("e")
    return Fraction(10) ** (int(power or 0) - len(mantissa.partition(".")[2]))


def _is_sure(measure: _Measure, text: str, letters: frozenset[str]) -> bool:
    """Whether a unit cannot be meant as letters of a formula: kg m^2 cannot, m and g can."""
    names = measure.names
    if _BARE_POWER.search(text) and "kg" not in names:
        return False
    if len(names) > 1:
        return not set(names) <= {"m", "g", "s"} or ("g" not in names and _BELOW.search(text) is not None)
    return names[0] not in _MEASURED_IN or bool(_MEASURED_IN[names[0]] & letters)


def _unit(text: str) -> _Measure | None:
    """What a unit is worth; None for anything else."""
    text = _DROPPED.sub(" ", _FRACTION.sub(lambda found: f" ({found[1]})/({found[2]}) ", text))
    bracketed = _WHOLE_BRACKET.fullmatch(text)
    text = bracketed[1] if bracketed else text
    text = _DEGREE.sub("\u00b0", _EXPONENT.sub(lambda found: f"^{found[1]}", text))
    text = text.replace("{", " ").replace("}", " ").strip().rstrip(".")
    atoms = list(_atoms(text))
    try:
        result, end = _product(atoms, 0)
    except (Refusal, RecursionError, ZeroDivisionError):
        return None
    return result if end == len(atoms) and result.names and result.turns in (0, 1) else None


def _atoms(text: str) -> Iterator[tuple[str, str]]:
    place = 0
    while place < len(text):
        found = _ATOM.match(text, place)
        if found is None:
            if text[place:].strip():
                yield "unknown", text[place:]
            return
        kind = found.lastgroup or ""
        word = found.group(kind).removeprefix("\\") if kind == "name" else found.group(kind)
        if kind == "name" and (word == "per" or _MACROS.get(word) == "/"):
            yield "over", "/"
        elif kind == "name" and _MACROS.get(word, "") in ("2", "3"):
            yield "before" if word in ("square", "cubic") else "power", _MACROS[word]
        elif kind == "name" and word in ("circ", "degree"):
            yield "name", "\u00b0"
        elif kind == "name" and word in _COMPOUNDS:
            yield from (("name", each) for each in _COMPOUNDS[word])
        elif kind != "times":
            yield kind, word
        place = found.end()


_Atoms = Sequence[tuple[str, str]]


def _product(atoms: _Atoms, place: int) -> tuple[_Measure, int]:
    """Units side by side; behind a slash stands one unit or a bracket, and nothing more that would be below or not."""
    total = _Measure(Fraction(1), (0, 0, 0), 0, ())
    below = False
    while place < len(atoms) and atoms[place][0] != "close":
        if atoms[place][0] == "over":
            sign, place = -1, place + 1
        else:
            if below:
                raise Refusal(0, "a unit behind one below the line may be above or below it")
            sign = 1
        below = below or sign < 0
        one, place = _one(atoms, place)
        total = _times(total, one, sign)
    return total, place


def _one(atoms: _Atoms, place: int) -> tuple[_Measure, int]:
    power = 1
    if place < len(atoms) and atoms[place][0] == "before":
        power, place = int(atoms[place][1]), place + 1
    if place >= len(atoms):
        raise Refusal(0, "a unit is missing")
    kind, word = atoms[place]
    if kind not in ("open", "name"):
        raise Refusal(0, "no unit")
    if kind == "open":
        inner, place = _product(atoms, place + 1)
        if place >= len(atoms):
            raise Refusal(0, "a bracket is not closed")
    else:
        if word in _PREFIXES and len(word) > 1 and place + 1 < len(atoms) and atoms[place + 1][0] == "name":
            place += 1
            word += atoms[place][1]
        inner = _named(word)
    place += 1
    if place < len(atoms) and atoms[place][0] == "power":
        digits = atoms[place][1].strip("^*{} ").translate(_RAISED)
        power, place = power * int(digits), place + 1
    return _times(_Measure(Fraction(1), (0, 0, 0), 0, ()), inner, power), place


def _named(word: str) -> _Measure:
    """A unit by its name, with or without a prefix."""
    if word in _ANGLES:
        return _Measure(_ANGLES[word], (0, 0, -1) if word == "rpm" else (0, 0, 0), 1, (word,))
    if word in _BASE:
        return _Measure(*_BASE[word], 0, (word,))
    for size in range(1, min(6, len(word))):
        if word[:size] in _PREFIXES and word[size:] in _PREFIXED:
            factor, unit = _BASE[word[size:]]
            return _Measure(factor * _PREFIXES[word[:size]], unit, 0, (word,))
    raise Refusal(0, "no unit")


def _times(left: _Measure, right: _Measure, power: int) -> _Measure:
    kg, m, s = (a + power * b for a, b in zip(left.unit, right.unit, strict=True))
    turns = left.turns + power * right.turns
    return _Measure(left.factor * right.factor**power, (kg, m, s), turns, (*left.names, *right.names))
