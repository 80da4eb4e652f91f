"""Generated code as SymPyBotics makes it: Newton-Euler in SymPy for M, g and c, then common subexpressions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import sympy

from derive_rivals.answer import Answer, State, arithmetic, largest_difference
from derive_rivals.chain import Chain, cross, dot, joint_rotation, plus, read, transposed_times


def newton_euler_code(chain: Chain) -> Iterator[Answer]:
    """M by unit accelerations, g at rest, c without gravity; one program for all of them."""
    n = len(chain.links)
    q, qd = (sympy.symbols([f"{letter}_{name}" for name in chain.coordinates]) for letter in ("q", "u"))
    symbols = {name: sympy.Symbol(name) for name in chain.symbols}
    still, gravity = [0] * n, [read(x, symbols) for x in chain.gravity]
    units = [[int(i == j) for i in range(n)] for j in range(n)]
    columns = [forces(chain, symbols, q, still, unit, [0, 0, 0]) for unit in units]
    M = [columns[j][i] for i in range(n) for j in range(i, n)]
    g = forces(chain, symbols, q, still, still, gravity)
    c = forces(chain, symbols, q, qd, still, [0, 0, 0])
    lines, results = sympy.cse([sympy.sympify(x) for x in (*M, *g, *c)])

    def deviation(state: State) -> float:
        numbers = {symbols[name]: value for name, value in state.values.items()}
        numbers |= dict(zip((*q, *qd), (*state.q, *state.qd), strict=True))
        for name, line in lines:
            numbers[name] = line.xreplace(numbers)
        upper, g, c = (iter([x.xreplace(numbers) for x in part]) for part in _parts(results, n))
        M = sympy.zeros(n, n)
        for i in range(n):
            for j in range(i, n):
                M[i, j] = M[j, i] = next(upper)
        tau = [dot(M.row(i), state.qdd) + a + b for i, a, b in zip(range(n), g, c, strict=True)]
        return largest_difference(tau, state.tau)

    yield Answer(lambda: arithmetic([line for _, line in lines]) + arithmetic(results), deviation)


def forces(
    chain: Chain, symbols: dict[str, Any], q: Sequence[Any], qd: Sequence[Any], qdd: Sequence[Any], gravity: list[Any]
) -> list[Any]:
    """tau by the recursion in body axes; masses, first moments and moments about the links' origins."""
    w, dw, a = [0, 0, 0], [0, 0, 0], [-x for x in gravity]
    net, turns, arms = [], [], []
    for link, angle, rate, change in zip(chain.links, q, qd, qdd, strict=True):
        p, h = ([read(x, symbols) for x in entries] for entries in (link.position, link.com))
        m, moments = read(link.mass, symbols), [[read(x, symbols) for x in row] for row in link.moments]
        h = [m * x for x in h]
        turn = joint_rotation(link, sympy.cos(angle), sympy.sin(angle))
        a = transposed_times(turn, plus(a, plus(cross(dw, p), cross(w, cross(w, p)))))
        w, dw = transposed_times(turn, w), transposed_times(turn, dw)
        dw = plus(plus(dw, [0, 0, change]), cross(w, [0, 0, rate]))
        w = plus(w, [0, 0, rate])
        force = plus([m * x for x in a], plus(cross(dw, h), cross(w, cross(w, h))))
        spin = [dot(row, w) for row in moments]
        moment = plus(plus([dot(row, dw) for row in moments], cross(w, spin)), cross(h, a))
        net.append((moment, force))
        turns.append(turn)
        arms.append(p)
    tau, moment, force = [], [0, 0, 0], [0, 0, 0]
    for (own_moment, own_force), turn, p in zip(reversed(net), reversed(turns), reversed(arms), strict=True):
        moment, force = plus(own_moment, moment), plus(own_force, force)
        tau.append(moment[2])
        force = [dot(row, force) for row in turn]
        moment = plus([dot(row, moment) for row in turn], cross(p, force))
    return tau[::-1]


def _parts(results: list[Any], n: int) -> tuple[list[Any], list[Any], list[Any]]:
    return results[: -2 * n], results[-2 * n : -n], results[-n:]
