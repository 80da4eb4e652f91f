"""Whether the units of a written formula fit: nothing is added to something of another dimension."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce

from leverarm.notation import tree
from leverarm.notation.reading import Statement
from leverarm.notation.tree import Node
from leverarm.verify.equations.algebra import every, rows_of
from leverarm.verify.equations.dimensions import NUMBER, TIME, Dimension, Units, dimension_of, units_of
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.verdict import WrittenError

Entry = Dimension | None
"""A dimension; None fits every other."""
Dimensions = tuple[tuple[Entry, ...], ...]
"""Of each entry of a matrix; a scalar is a matrix of one entry."""
ANY: Dimensions = ((None,),)

ANGLE_FUNCTIONS = {"sin": "sine", "cos": "cosine", "tan": "tangent", "tanh": "hyperbolic tangent", "exp": "exponential"}


def check_units(node: Node, scope: Scope) -> None:
    """Refuse a formula or an equation whose terms cannot be added: WrittenError "adds kg m to kg m^2: `m_1 L_1`".

    Symbols get their dimensions from their places in the arm; what is unknown there, and zero, fits everything.
    """
    units = units_of(scope.arm)
    _Reader(scope, units, units.numbers).dimensions(node)


def check_written_units(node: Node, scope: Scope) -> None:
    """The same by the units that are written behind numbers alone: a number without one could be in any."""
    if any(map(_is_measured, every(tree.Number, node))):
        _Reader(scope, units_of(scope.arm), None).dimensions(node)


class _Reader:
    """Dimensions of the parts of one document's formulas; `plain` is that of a number without a unit."""

    def __init__(self, scope: Scope, units: Units, plain: Entry) -> None:
        self.scope, self.units, self.plain = scope, units, plain

    def dimensions(self, node: Node) -> Dimensions:
        match node:
            case tree.Number(unit=(kg, m, s)):
                return _one(Dimension(Fraction(kg), Fraction(m), Fraction(s)))
            case tree.Number(value=x):
                return _one(self.plain if x else None)
            case tree.Negative(of=of):
                return self.dimensions(of)
            case tree.Sum(terms=terms):
                return self.equal([_unsigned(term) for term in terms], "adds {} to {}")
            case Statement(sides=sides):
                return self.equal(sides, "sets {} equal to {}")
            case tree.Product(factors=factors):
                is_measured = any(_is_measured(factor) for factor in factors)  # (0.9 + 0.4 cos q2) kg m^2
                inside = _Reader(self.scope, self.units, NUMBER) if is_measured else self
                return reduce(
                    lambda total, factor: self.product(node, total, inside.dimensions(factor)), factors, PLAIN
                )
            case tree.Ratio(above=above, below=below):
                under, over = _only(self.dimensions(below)), self.dimensions(above)
                return ANY if under is None else self.product(node, over, _one(NUMBER / under))
            case tree.Power(base=base, exponent=exponent):
                found = _only(self.dimensions(base))
                return ANY if found is None else _one(found**exponent)
            case tree.Call():
                return _one(self._function(node))
            case tree.Of(arguments=arguments):
                for part in arguments:  # the value decides between M(q) and g (m_1 + m_2); sums inside are looked at
                    self.dimensions(part)
            case tree.Matrix(rows=rows):
                return tuple(tuple(_only(self.dimensions(entry)) for entry in row) for row in rows)
            case tree.Transposed(of=of):
                return tuple(zip(*self.dimensions(of), strict=True))
            case tree.Inverse(of=of):
                return _each(tuple(zip(*self.dimensions(of), strict=True)), lambda x: NUMBER / x)
            case tree.TimeDerivative(of=of, order=order):
                return _each(self.dimensions(of), lambda x: x / TIME**order)
            case tree.PartialDerivative(of=of, by=by):
                step = _only(self.dimensions(by))
                return ANY if step is None else _each(self.dimensions(of), lambda x: x / step)
            case tree.Between(left=left, right=right):
                a, b = _only(self.dimensions(left)), _only(self.dimensions(right))
                return ANY if a is None or b is None else _one(a * b)
        return self.of_meaning(node)

    def of_meaning(self, node: Node) -> Dimensions:
        """The dimensions of what a part stands for, where its own parts do not say them."""
        try:
            value = value_of(node, self.scope)
        except WrittenError:
            return ANY
        return tuple(tuple(dimension_of(x, self.units) for x in row) for row in rows_of(value))

    def _function(self, node: tree.Call) -> Entry:
        inside = _only(self.dimensions(node.argument))
        if node.function in ANGLE_FUNCTIONS and inside not in (None, NUMBER):
            what = f"takes the {ANGLE_FUNCTIONS[node.function]} of {_words(inside)}, which is no angle"
            raise WrittenError(node.span, f"{what}: `{self.scope.written(node)}`.")
        if node.function in ANGLE_FUNCTIONS or node.function == "sgn":
            return NUMBER
        powers = {"sqrt": Fraction(1, 2), "abs": Fraction(1)}
        return None if inside is None or node.function not in powers else inside ** powers[node.function]

    def equal(self, parts: Sequence[Node], word: str) -> Dimensions:
        """The one dimension that parts share; the part that most others disagree with is refused."""
        found = [self.dimensions(part) for part in parts]
        shapes = {_shape(dims) for dims in found if dims != ANY}
        if len(shapes) != 1:
            return ANY
        ((rows, columns),) = shapes
        every = [dims if dims != ANY else ((None,) * columns,) * rows for dims in found]
        return tuple(
            tuple(self._shared(parts, [dims[i][j] for dims in every], word) for j in range(columns))
            for i in range(rows)
        )

    def _shared(self, parts: Sequence[Node], entries: Sequence[Entry], word: str) -> Entry:
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
        if ANY in (left, right):
            return ANY
        one, other = _only(left), _only(right)
        if one is not None:
            return _each(right, lambda x: one * x)
        if other is not None:
            return _each(left, lambda x: x * other)
        if _shape(left)[1] != _shape(right)[0]:
            return ANY
        return tuple(tuple(self._dot(node, row, column) for column in zip(*right, strict=True)) for row in left)

    def _dot(self, node: Node, row: Sequence[Entry], column: Sequence[Entry]) -> Entry:
        terms = {a * b for a, b in zip(row, column, strict=True) if a is not None and b is not None}
        if len(terms) > 1:
            one, other = sorted(map(_words, terms))[:2]
            raise WrittenError(node.span, f"a row times a column adds {one} to {other}: `{self.scope.written(node)}`.")
        return terms.pop() if terms else None


def _one(dimension: Entry) -> Dimensions:
    """Of a scalar."""
    return ((dimension,),)


PLAIN = _one(NUMBER)


def _only(dims: Dimensions) -> Entry:
    """The dimension of a scalar; None of a matrix."""
    return dims[0][0] if _shape(dims) == (1, 1) else None


def _is_measured(node: Node) -> bool:
    """Whether a factor is a number with a unit."""
    match node:
        case tree.Number(unit=(_, _, _)):
            return True
    return False


def _unsigned(term: Node) -> Node:
    match term:
        case tree.Negative(of=of):
            return of
    return term


def _each(dims: Dimensions, change: Callable[[Dimension], Dimension]) -> Dimensions:
    """A change of every dimension that is known."""
    return tuple(tuple(None if x is None else change(x) for x in row) for row in dims)


def _shape(dims: Dimensions) -> tuple[int, int]:
    return len(dims), len(dims[0])


def _words(dimension: Entry) -> str:
    return "a number" if dimension == NUMBER else str(dimension)
