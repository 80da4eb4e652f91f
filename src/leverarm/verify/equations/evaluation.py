"""The exact value of a written formula, in the letters of an arm."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import reduce, singledispatch

from leverarm.errors import ExpressionError
from leverarm.mechanics import determinant
from leverarm.notation.elements import square_root
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
    Sum,
    TimeDerivative,
    Total,
    Transposed,
)
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Application, Polynomial, is_exactly_zero, letter, partial, substitute
from leverarm.scalars.ring import sign, tanh
from leverarm.scalars.turn import Turn
from leverarm.verify.equations.coordinate_names import head_of, turn_of
from leverarm.verify.equations.indices import totals
from leverarm.verify.equations.scope import LETTERS_OF_THE_ARM, Scope
from leverarm.verify.equations.values import (
    ShapeError,
    Table,
    Value,
    added,
    column,
    crossed,
    described,
    divided,
    dotted,
    entries,
    inverted,
    mapped,
    multiplied,
    negated,
    powered,
    shape_of,
    skew,
    table,
    transposed,
)
from leverarm.verify.equations.verdict import WrittenError


def value_of(node: Node, scope: Scope) -> Value:
    """What a formula stands for, exactly. Raises WrittenError, with the place, where it stands for nothing."""
    try:
        return _value(node, scope)
    except ShapeError as problem:
        written = " ".join(scope.text[slice(*node.span)].split())
        raise WrittenError(node.span, f"this {problem}: `{written}`.") from None


@singledispatch
def _value(node: Node, scope: Scope) -> Value:
    raise WrittenError(node.span, f"a {type(node).__name__.lower()} has no value.")


@_value.register
def _(node: Number, scope: Scope) -> Value:
    return int(node.value) if node.value.denominator == 1 else node.value


@_value.register
def _(node: Name, scope: Scope) -> Value:
    return scope.value(node)


@_value.register
def _(node: Negative, scope: Scope) -> Value:
    return negated(value_of(node.of, scope))


@_value.register
def _(node: Sum, scope: Scope) -> Value:
    return reduce(added, [value_of(term, scope) for term in node.terms])


@_value.register
def _(node: Product, scope: Scope) -> Value:
    return reduce(multiplied, [value_of(factor, scope) for factor in node.factors])


@_value.register
def _(node: Quotient, scope: Scope) -> Value:
    return divided(value_of(node.above, scope), value_of(node.below, scope))


@_value.register
def _(node: Power, scope: Scope) -> Value:
    if isinstance(node.base, Function) and node.base.name == "abs" and node.exponent == 2:  # |v|^2 = v . v
        inside = value_of(node.base.argument, scope)
        return dotted(inside, inside)
    return powered(value_of(node.base, scope), node.exponent)


@_value.register
def _(node: Matrix, scope: Scope) -> Value:
    return _stacked([[value_of(entry, scope) for entry in row] for row in node.rows])


@_value.register
def _(node: Transposed, scope: Scope) -> Value:
    return transposed(value_of(node.of, scope))


@_value.register
def _(node: Inverse, scope: Scope) -> Value:
    return inverted(value_of(node.of, scope))


@_value.register
def _(node: Between, scope: Scope) -> Value:
    left, right = value_of(node.left, scope), value_of(node.right, scope)
    if node.sign == "dot":
        return dotted(left, right)
    both = isinstance(left, Table) and isinstance(right, Table)
    return crossed(left, right) if both else multiplied(left, right)


@_value.register
def _(node: TimeDerivative, scope: Scope) -> Value:
    return scope.rate(value_of(node.of, scope), node.order, node.span)


@_value.register
def _(node: Total, scope: Scope) -> Value:
    return reduce(added, [value_of(term, scope) for term in totals(node, scope.values.n)], 0)


@_value.register
def _(node: PartialDerivative, scope: Scope) -> Value:
    of, by = value_of(node.of, scope), value_of(node.by, scope)
    letters = [_letter(x, node) for x in entries(by)]
    if len(letters) == 1:
        return mapped(of, lambda x: partial(x, letters[0]))
    if not isinstance(of, Table):
        return column([partial(of, name) for name in letters])
    if of.shape[1] != 1:
        raise ShapeError(f"takes the derivative of {described(of)} by {described(by)}")
    return table([[partial(x, name) for name in letters] for x in entries(of)])


@_value.register
def _(node: Function, scope: Scope) -> Value:
    argument = value_of(node.argument, scope)
    if node.name in ("sgn", "sign", "tanh"):
        return mapped(argument, lambda x: _applied("tanh" if node.name == "tanh" else "sgn", x, node, scope))
    if node.name == "det":
        return _determinant(argument)
    if isinstance(argument, Table):
        raise ShapeError(f"takes {node.name} of {described(argument)}")
    if node.name == "sqrt":
        return _root(argument, node)
    if node.name == "abs":
        return _magnitude(argument, node, scope)
    if node.name not in ("sin", "cos", "tan", "cot", "sec", "csc"):
        raise WrittenError(node.span, f"{node.name} is not read; sin, cos, tan, sqrt, sgn, tanh and det are.")
    turn = turn_of(argument, scope.values, node.argument.span)
    return _circular(node.name, turn)


@_value.register
def _(node: Applied, scope: Scope) -> Value:
    head = head_of(node)
    if isinstance(node.head, PartialDerivative | TimeDerivative) and scope.uses.get(node.head.span) == "called":
        return value_of(node.head, scope)
    if head is not None and scope.uses.get(head.span, "part").startswith("called"):
        if scope.meaning(head).kind not in LETTERS_OF_THE_ARM:
            return _at(value_of(node.head, scope), node.arguments, scope)
        if head.letter in ("theta", "q", "x", "r", "d") and all(isinstance(x, Name) for x in node.arguments):
            return value_of(node.head, scope)  # theta_1(t)
    if len(node.arguments) != 1:
        raise WrittenError(node.span, "something with several arguments is not known to be a function of the arm.")
    inside = value_of(node.arguments[0], scope)
    is_skew = head is not None and head.letter == "S" and not head.lower
    if is_skew and isinstance(inside, Table) and inside.shape == (3, 1):
        return skew(inside)
    return multiplied(value_of(node.head, scope), inside)


def _at(value: Value, arguments: tuple[Node, ...], scope: Scope) -> Value:
    """A quantity at the arguments that are numbers: Lambda(0, theta_2)."""
    coordinates = scope.values.exact.coordinates
    if len(arguments) < len(coordinates) or not any(isinstance(x, Number) for x in arguments):
        return value
    put: dict[str, Scalar] = {}
    for i, (name, argument) in enumerate(zip(coordinates, arguments, strict=False)):
        if isinstance(argument, Number):
            number = value_of(argument, scope)
            put[name] = turn_of(number, scope.values, argument.span) if scope.values.turns(i) else number
    return mapped(value, lambda x: substitute(x, put))


def _stacked(rows: list[list[Value]]) -> Value:
    """A matrix of entries, which may be matrices themselves; beside these a 0 is a matrix of zeros."""
    if not any(isinstance(x, Table) for row in rows for x in row):
        return table(rows)
    heights = [max(shape_of(x)[0] for x in row) for row in rows]
    widths = [max(shape_of(x)[1] for x in entries_) for entries_ in zip(*rows, strict=True)]
    joined: list[list[Scalar]] = []
    for row, height in zip(rows, heights, strict=True):
        blocks = [_block(x, height, width) for x, width in zip(row, widths, strict=True)]
        joined += [[entry for block in blocks for entry in block[r]] for r in range(height)]
    return table(joined)


def _block(x: Value, height: int, width: int) -> list[list[Scalar]]:
    if shape_of(x) == (height, width):
        return [list(row) for row in x.rows] if isinstance(x, Table) else [[x]]
    if not isinstance(x, Table) and is_exactly_zero(x):
        return [[0] * width for _ in range(height)]
    raise ShapeError(f"puts {described(x)} where {height} x {width} numbers are needed")


def _circular(name: str, turn: Turn) -> Value:
    forms: dict[str, Callable[[], Value]] = {
        "sin": lambda: turn.sin,
        "cos": lambda: turn.cos,
        "tan": lambda: divided(turn.sin, turn.cos),
        "cot": lambda: divided(turn.cos, turn.sin),
        "sec": lambda: divided(1, turn.cos),
        "csc": lambda: divided(1, turn.sin),
    }
    return forms[name]()


def _determinant(x: Value) -> Scalar:
    if shape_of(x)[0] != shape_of(x)[1]:
        raise ShapeError(f"takes the determinant of {described(x)}, which is not square")
    return determinant([list(row) for row in x.rows]) if isinstance(x, Table) else x


def _magnitude(x: Scalar, node: Node, scope: Scope) -> Scalar:
    """|x|: of a number, or of a product of masses, lengths and moments of inertia, which are positive."""
    if isinstance(x, int | Fraction):
        return abs(x)
    if isinstance(x, Polynomial):
        roles = scope.equations.notation.vocabulary.roles
        if all(generator.name in roles for generator in x.generators()) and all(c > 0 for _, c in x.terms()):
            return x
    raise WrittenError(node.span, "the magnitude of what can have either sign is not read.")


def _root(x: Value, node: Node) -> Value:
    try:
        if isinstance(x, int | Fraction):
            return square_root(Fraction(x)) if x else 0
    except ExpressionError as problem:
        raise WrittenError(node.span, str(problem)) from None
    raise WrittenError(node.span, "square roots are read of numbers only; write its square instead.")


def _applied(function: str, x: Scalar, node: Node, scope: Scope) -> Scalar:
    """sgn or tanh of a value: the letter that the arm's own friction has, where it is that."""
    ring = scope.values.exact.ring
    for generator in ring.generators:
        if isinstance(generator, Application) and generator.function == function and generator.argument == x:
            return letter(ring, generator.name)
    if isinstance(x, Polynomial):
        return sign(x) if function == "sgn" else tanh(x)
    if isinstance(x, int | Fraction) and (function == "sgn" or x == 0):
        return int(x > 0) - int(x < 0)
    raise WrittenError(node.span, f"{function} is read of speeds and numbers only.")


def _letter(x: Scalar, node: PartialDerivative) -> str:
    """The letter that a derivative is taken by."""
    if isinstance(x, Polynomial):
        terms = list(x.terms())
        if len(terms) == 1 and terms[0][1] == 1 and len(terms[0][0]) == 1 and terms[0][0][0][1] == 1:
            return terms[0][0][0][0].name
    raise WrittenError(node.by.span, "a derivative is taken by a coordinate, a speed, a symbol, or all coordinates.")
