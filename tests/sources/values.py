"""What leverarm computes for an arm, exactly, by the names the pages use; and the value of a formula in these names."""

from __future__ import annotations

from functools import reduce
from typing import Any

from leverarm import mechanics as me
from leverarm.closed_form import Equations
from leverarm.mechanics.kinematics import ancestors
from leverarm.mechanics.matrices import add, dot
from leverarm.model import Attachment
from leverarm.notation import tree
from leverarm.notation.elements import element_of, over
from leverarm.notation.text import to_text
from leverarm.notation.tree import Node
from leverarm.scalars import Turn
from leverarm.scalars.exact import limit_at_infinity, partial, quotient, substitute
from leverarm.spatial import IDENTITY, Pose, Vec3

Value = Any
"""An exact scalar, or a matrix as a list of rows."""


def quantities(eq: Equations) -> dict[str, Value]:
    """Every quantity of an arm that a page may name: K1, xd2, v2^2, J_v1, S2, M(theta), Lambda(0, theta2) ..."""
    exact = eq.exact
    printed = [eq.notation.vocabulary.printed[name] for name in exact.coordinates]
    found: dict[str, Value] = {"K": eq.K.value, "P": eq.P.value, "L": eq.L.value, "H": eq.H.value}
    letters = [[partial_of(eq, name, dots) for name in printed] for dots in range(3)]
    for vector in ["q"] if "theta" in printed else ["q", "theta"]:
        for dots, entries in enumerate(letters):
            found[vector + "d" * dots] = column(entries)
        found |= {f"M({vector})": eq.M.values, f"g({vector})": column(eq.g.values)}
        found |= {
            f"{name}({vector}, {vector}d)": value for name, value in (("c", column(eq.c.values)), ("C", eq.C.values))
        }
    found |= {"M": eq.M.values, "c": column(eq.c.values), "C": eq.C.values, "tau": column(eq.euler_lagrange.values)}
    own = {body.joint.name: body.joint.force for body in eq.arm.bodies}
    for i, (name, force) in enumerate(zip(exact.coordinates, eq.euler_lagrange.values, strict=True), 1):
        found[own.get(name) or f"tau{i}"] = force
    for i in range(len(exact.mechanism.links)):
        found |= _of_link(eq, i)
    return found | _of_tip(eq, printed)


def partial_of(eq: Equations, name: str, dots: int) -> Value:
    """The letter of a coordinate, its speed or its acceleration."""
    return element_of(tree.Symbol(name, dots), eq.notation.vocabulary)


def _of_link(eq: Equations, i: int) -> dict[str, Value]:
    mechanism, q, qd, n = eq.exact.mechanism, eq.exact.q, eq.exact.qd, i + 1
    link = mechanism.links[i]
    pose = me.world_from_links(mechanism, q)[i]
    found: dict[str, Value] = {
        f"K{n}": eq.link_kinetic_energies.values[i],
        f"P{n}": eq.link_potential_energies.values[i],
        f"R{n}": [list(row) for row in pose.rotation.rows()],
        f"omega{n}": column(list(me.angular_velocities(mechanism, q, qd)[i])),
    }
    chain = me.screw_chain(mechanism)
    for j, screw in enumerate(chain.screws):
        moved = j in (i, *ancestors(mechanism, i))
        found[f"S{j + 1} for link {n}"] = column([*screw.angular, *screw.linear] if moved else [0] * 6)
    found[f"S{n}"] = found[f"S{n} for link {n}"]
    if not link.inertia.m:
        return found
    com = Vec3(*(quotient(part, link.inertia.m) for part in link.inertia.h))
    rates = [list(pose @ com)]
    for _ in range(2):
        rates.append([eq.time_derivative(x) for x in rates[-1]])
    for dots, values in enumerate(rates):
        found |= {f"{axis}{'d' * dots}{n}": value for axis, value in zip("xyz", values, strict=True)}
    home = chain.home[i] * Pose(IDENTITY, com)
    J = me.point_jacobian(mechanism, q, Attachment(i, Pose(IDENTITY, com)))
    return found | {
        f"v{n}": column(rates[1]),
        f"f{n}": [[link.inertia.m * x] for x in rates[2]],
        f"M_{{0,c{n}}}": [
            *([*row, p] for row, p in zip(home.rotation.rows(), home.position, strict=True)),
            [0, 0, 0, 1],
        ],
        f"J_omega{n}": J[:3],
        f"J_v{n}": J[3:],
    }


def _of_tip(eq: Equations, printed: list[str]) -> dict[str, Value]:
    found: dict[str, Value] = {"J": [row for row in eq.jacobian().values[3:] if any(x != 0 for x in row)]}
    Lambda = eq.operational_inertia().values
    vectors = ["q"] if "theta" in printed else ["q", "theta"]
    found |= {f"Lambda({vector})": Lambda for vector in vectors}
    if isinstance(eq.exact.q[0], Turn) and len(printed) == 2:
        straight = [[substitute(x, {eq.exact.coordinates[0]: Turn(1, 0)}) for x in row] for row in Lambda]
        found[f"Lambda(0, {printed[1]})"] = straight
        if not isinstance(eq.exact.q[1], Turn):
            far = [[limit_at_infinity(x, eq.exact.coordinates[1]) for x in row] for row in straight]
            found[f"lim Lambda(0, {printed[1]})"] = far
    return found


def value_of(node: Node, eq: Equations, known: dict[str, Value]) -> Value:
    """The exact value of a formula: a scalar, or a matrix as rows. Raises where it has none."""
    text = to_text(node, eq.notation.writing)
    if text in known:
        return known[text]

    def inner(part: Node) -> Value:
        return value_of(part, eq, known)

    match node:
        case tree.Matrix(rows=rows):
            return [[inner(entry) for entry in row] for row in rows]
        case tree.Sum(terms=terms):
            return reduce(added, map(inner, terms))
        case tree.Product(factors=factors):
            return reduce(multiplied, map(inner, factors))
        case tree.Power(base=base, exponent=exponent):
            factor = inner(base)
            square = [multiplied(transposed(factor), factor)] if isinstance(factor, list) else []
            return reduce(multiplied, square or [factor] * exponent)
        case tree.Ratio(above=above, below=below):
            return over(inner(above), inner(below))
        case tree.Labelled(of=of):
            return inner(of)
        case tree.Transposed(of=of):
            return transposed(inner(of))
        case tree.Inverse(of=of):
            A = inner(of)
            return [[quotient(x, me.determinant(A)) for x in row] for row in me.adjugate(A)]
        case tree.TimeDerivative(of=of):
            return eq.time_derivative(inner(of))
        case tree.PartialDerivative(of=of, by=tree.Symbol(name=name, dots=dots)):
            printed = {shown: own for own, shown in eq.notation.vocabulary.printed.items()}
            return partial(inner(of), printed[name] + ("." + "d" * dots if dots else ""))
        case _:
            return element_of(node, eq.notation.vocabulary)


def column(entries: list[Value]) -> Value:
    """A vector as a matrix of one column."""
    return [[entry] for entry in entries]


def transposed(A: Value) -> Value:
    """A^T; a scalar stays."""
    return me.transposed(A) if isinstance(A, list) else A


def added(a: Value, b: Value) -> Value:
    """a + b of scalars, or of matrices of one shape."""
    if isinstance(a, list) != isinstance(b, list):
        raise ValueError("a scalar and a matrix are added.")
    return add(a, b) if isinstance(a, list) else a + b


def multiplied(a: Value, b: Value) -> Value:
    """a b of scalars and matrices; 1 x 1 is a scalar."""
    if not isinstance(a, list) or not isinstance(b, list):
        if isinstance(a, list):
            a, b = b, a
        return [[a * x for x in row] for row in b] if isinstance(b, list) else a * b
    if len(a[0]) != len(b):
        raise ValueError("matrices of these shapes are not multiplied.")
    rows = [[dot(row, entries) for entries in me.transposed(b)] for row in a]
    return rows[0][0] if len(rows) == len(rows[0]) == 1 else rows
