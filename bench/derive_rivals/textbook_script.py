"""The script of many courses in plain SymPy: positions, Jacobians by `Matrix.jacobian`, M, Christoffel symbols, g."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import sympy
from sympy import Matrix

from derive_rivals.answer import Answer, State, arithmetic, largest_difference
from derive_rivals.chain import Chain, joint_rotation, read


def textbook(chain: Chain) -> Iterator[Answer]:
    """M, Christoffel symbols and g as they come, then each entry simplified."""
    q = Matrix(sympy.symbols(chain.coordinates))
    symbols = {name: sympy.Symbol(name) for name in chain.symbols}
    n = len(q)
    assert chain.moments_about == "com"
    gravity = Matrix([read(x, symbols) for x in chain.gravity])
    rotation, origin = sympy.eye(3), sympy.zeros(3, 1)
    turning, M, P = sympy.zeros(3, n), sympy.zeros(n, n), sympy.Integer(0)
    for i, link in enumerate(chain.links):
        mass, inertia = (
            read(link.mass, symbols),
            Matrix(3, 3, lambda a, b, link=link: read(link.moments[a][b], symbols)),
        )
        origin = origin + rotation * Matrix([read(x, symbols) for x in link.position])
        rotation = rotation * Matrix(joint_rotation(link, sympy.cos(q[i]), sympy.sin(q[i])))
        com = origin + rotation * Matrix([read(x, symbols) for x in link.com])
        Jv = com.jacobian(q)
        turning[:, i] = rotation[:, 2]
        in_body = rotation.T * turning
        M += mass * Jv.T * Jv + in_body.T * inertia * in_body
        P -= mass * gravity.dot(com)
    g = Matrix([P]).jacobian(q).T
    partials = [M.diff(x) for x in q]
    christoffel = [
        (partials[k][i, j] + partials[j][i, k] - partials[i][j, k]) / 2
        for i in range(n)
        for j in range(n)
        for k in range(n)
    ]
    raw = [*M, *christoffel, *g]
    yield _answer(raw, q)
    yield _answer([sympy.simplify(x) for x in raw], q)


def _answer(forms: list[Any], q: Any) -> Answer:
    n = len(q)

    def deviation(state: State) -> float:
        numbers = {sympy.Symbol(name): value for name, value in state.values.items()}
        numbers |= dict(zip(q, state.q, strict=True))
        values = [float(x.xreplace(numbers)) for x in forms]
        M, christoffel, g = values[: n * n], values[n * n : -n], values[-n:]
        products = [a * b for a in state.qd for b in state.qd]
        tau = [
            sum(m * a for m, a in zip(M[i * n :], state.qdd, strict=False))
            + sum(x * y for x, y in zip(christoffel[i * n * n :], products, strict=False))
            + g[i]
            for i in range(n)
        ]
        return largest_difference(tau, state.tau)

    return Answer(lambda: arithmetic(forms), deviation)
