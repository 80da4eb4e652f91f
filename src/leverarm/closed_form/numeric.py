"""Closed forms as functions of arrays: compiled to a short program, which runs over one state or many."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from leverarm.closed_form.symbols import symbols_in
from leverarm.errors import InputError, unknown_name
from leverarm.notation.names import python_name
from leverarm.notation.nested import nested
from leverarm.notation.numpy_function import compile_numpy
from leverarm.notation.tree import Matrix
from leverarm.scalars import Scalar

if TYPE_CHECKING:
    from leverarm.closed_form.formula import Notation


def numeric_function(values: Sequence[Scalar], notation: Notation, shape: tuple[int, ...]) -> Callable[..., Any]:
    """f(q, qd=None, qdd=None, **symbols): the closed forms at a state, or at many.

    q, qd, qdd have shape (..., n) in the order of the arm's coordinates; symbols take the arm's default values unless
    given, as numbers or arrays that broadcast. The result has shape (..., *shape).
    """
    import numpy as np

    vocabulary = notation.vocabulary
    coordinates = vocabulary.coordinates
    printed = [vocabulary.printed[name] for name in coordinates]
    letters = [python_name(name, dots) for dots in range(3) for name in printed]
    known = dict(notation.defaults) | symbols_in(values, notation)
    defaults = {name: np.float64(x) for name, x in known.items()}
    entries = Matrix((tuple(nested(x, vocabulary) for x in values),))
    program = compile_numpy(entries, (*letters, *map(python_name, defaults)))

    def evaluate(q: Any, qd: Any = None, qdd: Any = None, **symbols: Any) -> Any:
        for name in symbols:
            if name not in defaults:
                raise InputError(unknown_name("symbol", name, defaults))
        states: list[Any] = []
        batch = np.broadcast_shapes(*(np.shape(value) for value in symbols.values()))
        for what, given in (("q", q), ("qd", qd), ("qdd", qdd)):
            state = np.zeros(len(coordinates)) if given is None else np.asarray(given, dtype=float)
            if state.ndim == 0 or state.shape[-1] != len(coordinates):
                raise InputError(
                    f"{what} has shape {state.shape}; its last axis must have {len(coordinates)} entries: "
                    f"{', '.join(coordinates)}."
                )
            batch = np.broadcast_shapes(batch, state.shape[:-1])
            states += [state[..., i] for i in range(len(coordinates))]
        given_symbols = {name: np.asarray(value, dtype=float) for name, value in symbols.items()}
        found = program(*states, *(defaults | given_symbols).values())
        return np.array(np.broadcast_to(found, (*batch, 1, len(values)))).reshape((*batch, *shape))[()]

    return evaluate
