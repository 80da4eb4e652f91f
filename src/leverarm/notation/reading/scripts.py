"""Names with their marks: dots, accents, type, subscripts, superscripts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from leverarm.notation.reading import keywords
from leverarm.notation.reading.brackets import shown
from leverarm.notation.reading.cursor import Cursor
from leverarm.notation.reading.tokens import MAX_EXPONENT, MAX_SCRIPTS, Refusal, Token
from leverarm.notation.tree import (
    Call,
    Inverse,
    Matrix,
    Name,
    Node,
    Number,
    Of,
    Power,
    Span,
    TimeDerivative,
    Transposed,
)

_SCRIPTS = ("_", "^", "'", "lower", "mark", "raised")
_FLAT = frozenset(["name", "number", "lower", "word", "function", "mark", "accent", "style", "row", *"+-,*:{}_^="])
_TRANSPOSE = ("T", "\\top", "\\intercal", "\u22a4")


@dataclass(slots=True)
class Scripts:
    """What hangs on a formula: the subscript, dots and accents, and the superscripts in their order, each with its end.

    `end` is where what belongs to a name ends: behind its subscript, but before the exponent of its power.
    """

    lower: str = ""
    dots: int = 0
    style: str = ""
    raised: tuple[tuple[str, int | str, int], ...] = ()
    end: int = 0

    def is_nothing(self) -> bool:
        """Whether nothing hangs there."""
        return not (self.lower or self.dots or self.style or self.raised)


def scripts(cursor: Cursor, stop: int) -> Scripts:
    """The subscripts, superscripts, primes and combining marks that stand here."""
    found = Scripts()
    while cursor.here < stop and (cursor.kind() in _SCRIPTS or _is_behind(cursor)):
        raised = len(found.raised)
        token = cursor.take()
        if token.kind == "before":
            continue
        if token.kind == "lower":
            found.lower += token.text
        elif token.kind == "'":
            found.dots += len(token.text) if token.text == "''" else 1
        elif token.kind == "mark":
            found.dots += keywords.DOTS.get(token.text, 0)
            found.style = found.style if token.text in keywords.DOTS else token.text
        elif token.kind == "raised":
            found.raised += ((*_exponent([token]), token.end),)
        elif token.kind == "_":
            _subscript(cursor, found, token, stop)
        else:
            _superscript(cursor, found, token, stop)
        if len(found.raised) == raised or found.raised[-1][0] == "upper":
            found.end = cursor.tokens[cursor.here - 1].end
        if len(found.raised) > MAX_SCRIPTS or found.dots > MAX_SCRIPTS:
            raise Refusal(token.start, f"more than {MAX_SCRIPTS} dots or exponents hang on one formula")
    return found


def _is_behind(cursor: Cursor) -> bool:
    """Whether an empty group only parts a name from its exponent, q_1{}^2, and does not begin another: {}^0 J."""
    if cursor.kind() != "before" or not cursor.here or cursor.kind(1) != "^":
        return False
    digits = next((cursor.text(ahead) for ahead in (2, 3) if cursor.kind(ahead) == "number"), "0")
    return cursor.tokens[cursor.here - 1].end == cursor.place() and digits not in ("0", "1")


def with_scripts(node: Node, hung: Scripts, start: int) -> Node:
    """A formula that begins at a place, with what hangs on it: on a name, letters above are part of the name."""
    match node:
        case Name(letter, lower, upper, dots, style, span=(_, end)) if hung.end:
            upper += "".join(str(text) for kind, text, _ in hung.raised if kind == "upper")
            whole = (start, max(hung.end, end))
            node = Name(letter, lower + hung.lower, upper, dots + hung.dots, hung.style or style, span=whole)
        case Of(head=Name(lower="", dots=0) as head) if hung.lower and hung.lower.isdigit():  # g(q)_2
            node = replace(node, head=replace(head, lower=hung.lower), span=(start, max(hung.end, node.span[1])))
        case _ if hung.lower:
            raise Refusal(hung.end - 1, "a subscript hangs on a formula that is not a name; write it on a letter")
        case Matrix() if hung.dots:
            node = Transposed(node, span=(start, hung.end))
        case _ if hung.dots:
            node = TimeDerivative(node, hung.dots, span=(start, hung.end))
    for kind, value, end in hung.raised:
        node = _raised(node, kind, value, (start, max(end, node.span[1])))
    return node


def _raised(node: Node, kind: str, value: int | str, span: Span) -> Node:
    match kind, value, node:
        case "transposed", _, _:
            return Transposed(node, span=span)
        case "root", _, _:
            return Call("sqrt", node, span=span)
        case "power", int(exponent), Number():
            return Power(node, exponent, span=span)
        case "power", -1, _:
            return Inverse(node, span=span)
        case "power", _, Power():
            raise Refusal(span[1] - 1, "a power of a power; write (a^b)^c with brackets")
        case "power", int(exponent), _:
            return Power(node, exponent, span=span)
        case _, _, Name():
            return node
    raise Refusal(span[1] - 1, f"the exponent '{value}' is not read; it must be a whole number, T or -1")


def _subscript(cursor: Cursor, found: Scripts, sign: Token, stop: int) -> None:
    braced = cursor.kind() == "{"
    tokens = _argument(cursor, sign, stop)
    text = flat(tokens)
    if text in ("dot", "ddot", "dd"):
        found.dots += {"dot": 1}.get(text, 2)
        return
    if not braced and tokens[0].kind == "number" and len(text) > 1 and cursor.script == "latex":
        cursor.notes.append(f"'_{text}' as '_{{{text}}}'")
    found.lower += text


def _superscript(cursor: Cursor, found: Scripts, sign: Token, stop: int) -> None:
    tokens = _argument(cursor, sign, stop)
    if tokens and all(token.kind == "'" for token in tokens):
        found.dots += sum(len(token.text) if token.text == "''" else 1 for token in tokens)
        return
    if [token.text for token in tokens] in (["-", mark] for mark in _TRANSPOSE):
        end = cursor.tokens[cursor.here - 1].end
        found.raised += (("power", -1, end), ("transposed", "", end))
        return
    found.raised += ((*_exponent(tokens), cursor.tokens[cursor.here - 1].end),)


def _exponent(tokens: list[Token]) -> tuple[str, int | str]:
    text = "".join(token.text for token in tokens)
    text = text[1:-1] if text[:1] == "(" and text[-1:] == ")" else text
    if text in _TRANSPOSE:
        return "transposed", ""
    if text in ("1/2", "0.5", "frac{1}{2}", "tfrac{1}{2}", "frac12", "tfrac12"):
        return "root", ""
    digits = text.replace("\u2212", "-").removeprefix("+")
    if digits.removeprefix("-").isdecimal() and digits.isascii():
        if len(digits) > 4 or abs(int(digits)) > MAX_EXPONENT:
            raise Refusal(tokens[0].start, f"the exponent {digits[:12]} is too large; at most {MAX_EXPONENT} is read")
        return ("upper", digits) if digits in ("0", "1") else ("power", int(digits))
    return "upper", flat(tokens, "an exponent must be a whole number, T or -1")


def _argument(cursor: Cursor, sign: Token, stop: int) -> list[Token]:
    """The tokens of a sub- or superscript: those of a group, or the one token here with its sign."""
    if cursor.here >= stop:
        what = "a subscript" if sign.kind == "_" else "an exponent"
        cursor.fail(f"'{sign.text}' needs {what} behind it")
    if cursor.kind() == "{" or (sign.kind == "^" and cursor.opens("(")):
        close = cursor.close()
        inner = cursor.tokens[cursor.here + 1 : close]
        cursor.here = close + 1
        if not inner:
            raise Refusal(cursor.tokens[close].start, f"nothing stands in the braces behind '{sign.text}'")
        return inner
    taken = [cursor.take()]
    if taken[0].kind in ("-", "+") and sign.kind == "^" and cursor.here < stop:
        if cursor.kind() != "number" and cursor.text() not in _TRANSPOSE:
            cursor.fail(f"'{sign.text}' needs an exponent behind it, a whole number, T or -1")
        taken.append(cursor.take())
    while cursor.here < stop and cursor.kind() == "lower" and taken[-1].end == cursor.place():
        taken.append(cursor.take())
    if taken[0].turn > 0 or taken[0].kind in ("frac", "^", "_", "&", "row", "=", "/"):
        raise Refusal(
            taken[0].start, f"'{sign.text}' needs a name, a number or braces behind it, not {shown(taken[0])}"
        )
    if taken[0].kind in ("accent", "style") and cursor.here < stop:
        taken.extend(_argument(cursor, sign, stop))
    return taken


def flat(tokens: list[Token], otherwise: str = "a subscript is letters and numbers") -> str:
    """The letters, numbers and signs of a sub- or superscript in one word, without braces, spaces and commas."""
    pieces = []
    for token in tokens:
        if token.kind not in _FLAT and token.text not in ("(", ")", "[", "]", "T", "\\top"):
            raise Refusal(token.start, f"{shown(token)} is not read here; {otherwise}")
        if token.kind == "word":
            pieces.append("".join(token.text.split()))
        elif token.kind not in ("{", "}", "_", "^", ",", "accent", "style", "mark", "row"):
            pieces.append(token.text)
    return "".join(pieces)


def accented(node: Node, accent: Token, span: Span) -> Node:
    """A formula under a dot, an arrow or a hat, or in another type; dots over more than a name are a derivative."""
    dots = keywords.DOTS.get(accent.text, 0)
    match node:
        case Name() if dots:
            return replace(node, span=span, dots=node.dots + dots)
        case Name():
            return replace(node, span=span, style=accent.text)
        case _ if dots:
            return TimeDerivative(node, dots, span=span)
        case _ if accent.kind == "style":
            return node
    raise Refusal(accent.start, f"'\\{accent.text}' is read over a name only")


def number(token: Token) -> Number:
    """A number, exactly as it is written."""
    mantissa, _, power = token.text.lower().partition("e")
    value = Fraction(mantissa) * Fraction(10) ** int(power or 0)
    return Number(value, span=(token.start, token.end))
