"""Whether the units of a written formula fit: nothing is added to something of another dimension."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction

from leverarm.notation import tree
from leverarm.notation.reading import Statement
from leverarm.notation.tree import Node
from leverarm.verify.equations.algebra import Table, rows_of
from leverarm.verify.equations.dimensions import NUMBER, TIME, Dimension, Units, dimension_of, units_of
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.scope import Scope
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
        match node:
            case tree.Number(unit=(kg, m, s)):
                return Dimension(Fraction(kg), Fraction(m), Fraction(s))
            case tree.Number(value=x):
                return self.units.numbers if x else None
            case tree.Negative(of=of):
                return self.dimensions(of)
            case tree.Sum(terms=terms):
                return self.equal([t.of if isinstance(t, tree.Negative) else t for t in terms], "adds {} to {}")
            case Statement(sides=sides):
                return self.equal(sides, "sets {} equal to {}")
            case tree.Product(factors=factors):
                total: Dimensions = NUMBER
                for factor in factors:
                    total = self.product(node, total, self.dimensions(factor))
                return total
            case tree.Ratio(above=above, below=below):
                under, over = self.dimensions(below), self.dimensions(above)
                return self.product(node, over, NUMBER / under) if isinstance(under, Dimension) else None
            case tree.Power(base=base, exponent=exponent):
                found = self.dimensions(base)
                return found**exponent if isinstance(found, Dimension) else None
            case tree.Call():
                return self._function(node)
            case tree.Of(arguments=arguments):
                for part in arguments:  # the value decides between M(q) and g (m_1 + m_2); sums inside are looked at
                    self.dimensions(part)
            case tree.Matrix(rows=rows):
                entries = [[self.dimensions(entry) for entry in row] for row in rows]
                return tuple(tuple(None if isinstance(x, tuple) else x for x in row) for row in entries)
            case tree.Transposed(of=of):
                return _transposed(self.dimensions(of))
            case tree.Inverse(of=of):
                return _each(_transposed(self.dimensions(of)), lambda x: NUMBER / x)
            case tree.TimeDerivative(of=of, order=order):
                return _each(self.dimensions(of), lambda x: x / TIME**order)
            case tree.PartialDerivative(of=of, by=by):
                step = self.dimensions(by)
                return _each(self.dimensions(of), lambda x: x / step) if isinstance(step, Dimension) else None
            case tree.Between(left=left, right=right):
                a, b = self.dimensions(left), self.dimensions(right)
                return a * b if isinstance(a, Dimension) and isinstance(b, Dimension) else None
        return self.of_meaning(node)

    def of_meaning(self, node: Node) -> Dimensions:
        """The dimensions of what a part stands for, where its own parts do not say them."""
        try:
            value = value_of(node, self.scope)
        except WrittenError:
            return None
        rows = tuple(tuple(dimension_of(x, self.units) for x in row) for row in rows_of(value))
        return rows if isinstance(value, Table) else rows[0][0]

    def _function(self, node: tree.Call) -> Dimensions:
        inside = self.dimensions(node.argument)
        if node.function in ANGLE_FUNCTIONS and isinstance(inside, Dimension) and inside != NUMBER:
            what = f"takes the {ANGLE_FUNCTIONS[node.function]} of {_words(inside)}, which is no angle"
            raise WrittenError(node.span, f"{what}: `{self.scope.written(node)}`.")
        if node.function in ANGLE_FUNCTIONS or node.function == "sgn":
            return NUMBER
        powers = {"sqrt": Fraction(1, 2), "abs": Fraction(1)}
        return inside ** powers[node.function] if node.function in powers and isinstance(inside, Dimension) else None

    def equal(self, parts: Sequence[Node], word: str) -> Dimensions:
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
                message = (
                    f"{word.format(_words(entry), _words(usual))}: `{self.scope.written(part)}` is in {_words(entry)}."
                )
                raise WrittenError(part.span, message)
        return usual

    def product(self, node: Node, left: Dimensions, right: Dimensions) -> Dimensions:
        if left is None or right is None:
            return None
        if isinstance(left, Dimension):
            return _each(right, lambda x: left * x)
        if isinstance(right, Dimension):
            return _each(left, lambda x: x * right)
        if _shape(left) == (1, 1) or _shape(right) == (1, 1) or _shape(left)[1] != _shape(right)[0]:
            return None
        return tuple(tuple(self._dot(node, row, column) for column in zip(*right, strict=True)) for row in left)

    def _dot(self, node: Node, row: Sequence[Entry], column: Sequence[Entry]) -> Entry:
        terms = {a * b for a, b in zip(row, column, strict=True) if a is not None and b is not None}
        if len(terms) > 1:
            one, other = sorted(map(_words, terms))[:2]
            raise WrittenError(node.span, f"a row times a column adds {one} to {other}: `{self.scope.written(node)}`.")
        return terms.pop() if terms else None


def _each(dims: Dimensions, change: Callable[[Dimension], Dimension]) -> Dimensions:
    """A change of every dimension that is known."""
    rows = dims if isinstance(dims, tuple) else ((dims,),)
    changed = tuple(tuple(None if x is None else change(x) for x in row) for row in rows)
    return changed if isinstance(dims, tuple) else changed[0][0]


def _transposed(dims: Dimensions) -> Dimensions:
    return tuple(zip(*dims, strict=True)) if isinstance(dims, tuple) else dims


def _shape(dims: Dimensions) -> tuple[int, int]:
    return (len(dims), len(dims[0])) if isinstance(dims, tuple) else (1, 1)


def _entry(dims: Dimensions, i: int, j: int) -> Entry:
    return dims[i][j] if isinstance(dims, tuple) else dims


def _words(dimension: Dimension) -> str:
    return "a number" if dimension == NUMBER else str(dimension)
