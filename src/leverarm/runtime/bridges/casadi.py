"""Quantities as CasADi functions: an expression graph (SX) with one node per operation of the program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import prod
from typing import Any, Unpack

from leverarm.compiler import Array, Program
from leverarm.compiler.program import replayed, slices_of
from leverarm.model import Arm
from leverarm.runtime.bridges.asking import Choosing, asked_for, extra
from leverarm.scalars import Op


def to_casadi(arm: Arm, quantity: str, **choosing: Unpack[Choosing]) -> Any:
    """A quantity of an arm as a casadi.Function of column vectors, with named inputs and outputs.

    Entries that are always zero are structural zeros. `choosing` may hold inputs, extras, frame, axes, kinds and
    method, see `Choosing`. Raises MissingExtraError without CasADi.
    """
    casadi = extra("casadi", "CasADi")
    asked = asked_for(arm, quantity, choosing)
    program = asked.program
    names = [_name(casadi, name, k) for k, name in enumerate(asked.signature.parameters)]
    symbols = [casadi.SX.sym(name, *_rows_columns(a)) for name, a in zip(names, program.inputs, strict=True)]
    entries = [x for symbol, a in zip(symbols, program.inputs, strict=True) for x in _entries(symbol, a)]
    # the int 0 is a structural zero
    values = replayed(program, entries, functions(casadi), lambda x: casadi.SX(x) if x else casadi.SX(1, 1))
    results = list(_results(casadi, program, values))
    outputs = [f"{a.name}_next" if a.name in names else a.name for a in program.outputs]
    return casadi.Function(program.name, symbols, results, names, outputs)


def _name(casadi: Any, name: str, position: int) -> str:
    """The argument's name if CasADi accepts it."""
    return name if casadi.Function.check_name(name) else f"argument{position + 1}"


def functions(casadi: Any) -> dict[Op, Callable[..., Any]]:
    """CasADi's names of the unary functions."""
    return {Op.COS: casadi.cos, Op.SIN: casadi.sin, Op.SIGN: casadi.sign, Op.TANH: casadi.tanh}


def _rows_columns(array: Array) -> tuple[int, int]:
    """CasADi has only matrices: a vector is a column, further axes are flattened into columns."""
    rows, *others = array.shape or (1,)
    return rows, prod(others)


def _entries(symbol: Any, array: Array) -> Iterator[Any]:
    """The entries in row-major order (CasADi is column-major)."""
    rows, columns = _rows_columns(array)
    return (symbol[i, j] for i in range(rows) for j in range(columns))


def _results(casadi: Any, program: Program, values: Sequence[Any]) -> Iterator[Any]:
    for array, part in zip(program.outputs, slices_of(program.outputs), strict=True):
        rows, columns = _rows_columns(array)
        flat = [values[k] for k in program.results[part]]
        yield casadi.vertcat(*(casadi.horzcat(*flat[i * columns : (i + 1) * columns]) for i in range(rows)))
