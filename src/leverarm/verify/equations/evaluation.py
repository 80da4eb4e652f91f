"""The exact value of a written formula, in the letters of an arm."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import reduce
from typing import Any

from leverarm.errors import ExpressionError
from leverarm.mechanics import determinant
from leverarm.notation import tree
from leverarm.notation.elements import square_root
from leverarm.notation.tree import Node, Number, PartialDerivative, TimeDerivative, parts
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Application, Polynomial, in_whole_angles, letter, partial, substitute
from leverarm.scalars.ring import sign, tanh
from leverarm.scalars.turn import Turn
from leverarm.verify.equations import algebra
from leverarm.verify.equations.algebra import ShapeError, Value, column, entries, is_table
from leverarm.verify.equations.arm_names import head_of, name_of, turn_of
from leverarm.verify.equations.indices import totals
from leverarm.verify.equations.scope import LETTERS_OF_THE_ARM, Scope
from leverarm.verify.equations.verdict import WrittenError


def value_of(node: Node, scope: Scope) -> Value:
    """What a formula stands for, exactly. Raises WrittenError, with the place, where it stands for nothing."""
    try:
        return algebra.mapped(_value(node, scope), in_whole_angles)
    except ShapeError as problem:
        raise WrittenError(node.span, f"this {problem}: `{scope.written(node)}`.") from None


FOLDED: dict[type[Node], Callable[[Any, Sequence[Value]], Value]] = {
    tree.Negative: lambda _, of: algebra.negated(*of),
    tree.Sum: lambda _, terms: reduce(algebra.added, terms),
    tree.Product: lambda _, factors: algebra.multiplied_out(factors),
    tree.Ratio: lambda _, of: algebra.divided(*of),
    tree.Power: lambda node, of: algebra.powered(of[0], node.exponent),
    tree.Matrix: lambda node, entries: _stacked(entries, len(node.rows[0])),
    tree.Transposed: lambda _, of: algebra.transposed(*of),
    tree.Inverse: lambda _, of: algebra.inverted(*of),
    tree.Between: lambda node, of: _between(node.sign, *of),
}
"""The value of a formula from those of its parts, whether these are exact or floats at a sampled state."""


def _value(node: Node, scope: Scope) -> Value:
    match node:
        case tree.Number(value=x):
            return int(x) if x.denominator == 1 else x
        case tree.Name():
            return scope.value(node)
        case tree.Power(base=tree.Call(function="abs", argument=inner), exponent=2):  # |v|^2 = v . v
            return algebra.dotted(inside := value_of(inner, scope), inside)
        case tree.Power(base=base, exponent=exponent) if exponent % 2 == 0 and (root := under_root(base, scope)):
            return algebra.powered(value_of(root, scope), exponent // 2)
        case tree.TimeDerivative():
            return scope.rate(value_of(node.of, scope), node.order, node.span)
        case tree.Total():
            return reduce(algebra.added, [value_of(term, scope) for term in totals(node, scope.values.n)], 0)
        case tree.PartialDerivative():
            return _derivative(node, scope)
        case tree.Call():
            return _function(node, scope)
        case tree.Of():
            return _applied(node, scope)
    if type(node) not in FOLDED:
        raise WrittenError(node.span, f"a {type(node).__name__.lower()} has no value.")
    return FOLDED[type(node)](node, [value_of(part, scope) for part in parts(node)])


def under_root(node: Node, scope: Scope) -> Node | None:
    """What stands under a root of symbols, be it written or defined: v = sqrt(v_x^2 + v_y^2)."""
    match node:
        case tree.Name(dots=0) if (
            algebra.spelled(node) in scope.definitions and algebra.spelled(node) not in scope.given
        ):
            return under_root(scope.definitions[algebra.spelled(node)], scope)
        case tree.Call(function="sqrt", argument=inner) if any(True for _ in algebra.every(tree.Name, inner)):
            return inner
    return None


def _derivative(node: tree.PartialDerivative, scope: Scope) -> Value:
    of, by = value_of(node.of, scope), value_of(node.by, scope)
    letters = [_letter(x, node) for x in entries(by)]
    if len(letters) == 1:
        return algebra.mapped(of, lambda x: partial(x, letters[0]))
    if not is_table(of):
        return column([partial(of, name) for name in letters])
    if of.shape[1] != 1:
        raise ShapeError(f"takes the derivative of {algebra.described(of)} by {algebra.described(by)}")
    return algebra.table([[partial(x, name) for name in letters] for x in entries(of)])


def _function(node: tree.Call, scope: Scope) -> Value:
    argument = value_of(node.argument, scope)
    if node.function in ("sgn", "sign", "tanh"):
        return algebra.mapped(
            argument, lambda x: _of_speed("tanh" if node.function == "tanh" else "sgn", x, node, scope)
        )
    if node.function == "det":
        return _determinant(argument)
    if is_table(argument):
        raise ShapeError(f"takes {node.function} of {algebra.described(argument)}")
    if node.function == "sqrt":
        return _root(argument, node)
    if node.function == "abs":
        return _magnitude(argument, node, scope)
    if node.function not in CIRCULAR:
        raise WrittenError(node.span, f"{node.function} is not supported; sin, cos, tan, sqrt, sgn, tanh and det are.")
    return CIRCULAR[node.function](turn_of(argument, scope.values, node.argument.span))


def _applied(node: tree.Of, scope: Scope) -> Value:
    head = head_of(node)
    match node.head:
        case PartialDerivative() | TimeDerivative() if scope.uses.get(node.head.span) == "called":
            return value_of(node.head, scope)
    if head is not None and scope.uses.get(head.span, "part").startswith("called"):
        if scope.meaning(head).kind not in LETTERS_OF_THE_ARM:
            return _at(value_of(node.head, scope), node.arguments, scope)
        is_function_of_time = [*map(name_of, node.arguments)] == [tree.Name("t")]
        if is_function_of_time or (head.letter in ("theta", "q") and all(map(name_of, node.arguments))):
            return value_of(node.head, scope)  # theta_1(t)
    if len(node.arguments) != 1:
        raise WrittenError(node.span, "this has several arguments, but it is no known function of the arm.")
    inside = value_of(node.arguments[0], scope)
    is_skew = head is not None and head.letter == "S" and not head.lower
    if is_skew and algebra.shape_of(inside) == (3, 1):
        return algebra.skew(inside)
    return algebra.multiplied(value_of(node.head, scope), inside)


def _at(value: Value, arguments: tuple[Node, ...], scope: Scope) -> Value:
    """A quantity at the arguments that are numbers: Lambda(0, theta_2)."""
    coordinates = scope.values.exact.coordinates
    if len(arguments) < len(coordinates):
        return value
    put: dict[str, Scalar] = {}
    for i, (name, argument) in enumerate(zip(coordinates, arguments, strict=False)):
        match argument:
            case Number():
                number = value_of(argument, scope)
                put[name] = turn_of(number, scope.values, argument.span) if scope.values.turns(i) else number
    return value if not put else algebra.mapped(value, lambda x: substitute(x, put))


def _between(sign: str, left: Value, right: Value) -> Value:
    if sign == "dot":
        return algebra.dotted(left, right)
    both = is_table(left) and is_table(right)
    return algebra.crossed(left, right) if both else algebra.multiplied(left, right)


def _stacked(entries: Sequence[Value], width: int) -> Value:
    """A matrix of entries, which may be matrices themselves; beside these a 0 is a matrix of zeros."""
    rows = [entries[i : i + width] for i in range(0, len(entries), width)]
    heights = [max(algebra.shape_of(x)[0] for x in row) for row in rows]
    widths = [max(algebra.shape_of(x)[1] for x in column) for column in zip(*rows, strict=True)]
    stacked: list[list[Scalar]] = []
    for row, height in zip(rows, heights, strict=True):
        blocks = [_block(x, height, width) for x, width in zip(row, widths, strict=True)]
        stacked += [[entry for block in blocks for entry in block[r]] for r in range(height)]
    return algebra.table(stacked)


def _block(x: Value, height: int, width: int) -> list[list[Scalar]]:
    if algebra.shape_of(x) == (height, width):
        return algebra.rows_of(x)
    if algebra.is_plain_zero(x):
        return [[0] * width for _ in range(height)]
    raise ShapeError(f"puts {algebra.described(x)} where a {height} x {width} block is needed")


CIRCULAR: dict[str, Callable[[Turn], Value]] = {
    "sin": lambda turn: turn.sin,
    "cos": lambda turn: turn.cos,
    "tan": lambda turn: algebra.divided(turn.sin, turn.cos),
    "cot": lambda turn: algebra.divided(turn.cos, turn.sin),
    "sec": lambda turn: algebra.divided(1, turn.cos),
    "csc": lambda turn: algebra.divided(1, turn.sin),
}


def _determinant(x: Value) -> Scalar:
    if algebra.shape_of(x)[0] != algebra.shape_of(x)[1]:
        raise ShapeError(f"takes the determinant of {algebra.described(x)}, which is not square")
    return determinant(algebra.rows_of(x))


def _magnitude(x: Scalar, node: Node, scope: Scope) -> Scalar:
    """|x|: of a number, or of a product of masses, lengths and moments of inertia, which are positive."""
    roles = scope.equations.notation.vocabulary.roles
    match x:
        case int() | Fraction():
            return abs(x)
        case Polynomial() if all(one.name in roles for one in x.generators()) and all(c > 0 for _, c in x.terms()):
            return x
    raise WrittenError(node.span, "the absolute value of something that can have either sign is not supported.")


def _root(x: Value, node: Node) -> Value:
    try:
        if algebra.is_number(x):
            return square_root(Fraction(x)) if x else 0
    except ExpressionError as problem:
        raise WrittenError(node.span, str(problem)) from None
    raise WrittenError(
        node.span, "square roots are supported for numbers only; write the equation for the square instead."
    )


def _of_speed(function: str, x: Scalar, node: Node, scope: Scope) -> Scalar:
    """sgn or tanh of a value: the letter that the arm's own friction has, where it is that."""
    ring = scope.values.exact.ring
    for generator in ring.generators:
        match generator:
            case Application() if generator.function == function and generator.argument == x:
                return letter(ring, generator.name)
    match x:
        case Polynomial():
            return sign(x) if function == "sgn" else tanh(x)
        case int() | Fraction() if function == "sgn" or x == 0:
            return int(x > 0) - int(x < 0)
    raise WrittenError(node.span, f"{function} is supported for speeds and numbers only.")


def _letter(x: Scalar, node: tree.PartialDerivative) -> str:
    """The letter that a derivative is taken by."""
    if name := algebra.letter_of(x):
        return name
    raise WrittenError(
        node.by.span, "a derivative is taken with respect to a coordinate, a speed, a symbol, or all coordinates."
    )
