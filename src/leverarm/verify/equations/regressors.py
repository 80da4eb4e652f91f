"""Regressors: a matrix W and parameters phi that a text defines, checked as W phi = tau."""

from __future__ import annotations

from collections.abc import Iterator

from leverarm.reading.tree import Statement
from leverarm.verify.equations.definitions import PARAMETERS, defined_name, is_definition
from leverarm.verify.equations.evaluation import value_of
from leverarm.verify.equations.meaning import spelled
from leverarm.verify.equations.scope import Scope
from leverarm.verify.equations.values import Table, Value, column, multiplied
from leverarm.verify.equations.verdict import WrittenError

MATRICES = ("W", "Y", "Phi", "phi", "varphi")


def regressor_product(statement: Statement, scope: Scope) -> tuple[Value, Value] | None:
    """W phi and tau, where a line defines a regressor and another its parameters; None for other lines."""
    name = defined_name(statement)
    if name is None or name.letter not in MATRICES or not is_definition(statement, scope):
        return None
    try:
        W = value_of(statement.sides[1], scope)
        if not isinstance(W, Table) or W.shape[0] != scope.values.n or W.shape[1] == 1:
            return None
        for phi in _parameters(scope, spelled(name)):
            if isinstance(phi, Table) and phi.shape == (W.shape[1], 1):
                return multiplied(W, phi), column(scope.equations.tau.values)
    except WrittenError:
        return None
    return None


def _parameters(scope: Scope, besides: str) -> Iterator[Value]:
    for word, formula in scope.definitions.items():
        if word in PARAMETERS and word != besides:
            yield value_of(formula, scope)
