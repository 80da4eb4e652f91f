"""Closed forms as functions of arrays: the exact terms themselves, evaluated in floats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from leverarm.errors import InputError, unknown_name
from leverarm.scalars import Scalar
from leverarm.scalars.exact import Application, Cosine, Generator, Polynomial, Quotient, Sine

if TYPE_CHECKING:
    from leverarm.closed_form.formula import Notation

Environment = Callable[[Generator], Any]


def numeric_function(values: Any, notation: Notation, shape: tuple[int, ...]) -> Callable[..., Any]:
    """f(q, qd=None, qdd=None, **symbols): the closed forms at a state, or at many.

    q, qd, qdd have shape (..., n) in the order of the arm's coordinates; symbols take the arm's default values unless
    given, as numbers or arrays that broadcast. The result has shape (..., *shape).
    """
    import numpy as np

    coordinates = notation.vocabulary.coordinates

    def evaluate(q: Any, qd: Any = None, qdd: Any = None, **symbols: Any) -> Any:
        for name in symbols:
            if name not in notation.defaults:
                raise InputError(unknown_name("symbol", name, notation.defaults))
        known: dict[str, Any] = dict(notation.defaults) | symbols
        batch: tuple[int, ...] = ()
        for what, suffix, given in (("q", "", q), ("qd", ".d", qd), ("qdd", ".dd", qdd)):
            array = np.zeros(len(coordinates)) if given is None else np.asarray(given, dtype=float)
            if array.ndim == 0 or array.shape[-1] != len(coordinates):
                raise InputError(
                    f"{what} has shape {array.shape}; its last axis must have {len(coordinates)} entries: "
                    f"{', '.join(coordinates)}."
                )
            batch = np.broadcast_shapes(batch, array.shape[:-1])
            known |= {f"{name}{suffix}": array[..., i] for i, name in enumerate(coordinates)}
        batch = np.broadcast_shapes(batch, *(np.shape(value) for value in symbols.values()))
        memory: dict[str, Any] = {}
        flat = [np.broadcast_to(_evaluate(x, known, memory), batch) for x in _flattened(values)]
        return np.stack(flat, axis=-1).reshape(*batch, *shape) if shape else flat[0][()]

    return evaluate


def _flattened(values: Any) -> list[Scalar]:
    if isinstance(values, list | tuple):
        return [entry for part in values for entry in _flattened(part)]
    return [values]


def _evaluate(x: Scalar, known: Mapping[str, Any], memory: dict[str, Any]) -> Any:
    if isinstance(x, Quotient):
        return _evaluate(x.numerator, known, memory) / _evaluate(x.denominator, known, memory)
    if not isinstance(x, Polynomial):
        return float(x)
    total: Any = 0.0
    for letters, coefficient in x.terms():
        term: Any = float(coefficient)
        for generator, exponent in letters:
            term = term * _value(generator, known, memory) ** exponent
        total = total + term
    return total


def _value(generator: Generator, known: Mapping[str, Any], memory: dict[str, Any]) -> Any:
    if generator.name not in memory:
        memory[generator.name] = _compute(generator, known, memory)
    return memory[generator.name]


def _compute(generator: Generator, known: Mapping[str, Any], memory: dict[str, Any]) -> Any:
    import numpy as np

    if isinstance(generator, Sine | Cosine) and generator.angle in known:
        return (np.sin if isinstance(generator, Sine) else np.cos)(known[generator.angle])
    if isinstance(generator, Application):
        function = {"sgn": np.sign, "tanh": np.tanh}[generator.function]
        return function(_evaluate(generator.argument, known, memory))
    return known.get(generator.name, generator.value)
