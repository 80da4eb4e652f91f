"""Quantities defined otherwise: the level of no potential energy, the sign of a force, what V holds, a Jacobian's rows.

These concern one equation alone; whatever concerns angles, gravity or masses is another description of the arm.
"""

from __future__ import annotations

from collections.abc import Iterator

from leverarm import mechanics as me
from leverarm.closed_form import Equations
from leverarm.mechanics import ROWS
from leverarm.model import Attachment
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero, quotient
from leverarm.spatial import IDENTITY, Pose, Vec3
from leverarm.verify.equations.letters import depth_of
from leverarm.verify.equations.values import Table, Value, added, column, equal, is_zero, negated, shape_of


def defined_otherwise(eq: Equations, wanted: Value, value: Value) -> str | None:
    """The words that follow "equal", where the value is the wanted quantity by another definition of it."""
    return other_level(eq, wanted, value) or _other_sign(eq, wanted, value) or _other_terms(eq, wanted, value)


def other_level(eq: Equations, wanted: Value, value: Value) -> str | None:
    """Energies that differ by a constant: heights are measured from another level."""
    if isinstance(wanted, Table) or isinstance(value, Table):
        return None
    energies = [eq.P.value, eq.L.value, eq.H.value, *eq.link_potential_energies.values]
    difference, coordinates = value - wanted, eq.exact.coordinates
    if depth_of(difference, coordinates) or not depth_of(value, coordinates):
        return None
    if not any(wanted == energy for energy in energies):
        return None
    return f"up to the constant {eq.formula(difference).text()}: potential energy is zero at another height"


def _other_sign(eq: Equations, wanted: Value, value: Value) -> str | None:
    if is_zero(wanted) or not equal(value, negated(wanted)):
        return None
    if _is_one_of(wanted, eq.tau.values) or _is_one_of(wanted, eq.euler_lagrange.values):
        return "if tau is the force of the arm on what drives it (action = reaction), with the other sign"
    return None


def _other_terms(eq: Equations, wanted: Value, value: Value) -> str | None:
    """What some call V, N or h: Coriolis and centripetal forces together with gravity or friction."""
    c, g, F = (column(forces.values) for forces in (eq.c, eq.g, eq.friction))
    for words, more in (("gravity", g), ("friction", F), ("gravity and friction", added(g, F))):
        if is_zero(more):
            continue
        for part, whole in zip(_parts(c), _parts(added(c, more)), strict=True):
            if not equal(part, whole) and equal(wanted, part) and equal(value, whole):
                return f"if the vector of Coriolis and centripetal forces holds {words} too"
            if not equal(part, whole) and equal(wanted, whole) and equal(value, part):
                return f"if this vector holds no {words}"
    return None


def _parts(vector: Value) -> list[Value]:
    """A vector and each of its entries."""
    return [vector, *(x for row in vector.rows for x in row)] if isinstance(vector, Table) else [vector]


def _is_one_of(wanted: Value, forces: list[Scalar]) -> bool:
    return any(equal(wanted, part) for part in _parts(column(forces)))


def jacobian_otherwise(eq: Equations, wanted: Value, value: Value) -> str | None:
    """The words that follow "equal", where both are Jacobians of the arm: other rows, another order, another point."""
    if shape_of(value)[1] != len(eq.exact.qd) or not isinstance(wanted, Table):
        return None
    if not any(equal(wanted, J) for _, J in _jacobians(eq)):
        return None
    return next((words for words, J in _jacobians(eq) if equal(value, J)), None)


def _jacobians(eq: Equations) -> Iterator[tuple[str, Value]]:
    """Every Jacobian of the arm that a page may print, with the words for it; that of the tool comes first."""
    points = {f"of frame {name}": eq.jacobian(name).values for name in (eq.arm.tool, *eq.arm.frames[1:])}
    points |= dict(_of_centres(eq))
    for point, J in points.items():
        angular, linear = J[:3], J[3:]
        moving = [row for row in linear if any(not is_exactly_zero(x) for x in row)]
        turning = [row for row in angular if any(not is_exactly_zero(x) for x in row)]
        yield f"as the Jacobian {point}, angular rows first", _table(J)
        yield f"as the Jacobian {point} with its linear rows first", _table([*linear, *angular])
        yield f"as the linear rows of the Jacobian {point}", _table(linear)
        yield f"as the angular rows of the Jacobian {point}", _table(angular)
        for rows, words in ((moving, "linear"), (turning, "angular"), (moving + turning, ""), (turning + moving, "")):
            if rows:
                yield (
                    f"as those {words} rows of the Jacobian {point} that are not zero".replace("  ", " "),
                    _table(rows),
                )
        for rows in (moving[::-1], [linear[0], linear[2]], [linear[2], linear[0]]):
            if rows:
                names = ", ".join(ROWS[3 + next(k for k in range(3) if linear[k] is row)] for row in rows)
                yield f"as the rows {names} of the Jacobian {point}", _table(rows)


def _of_centres(eq: Equations) -> Iterator[tuple[str, list[list[Scalar]]]]:
    mechanism, q = eq.exact.mechanism, eq.exact.q
    for i, link in enumerate(mechanism.links):
        if not is_exactly_zero(link.inertia.m):
            centre = Vec3(*(quotient(part, link.inertia.m) for part in link.inertia.h))
            point = Attachment(i, Pose(IDENTITY, centre))
            yield f"of the centre of mass of {link.name}", me.point_jacobian(mechanism, q, point)


def _table(rows: list[list[Scalar]]) -> Value:
    return Table(tuple(tuple(row) for row in rows))
