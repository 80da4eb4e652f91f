"""heyoka's `lagrangian`: the accelerations in explicit form, as expressions to be integrated, not to be read."""

from __future__ import annotations

from collections.abc import Iterator

import heyoka as hy

import leverarm as la
from derive_rivals.answer import Answer, State
from derive_rivals.chain import Chain, lagrangian, motions


def heyoka(chain: Chain) -> Iterator[Answer]:
    """qdd = f(q, qd, parameters)."""
    q, qd = ([hy.expression(f"{letter}{i}") for i in range(len(chain.links))] for letter in ("q", "u"))
    symbols = {name: hy.par[i] for i, name in enumerate(chain.symbols)}
    found = hy.lagrangian(lagrangian(motions(chain, symbols, q, qd, hy.cos, hy.sin), 0.5), q, qd)
    accelerations = [right for _, right in found[len(q) :]]

    def deviation(state: State) -> float:
        f = hy.cfunc(accelerations, [*q, *qd])
        qdd = f([*state.q, *state.qd], pars=[state.values[name] for name in chain.symbols])
        return max(map(abs, la.inverse_dynamics(state.arm, state.q, state.qd, list(qdd))))

    def operations() -> int:
        """Steps of the straight-line program that heyoka makes of them: less its inputs and its outputs."""
        return len(hy.cfunc(accelerations, [*q, *qd]).dc) - 3 * len(q)

    yield Answer(operations, deviation)
