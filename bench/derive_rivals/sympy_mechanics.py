"""sympy.physics.mechanics: LagrangesMethod and KanesMethod, set up in the quickest way they allow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy
from sympy.physics.mechanics import (
    KanesMethod,
    LagrangesMethod,
    Lagrangian,
    Point,
    ReferenceFrame,
    RigidBody,
    dynamicsymbols,
    inertia,
)

from derive_rivals.answer import Answer, State, arithmetic, largest_difference
from derive_rivals.chain import Chain, motions


def lagrange(chain: Chain) -> Iterator[Answer]:
    """d/dt dL/dqd - dL/dq as it comes, then each entry simplified."""
    q = dynamicsymbols(chain.coordinates)
    N, bodies, _ = _bodies(chain, q, [x.diff() for x in q])
    method = LagrangesMethod(Lagrangian(N, *bodies), q)
    tau = method.form_lagranges_equations()
    yield _answer(tau, (q, [x.diff() for x in q], [x.diff().diff() for x in q]))
    yield _answer(tau.applyfunc(sympy.simplify), (q, [x.diff() for x in q], [x.diff().diff() for x in q]))


def kane(chain: Chain) -> Iterator[Answer]:
    """-(Fr + Fr*) as it comes, then each entry simplified; speeds are the rates of the coordinates."""
    q = dynamicsymbols(chain.coordinates)
    u = dynamicsymbols([f"u_{name}" for name in chain.coordinates])
    N, bodies, loads = _bodies(chain, q, u)
    method = KanesMethod(N, q_ind=q, u_ind=u, kd_eqs=[a.diff() - b for a, b in zip(q, u, strict=True)])
    fr, frstar = method.kanes_equations(bodies, loads)
    tau = -(fr + frstar)
    yield _answer(tau, (q, u, [x.diff() for x in u]))
    yield _answer(tau.applyfunc(sympy.simplify), (q, u, [x.diff() for x in u]))


def _answer(tau: Any, letters: tuple[list[Any], list[Any], list[Any]]) -> Answer:
    def deviation(state: State) -> float:
        numbers = {sympy.Symbol(name): value for name, value in state.values.items()}
        for names, values in zip(letters, (state.q, state.qd, state.qdd), strict=True):
            numbers |= dict(zip(names, values, strict=True))
        return largest_difference((x.xreplace(numbers) for x in tau), state.tau)

    return Answer(lambda: arithmetic(tau), deviation)


def _bodies(chain: Chain, q: list[Any], u: list[Any]) -> tuple[Any, list[RigidBody], list[Any]]:
    """Rigid bodies whose velocities are given in body axes, so that no product needs a rotation between frames."""
    N, symbols = ReferenceFrame("N"), {name: sympy.Symbol(name) for name in chain.symbols}
    bodies, loads = [], []
    for i, state in enumerate(motions(chain, symbols, q, u, sympy.cos, sympy.sin)):
        frame, com = ReferenceFrame(f"A{i}"), Point(f"C{i}")
        vectors = ([sympy.sympify(x) for x in v] for v in (state.omega, state.velocity, state.weight))
        omega, velocity, weight = (a * frame.x + b * frame.y + c * frame.z for a, b, c in vectors)
        frame.set_ang_vel(N, omega)
        com.set_vel(N, velocity)
        (xx, xy, xz), (_, yy, yz), (_, _, zz) = state.moments
        body = RigidBody(f"B{i}", com, frame, state.mass, (inertia(frame, xx, yy, zz, xy, yz, xz), com))
        body.potential_energy = state.potential
        bodies.append(body)
        loads.append((com, weight))
    return N, bodies, loads
