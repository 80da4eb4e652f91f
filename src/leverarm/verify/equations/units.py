"""Whether the units of a written formula fit: nothing is added to something of another dimension."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import singledispatch

from leverarm.notation.reading.as_written import (
    Applied,
    Between,
    Function,
    Inverse,
    Matrix,
    Name,
    Negative,
    Node,
    Number,
    PartialDerivative,
    Power,
    Product,
    Quotient,
    Statement,
    Sum,
    TimeDerivative,
    Transposed,
)
from leverarm.verify.equations.dimensions import NUMBER, TIME, Dimension, Units, dimension_of, units_of
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.values import Table, Value
from leverarm.verify.equations.verdict import WrittenError

Entry = Dimension | None
"""A dimension; None fits every other."""
Dimensions = Entry | tuple[tuple[Entry, ...], ...]
"""Of a scalar, or of each entry of a matrix."""

ANGLE_FUNCTIONS = {"sin": "sine", "cos": "cosine", "tan": "tangent", "tanh": "hyperbolic tangent", "exp": "exponential"}


def check_units(node: Node, scope: Scope) -> None:
    """Refuse a formula or an equation whose terms cannot be added: WrittenError "adds kg m to kg m^2: `m_1 L_1`".

    Symbols get their dimensions from their places in the arm; what is unknown there, and zero, fits everything.
    """
    _Reader(scope, units_of(scope.arm)).dimensions(node)


class _Reader:
    """Dimensions of the parts of one document's formulas."""

    def __init__(self, scope: Scope, units: Units) -> None:
        self.scope, self.units = scope, units

    def dimensions(self, node: Node) -> Dimensions:
        return _dimensions(node, self)

    def of_value(self, value: Value) -> Dimensions:
        """The dimensions of an exact value."""
        if isinstance(value, Table):
            return tuple(tuple(dimension_of(x, self.units) for x in row) for row in value.rows)
        return dimension_of(value, self.units)

    def of_meaning(self, node: Node) -> Dimensions:
        """The dimensions of what a part stands for, where its own parts do not say them."""
        try:
            return self.of_value(value_of(node, self.scope))
        except WrittenError:
            return None

    def text(self, node: Node) -> str:
        """The part as it is written, on one line."""
        return " ".join(self.scope.text[slice(*node.span)].split())

    def equal(self, node: Node, parts: Sequence[Node], word: str) -> Dimensions:
        """The one dimension that parts share; the part that most others disagree with is refused."""
        found = [self.dimensions(part) for part in parts]
        shapes = Counter(_shape(dims) for dims in found if dims is not None)
        if len(shapes) != 1:
            return None
        rows, columns = next(iter(shapes))
        joined = []
        for i in range(rows):
            row = [[_entry(dims, i, j) for dims in found] for j in range(columns)]
            joined.append(tuple(self._one(parts, entries, word) for entries in row))
        return joined[0][0] if (rows, columns) == (1, 1) and not isinstance(found[0], tuple) else tuple(joined)

    def _one(self, parts: Sequence[Node], entries: Sequence[Entry], word: str) -> Entry:
        counted = Counter(entry for entry in entries if entry is not None)
        if not counted:
            return None
        usual = counted.most_common(1)[0][0]
        for part, entry in zip(parts, entries, strict=True):
            if entry is not None and entry != usual:
                message = f"{word.format(_words(entry), _words(usual))}: `{self.text(part)}` is in {_words(entry)}."
                raise WrittenError(part.span, message)
        return usual

    def product(self, node: Node, left: Dimensions, right: Dimensions) -> Dimensions:
        if left is None or right is None:
            return None
        if isinstance(left, Dimension) and isinstance(right, Dimension):
            return left * right
        if isinstance(left, Dimension):
            return _each(right, lambda x: None if x is None else left * x)
        if isinstance(right, Dimension):
            return _each(left, lambda x: None if x is None else x * right)
        if _shape(left) == (1, 1) or _shape(right) == (1, 1) or _shape(left)[1] != _shape(right)[0]:
            return None
        return tuple(tuple(self._dot(node, row, column) for column in zip(*right, strict=True)) for row in left)

    def _dot(self, node: Node, row: Sequence[Entry], column: Sequence[Entry]) -> Entry:
        terms = {a * b for a, b in zip(row, column, strict=True) if a is not None and b is not None}
        if len(terms) > 1:
            one, other = sorted(map(_words, terms))[:2]
            raise WrittenError(node.span, f"a row times a column adds {one} to {other}: `{self.text(node)}`.")
        return terms.pop() if terms else None


@singledispatch
def _dimensions(node: Node, reader: _Reader) -> Dimensions:
    return reader.of_meaning(node)


@_dimensions.register
def _(node: Number, reader: _Reader) -> Dimensions:
    return reader.units.numbers if node.value else None


@_dimensions.register
def _(node: Name, reader: _Reader) -> Dimensions:
    return reader.of_meaning(node)


@_dimensions.register
def _(node: Negative, reader: _Reader) -> Dimensions:
    return reader.dimensions(node.of)


@_dimensions.register
def _(node: Sum, reader: _Reader) -> Dimensions:
    return reader.equal(node, [t.of if isinstance(t, Negative) else t for t in node.terms], "adds {} to {}")


@_dimensions.register
def _(node: Statement, reader: _Reader) -> Dimensions:
    return reader.equal(node, node.sides, "sets {} equal to {}")


@_dimensions.register
def _(node: Product, reader: _Reader) -> Dimensions:
    total: Dimensions = NUMBER
    for factor in node.factors:
        total = reader.product(node, total, reader.dimensions(factor))
    return total


@_dimensions.register
def _(node: Quotient, reader: _Reader) -> Dimensions:
    below = reader.dimensions(node.below)
    above = reader.dimensions(node.above)
    return reader.product(node, above, NUMBER / below) if isinstance(below, Dimension) else None


@_dimensions.register
def _(node: Power, reader: _Reader) -> Dimensions:
    base = reader.dimensions(node.base)
    return base**node.exponent if isinstance(base, Dimension) else None


@_dimensions.register
def _(node: Function, reader: _Reader) -> Dimensions:
    inside = reader.dimensions(node.argument)
    if not isinstance(inside, Dimension):
        return NUMBER if node.name in ANGLE_FUNCTIONS or node.name == "sgn" else None
    if node.name in ANGLE_FUNCTIONS:
        if inside != NUMBER:
            what = f"takes the {ANGLE_FUNCTIONS[node.name]} of {_words(inside)}, which is no angle"
            raise WrittenError(node.span, f"{what}: `{reader.text(node)}`.")
        return NUMBER
    if node.name == "sgn":
        return NUMBER
    return inside ** Fraction(1, 2) if node.name == "sqrt" else inside if node.name == "abs" else None


@_dimensions.register
def _(node: Applied, reader: _Reader) -> Dimensions:
    """The value decides between M(q) and g (m_1 + m_2); sums inside are looked at either way."""
    for part in node.arguments:
        reader.dimensions(part)
    return reader.of_meaning(node)


@_dimensions.register
def _(node: Matrix, reader: _Reader) -> Dimensions:
    entries = [[reader.dimensions(entry) for entry in row] for row in node.rows]
    return tuple(tuple(None if isinstance(x, tuple) else x for x in row) for row in entries)


@_dimensions.register
def _(node: Transposed, reader: _Reader) -> Dimensions:
    return _transposed(reader.dimensions(node.of))


@_dimensions.register
def _(node: Inverse, reader: _Reader) -> Dimensions:
    turned = _transposed(reader.dimensions(node.of))
    return _each(turned, lambda x: None if x is None else NUMBER / x)


@_dimensions.register
def _(node: TimeDerivative, reader: _Reader) -> Dimensions:
    return _each(reader.dimensions(node.of), lambda x: None if x is None else x / TIME**node.order)


@_dimensions.register
def _(node: PartialDerivative, reader: _Reader) -> Dimensions:
    of, by = reader.dimensions(node.of), reader.dimensions(node.by)
    return _each(of, lambda x: None if x is None else x / by) if isinstance(by, Dimension) else None


@_dimensions.register
def _(node: Between, reader: _Reader) -> Dimensions:
    left, right = reader.dimensions(node.left), reader.dimensions(node.right)
    both_scalar = isinstance(left, Dimension) and isinstance(right, Dimension)
    return reader.product(node, left, right) if both_scalar else None


def _each(dims: Dimensions, change: Callable[[Entry], Entry]) -> Dimensions:
    return tuple(tuple(change(x) for x in row) for row in dims) if isinstance(dims, tuple) else change(dims)


def _transposed(dims: Dimensions) -> Dimensions:
    return tuple(zip(*dims, strict=True)) if isinstance(dims, tuple) else dims


def _shape(dims: Dimensions) -> tuple[int, int]:
    return (len(dims), len(dims[0])) if isinstance(dims, tuple) else (1, 1)


def _entry(dims: Dimensions, i: int, j: int) -> Entry:
    return dims[i][j] if isinstance(dims, tuple) else dims


def _words(dimension: Dimension) -> str:
    return "a number" if dimension == NUMBER else str(dimension)
