"""How each kind of formula is marked up in MathML."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from leverarm.notation import tree
from leverarm.notation.line_breaking import TIME, Mark, Part, Piece, factor_parts, sum_parts
from leverarm.notation.mathml_markup import (
    APPLY,
    INVISIBLE_TIMES,
    MINUS_IN_FRONT,
    NOTHING,
    THIN_SPACE,
    Markup,
    braced,
    fence,
    fenced,
    fraction,
    grouped,
    index,
    infix,
    letter,
    limits,
    number,
    row,
    scripted,
    stem,
    upright,
    whole_number,
    words,
)
from leverarm.notation.names import short_index, split_name
from leverarm.notation.precedence import Binding, binding, signed
from leverarm.notation.tree import Node
from leverarm.notation.unicode_names import MINUS, RELATIONS
from leverarm.notation.vocabulary import Angle, Writing

TRANSPOSE = upright("T")
INVERSE = Markup(f'<mo form="prefix">{MINUS}</mo><mn>1</mn>', 1.2)
ROUND_D = letter("∂")
COLUMN_GAP, MATRIX_BRACKETS = 0.8, 1.6


def run_markup(parts: tuple[Part, ...], writing: Writing, drawn: dict[int, Markup] | None = None) -> Markup:
    """Parts of a line beside each other; `drawn` has nodes that are not marked up as usual, by identity."""
    pieces: list[Markup] = []
    before: Part | None = None
    for part in parts:
        if _is_factor(part, "open") and _is_factor(before, "close"):
            pieces.append(Markup(INVISIBLE_TIMES, 0.0))
            if _is_word(part, writing) or _is_word(before, writing):
                pieces.append(THIN_SPACE)
        if isinstance(part, Piece):
            pieces.append((drawn or {}).get(id(part.node)) or _PLACES[part.place](part.node, writing))
        else:
            pieces.append(_mark(part, writing))
        before = part
    return row(*pieces)


def _is_factor(part: Part | None, bracket: str) -> bool:
    return isinstance(part, Piece) or (part is not None and part.kind == bracket)


def _mark(mark: Mark, writing: Writing) -> Markup:
    match mark.kind:
        case "plus":
            return infix("+")
        case "minus":
            return infix(MINUS)
        case "times":
            return infix("·")
        case "over":
            return infix("/")
        case "negative":
            return MINUS_IN_FRONT
        case "open":
            return fence("(", "prefix")
        case "close":
            return fence(")", "postfix")
        case "time":
            return fraction(letter("d"), row(letter("d"), letter("t")))
        case "partial":
            return fraction(ROUND_D, row(ROUND_D, markup_of(mark.by or tree.ONE, writing)))
        case "label":
            return words(f"({mark.text})")
        case "function":
            return letter(mark.text)
        case "power":
            return scripted(NOTHING, upper=whole_number(mark.text))


def markup_of(node: Node, writing: Writing) -> Markup:
    """MathML of a formula, unbroken."""
    match node:
        case tree.Number(value=value, is_decimal=is_decimal):
            shown = number(abs(value), is_decimal)
            return row(MINUS_IN_FRONT, shown) if value < 0 else shown
        case tree.Decimal(digits=digits, unit=unit):
            mantissa, _, exponent = digits.replace("-", MINUS).partition("e")
            power = scripted(whole_number("10"), upper=whole_number(exponent)) if exponent else NOTHING
            shown = row(whole_number(mantissa), infix("·"), power) if exponent else whole_number(mantissa)
            return row(shown, words(f"\N{NO-BREAK SPACE}{unit.replace('^2', '²')}")) if unit else shown
        case tree.Symbol():
            return _raised(node, NOTHING, writing)
        case tree.Trig():
            return _trig(node, NOTHING, writing)
        case tree.Call(function="sqrt", argument=argument):
            inside = markup_of(argument, writing)
            return Markup(f"<msqrt>{inside.text}</msqrt>", inside.width + 0.85, inside.is_tall)
        case tree.Call(function="norm" | "abs" as function, argument=argument):
            bars = "|" if function == "abs" else "‖"
            return fenced(markup_of(argument, writing), bars, bars)
        case tree.Call(function=function, argument=argument):
            return _applied(letter(function), markup_of(argument, writing))
        case tree.Sum(terms=terms):
            return run_markup(sum_parts(terms), writing)
        case tree.Product(factors=factors):
            is_minus, size = signed(node)
            if is_minus:
                return row(MINUS_IN_FRONT, (_factor if isinstance(size, tree.Sum) else markup_of)(size, writing))
            return run_markup(factor_parts(factors), writing)
        case tree.Power(base=base, exponent=exponent):
            return _raised(base, whole_number(str(exponent)), writing)
        case tree.Ratio(above=above, below=below):
            is_minus, size = signed(node)
            if is_minus:
                return row(MINUS_IN_FRONT, markup_of(size, writing))
            return fraction(markup_of(above, writing), markup_of(below, writing))
        case tree.Matrix(rows=rows):
            return matrix_markup([[markup_of(entry, writing) for entry in line] for line in rows])
        case tree.Of(head=head, arguments=arguments):
            return row(_base(head, writing), _arguments(arguments, writing))
        case tree.Indexed(head=head, lower=lower, upper=upper):
            if head == tree.Symbol("sum"):
                return limits("∑", index(lower), index(upper))
            if head == tree.Symbol("int"):
                return scripted(Markup("<mo>∫</mo>", 0.8), index(lower), index(upper))
            return scripted(_base(head, writing), index(lower), index(upper))
        case tree.Transposed(of=of):
            return _raised(of, TRANSPOSE, writing)
        case tree.Inverse(of=of):
            return _raised(of, INVERSE, writing)
        case tree.Between(left=left, sign=kind, right=right):
            return row(_factor(left, writing), infix("×" if kind == "cross" else "·"), _factor(right, writing))
        case tree.Differential(of=of):
            return row(THIN_SPACE, letter("d"), _base(of, writing))
        case tree.Exponential(exponent=of):
            return scripted(letter("e"), upper=markup_of(of, writing))
        case tree.Bracketed(of=of):
            return fenced(markup_of(of, writing), "[", "]")
        case tree.PartialDerivative(of=of, by=by):
            over, under = markup_of(of, writing), row(ROUND_D, markup_of(by, writing))
            if binding(of) >= Binding.SCRIPTED:
                return fraction(row(ROUND_D, over), under)
            return row(fraction(ROUND_D, under), THIN_SPACE, fenced(over))
        case tree.TimeDerivative(of=of):
            inside = markup_of(of, writing)
            is_bare = binding(of) >= Binding.FRACTION
            return row(_mark(TIME, writing), THIN_SPACE, inside if is_bare else fenced(inside))
        case tree.Labelled(of=of, label=label):
            return braced(markup_of(of, writing), label)
        case tree.Equation(sides=sides, relation=relation):
            sign = infix(RELATIONS.get(relation, relation))
            return row(*[piece for side in sides for piece in (sign, markup_of(side, writing))][1:])
        case _:
            raise TypeError(f"{type(node).__name__} cannot be written as MathML")


def _factor(node: Node, writing: Writing) -> Markup:
    """The formula beside other factors: sums are in parentheses."""
    inside = markup_of(node, writing)
    is_open = binding(node) <= Binding.SUM or isinstance(node, tree.TimeDerivative)
    return fenced(inside) if is_open else inside


def _is_word(part: Part | None, writing: Writing) -> bool:
    """Whether a factor is spelled with several letters, and so is set apart from the letters beside it."""
    node = part.node if isinstance(part, Piece) else None
    match node.base if isinstance(node, tree.Power) else node:
        case tree.Symbol(name=name):
            return split_name(name).is_word
        case tree.Trig() as trig:
            return short_index(trig.angle, writing) is None
        case tree.Call():
            return True
        case _:
            return False


_PLACES: dict[str, Callable[[Node, Writing], Markup]] = {"term": markup_of, "factor": _factor}


def _base(node: Node, writing: Writing) -> Markup:
    """The formula below a script or in front of its arguments: all but atoms in parentheses."""
    inside = markup_of(node, writing)
    return inside if binding(node) == Binding.ATOM else fenced(inside)


def _raised(node: Node, script: Markup, writing: Writing) -> Markup:
    """The formula with a script above; one with an index below has both at the same place."""
    match node:
        case tree.Of(head=head, arguments=arguments):
            return row(_raised(head, script, writing), _arguments(arguments, writing))
        case tree.Symbol(name=name, dots=dots):
            parts = split_name(name)
            return scripted(stem(parts.stem, dots), index(parts.index), script)
        case tree.Indexed(head=head, lower=lower, upper=""):
            return scripted(_base(head, writing), index(lower), script)
        case tree.Trig():
            return _trig(node, script, writing)
        case _:
            return scripted(_base(node, writing), upper=script)


def _trig(node: tree.Trig, script: Markup, writing: Writing) -> Markup:
    digits = short_index(node.angle, writing)
    if digits:
        return scripted(letter(node.function[0]), index(digits), script)
    return _applied(scripted(letter(node.function), upper=script), _angle(node.angle))


def _applied(function: Markup, argument: Markup) -> Markup:
    return row(function, Markup(APPLY, 0.0), fenced(argument))


def _angle(angle: Angle) -> Markup:
    pieces: list[Markup] = []
    for name, count in angle:
        sign = [MINUS_IN_FRONT] * (count < 0) if not pieces else [infix(MINUS if count < 0 else "+")]
        parts = split_name(name)
        times = [] if abs(count) == 1 else [whole_number(str(abs(count))), Markup(INVISIBLE_TIMES, 0.0)]
        pieces += [*sign, *times, scripted(stem(parts.stem), index(parts.index))]
    return row(*pieces) if pieces else whole_number("0")


def _arguments(arguments: tuple[Node, ...], writing: Writing) -> Markup:
    comma = Markup('<mo separator="true">,</mo>', 0.45)
    pieces = [piece for argument in arguments for piece in (comma, markup_of(argument, writing))]
    return row(Markup(APPLY, 0.0), fenced(row(*pieces[1:])))


def matrix_markup(cells: Sequence[Sequence[Markup]]) -> Markup:
    """Entries in square brackets."""
    if not any(cells):
        return fenced(THIN_SPACE, "[", "]")
    widths = [max(cell.width for cell in column) for column in zip(*cells, strict=True)]
    lines = "".join(f"<mtr>{''.join(f'<mtd>{grouped(cell)}</mtd>' for cell in line)}</mtr>" for line in cells)
    width = sum(widths) + COLUMN_GAP * (len(widths) - 1)
    whole = fenced(Markup(f"<mtable>{lines}</mtable>", width, is_tall=True), "[", "]")
    return Markup(whole.text, width + MATRIX_BRACKETS, is_tall=True)
