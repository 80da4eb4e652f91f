"""Energies, positions, velocities, rotations and Jacobians by the letters of books: K_1, x_2, v_c1, J_v1."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from leverarm.notation.tree import Name
from leverarm.quantities.table import BOOK_LETTERS
from leverarm.scalars import Scalar
from leverarm.verify.equations import algebra
from leverarm.verify.equations.algebra import Find, Meaning, Value
from leverarm.verify.equations.arm_values import ArmValues, Body

KINETIC, POTENTIAL = (
    tuple(letter for letter, names in BOOK_LETTERS.items() if name in names)
    for name in ("kinetic_energy", "potential_energy")
)
RATE = "rate"
"""The kind of w_2 as the speed of the second coordinate, which is meant in formulas only: w_2 = qd_2 is no claim."""
ENERGIES = ("the kinetic energy", "the potential energy")
POINTS = {"com": "the centre of mass", "end": "the end"}
_POINT = re.compile(r"(c|C|cm|com|CM|g|G|e)?(\d)")
_JACOBIAN = re.compile(r"(v|omega|w|p|P|o|L|A|l|a)?(c|C|cm|com|g|G)?(\d?)")
TOOL = ("", "e", "ee", "E", "EE", "t", "tip", "tool", "T", "p", "P", "end", "tcp")
_PART_OF_ENERGY = re.compile(r"(?P<before>\d?)(?:rot|tr|trans|lin)(?P<behind>\d?)")
BY_MASS = " by mass"
"""Ends the kind of what an index says by a mass or a name, x_1 of the bob m_1 that is on link 2."""
ALONG = " along one axis"
"""Ends the kind of a coordinate of a point, which is a length as coordinates and symbols of the arm are."""
AXES = {"x": 0, "y": 1, "z": 2, "X": 0, "Y": 1, "Z": 2}


def motion_meanings(name: Name, values: ArmValues) -> Iterator[Meaning]:
    """What a name can stand for of the arm's energies and of how its links move."""
    letter, index = name.letter, algebra.plain(name.lower)
    if name.upper not in ("", "0"):
        return
    yield from _energies(letter, index, values)
    yield from _points(letter, index, name.style, values)
    yield from _turning(letter, index, name.style, values)
    yield from _jacobians(letter, index, values)
    yield from _tool_inertia(letter, index, values)
    yield from _homes(letter, index, values)


def _energies(letter: str, index: str, values: ArmValues) -> Iterator[Meaning]:
    eq = values.eq
    total = {
        **dict.fromkeys(KINETIC, ("the kinetic energy", lambda: eq.K.value)),
        **dict.fromkeys(POTENTIAL, ("the potential energy", lambda: eq.P.value)),
        "Pg": ("the potential energy of gravity", lambda: sum(eq.link_potential_energies.values)),
        "L": ("the Lagrangian", lambda: eq.L.value),
        "H": ("the Hamiltonian", lambda: eq.H.value),
        "E": ("the total energy", lambda: eq.H.value),
    }
    if letter not in total:
        return
    what, find = total[letter]
    if not index:
        yield Meaning(what, f"{letter}, {what}", find)
    if (i := _link(index, values)) is not None and letter in (*KINETIC, *POTENTIAL):
        links = eq.link_kinetic_energies if letter in KINETIC else eq.link_potential_energies
        about = f"{letter}_{index}, {what} of link {index}"
        yield Meaning(what, about, lambda: links.values[i])
    if letter in (*KINETIC, *POTENTIAL) and (body := _body(index, values)) is not None:
        links = eq.link_kinetic_energies if letter in KINETIC else eq.link_potential_energies
        mine = f"{what} of {body.name}"
        find = partial(body.share, links.values[body.link])
        yield Meaning(f"{what}{BY_MASS}", f"{letter}_{index}, {mine}", find, mine, True)
    part = _PART_OF_ENERGY.fullmatch(index) if letter in KINETIC else None
    if part is not None and (i := _link(part["before"] or part["behind"], values)) is not None:
        about = f"{letter}_{index}, {what} of link {i + 1} by"
        turning = partial(values.turning_energy, i)
        if "rot" in index:
            yield Meaning("by rotation", f"{about} rotation about its centre of mass", turning)
        else:
            moving = f"{about} the motion of its centre of mass"
            yield Meaning("by motion", moving, lambda: eq.link_kinetic_energies.values[i] - turning())


def _points(letter: str, index: str, style: str, values: ArmValues) -> Iterator[Meaning]:
    """Positions, velocities and accelerations of centres of mass and ends of links, and of the tool."""
    if letter in AXES:
        axis = AXES[letter]
        for kind, about, find in _places(index, values):
            yield Meaning(f"{kind}{ALONG}", f"{letter} of {about}", _part(find, axis), "", letter.isupper())
    if letter in ("p", "r", "x", "X", "o", "d", "u"):
        yield from _vectors("position", letter, index, values, 0)
    if letter == "v" or (letter == "V" and style != "mathcal"):
        yield from _vectors("velocity", letter, index, values, 1)
    if letter == "a":
        yield from _vectors("acceleration", letter, index, values, 2)
    i = _link(index, values)
    if letter == "h" and i is not None and values.centre(i) is not None:
        about = f"the height of link {index}"
        yield Meaning(f"height{ALONG}", about, partial(values.height, i), about)
    if letter in ("f", "F") and (m := re.fullmatch(r"([xyz]?)(\d)", index)) and (i := _link(m[2], values)) is not None:
        if values.centre(i) is None:
            return
        about = f"the force on the mass of link {m[2]}"
        if m[1]:
            yield Meaning("m a", about, lambda: values.inertial_force(i)["xyz".index(m[1])])
        else:
            yield Meaning("m a", about, lambda: algebra.column(values.inertial_force(i)), about)
            yield Meaning("m a in the plane", about, lambda: _plane(values.inertial_force(i), values), about)


def _body(index: str, values: ArmValues) -> Body | None:
    """What has the mass or the name of an index, m_p or the pole, where that is no usual index of the tool."""
    return values.body(index) if index == "p" or (index.isalnum() and index not in TOOL) else None


def _places(index: str, values: ArmValues) -> Iterator[tuple[str, str, Find]]:
    if (body := _body(index, values)) is not None:
        yield f"com{BY_MASS}", f"{POINTS['com']} of {body.name}", partial(values.position_of, body)
    if index in TOOL:
        last = max((i for i in range(values.links) if values.centre(i) is not None), default=None)
        if values.has_no_tool and last is not None:
            yield "last com", f"{POINTS['com']} of link {last + 1}", partial(values.position, "com", last)
        yield "tool", "the tool", values.tool_position
        return
    match = _POINT.fullmatch(index)
    i = _link(match[2], values) if match else None
    if match is None or i is None:
        return
    kinds = ("com", "end") if match[1] is None else ("end",) if match[1] == "e" else ("com",)
    for kind in kinds:
        if values.point(kind, i) is not None:
            yield kind, f"{POINTS[kind]} of link {match[2]}", partial(values.position, kind, i)


def _vectors(what: str, letter: str, index: str, values: ArmValues, order: int) -> Iterator[Meaning]:
    for kind, about, find in _places(index, values):
        named = f"{letter}_{index}" if index else letter
        read_as = f"the {what} of {about}"
        about = f"{named}, {read_as}"
        loose = letter not in ("v", "p")
        if len(values.moving_axes) == 2:
            yield Meaning(f"{kind} in the plane", about, partial(_rates, find, order, values, True), read_as, loose)
        yield Meaning(kind, about, partial(_rates, find, order, values, False), read_as, loose)


def _turning(letter: str, index: str, style: str, values: ArmValues) -> Iterator[Meaning]:
    """Angular velocities, rotations, inertia matrices, and unit vectors."""
    i = _link(index.removeprefix("0"), values)
    i = values.links - 1 if index in TOOL else i
    if letter in ("omega", "w") and i is not None:
        about = f"the angular velocity of link {i + 1}"
        if len(values.turning_axes) == 1:
            axis = values.turning_axes[0]
            yield Meaning("about one axis", about, lambda: values.omegas[i][axis], "", letter == "w")
        yield Meaning("in space", about, lambda: algebra.column(values.omegas[i]), "", letter == "w")
        if len(values.turning_axes) > 1:
            own = f"{about} in its own axes"
            yield Meaning("in its own axes", own, partial(values.in_own_axes, values.omegas[i], i), own, True)
    if letter == "w" and (k := _link(index, values)) is not None and k < values.n:
        about = f"the speed of {values.printed(k)}"
        yield Meaning(RATE, about, lambda: values.exact.qd[k], about, True)
    if letter == "alpha" and i is not None and index:
        about = f"the angular acceleration of link {i + 1}"
        axes = values.turning_axes if len(values.turning_axes) == 1 else range(3)
        yield Meaning(
            "spin", about, lambda: algebra.column([values.rates(values.omegas[i])[r] for r in axes]), "", True
        )
    if letter == "S" and i is not None and index:
        about = f"the screw axis of joint {i + 1}"
        yield Meaning("screw", about, lambda: algebra.column(values.screw(i)), f"{about}, angular part first")
        if i > 0:
            still = f"zero: joint {i + 1} does not move the links before it"
            yield Meaning("no screw", about, lambda: algebra.column([0] * 6), still, True)
    if letter == "R" and i is not None:
        yield Meaning("rotation", f"the rotation of link {i + 1}", lambda: values.rotation(i))
    if letter in ("I", "J") and i is not None and index.isdigit():
        about = f"the inertia matrix of link {i + 1}"
        yield Meaning("inertia", about, lambda: values.inertia(i), f"{about} about its centre of mass, in its own axes")
        if style:
            yield Meaning("inertia in world axes", about, lambda: _in_world(i, values), f"{about} in world axes")
    if letter in ("I", "E") and not index and style != "mathcal":
        for size in dict.fromkeys((3, max(values.n, 2))):
            yield Meaning(f"identity of {size}", "the identity", partial(algebra.identity, size), "", True)
    if letter in ("i", "j", "k") and not index:
        axis = "ijk".index(letter)
        about = f"the unit vector along {'xyz'[axis]}"
        yield Meaning("unit vector", about, lambda: algebra.column([int(r == axis) for r in range(3)]), about, True)


def in_link_axes(name: Name, values: ArmValues) -> Iterator[Meaning]:
    """Craig's ^i omega_i, ^i v_i, ^i F_i and ^i N_i in the axes of link i; the base accelerates upwards with g."""
    match, frame = _POINT.fullmatch(algebra.plain(name.lower)), _link(name.upper, values)
    i = _link(match[2], values) if match else None
    if match is None or frame is None or i is None or name.letter not in ("omega", "v", "F", "N") or name.style:
        return
    at = values.position_of(Body("", i)) if match[1] and values.centre(i) else list(values.poses[i].position)
    up, m = algebra.entries(values.upward()), values.exact.mechanism.links[i].inertia.m
    lifted = "with g upwards at the base"
    momentum = algebra.multiplied(_in_world(i, values), algebra.column(values.omegas[i]))
    found: dict[tuple[str, int], tuple[str, list[Scalar], Scalar]] = {
        ("omega", 0): ("the angular velocity", values.omegas[i], 0),
        ("omega", 1): ("the angular acceleration", values.rates(values.omegas[i]), 0),
        ("v", 0): ("the velocity", values.rates(at), 0),
        ("v", 1): (f"the acceleration, {lifted},", values.rates(values.rates(at)), 1),
        ("F", 0): (f"the inertial force, {lifted},", values.inertial_force(i) if values.centre(i) else [0, 0, 0], m),
        ("N", 0): ("the inertial moment", values.rates([*algebra.entries(momentum)]), 0),
    }
    if (name.letter, name.dots) in found:
        what, vector, times = found[name.letter, name.dots]
        words = f"{what} of {POINTS['com'] + ' of ' if match[1] else ''}link {i + 1} in the axes of link {frame + 1}"
        whole = values.in_own_axes([x + times * g for x, g in zip(vector, up, strict=False)], frame)
        yield Meaning("in link axes", words, lambda: whole, words)
        if name.letter in ("omega", "N") and len(values.turning_axes) == 1:
            yield Meaning("in link axes, about z", words, lambda: algebra.rows_of(whole)[2][0], words)


def _jacobians(letter: str, index: str, values: ArmValues) -> Iterator[Meaning]:
    if letter != "J":
        return
    eq = values.eq
    if len(index) == 2 and index.isdigit():
        i, j = int(index[0]) - 1, int(index[1]) - 1
        if 0 <= i < len(values.tool_axes) and 0 <= j < values.n:
            about = f"J_{index}, entry {index[0]}, {index[1]} of the Jacobian"
            yield Meaning("entry", about, lambda: eq.jacobian().values[3 + values.tool_axes[i]][j])
        return
    match, turning = _JACOBIAN.fullmatch(index), values.turning_axes
    if index in TOOL:
        yield from _halves("J", "the Jacobian of the tool", "", lambda: eq.jacobian().values, values.tool_axes, turning)
        return
    if match is None or (match[3] and _link(match[3], values) is None):
        return
    half = "angular" if match[1] in ("omega", "w", "o", "A", "a") else "linear" if match[1] else ""
    named = f"J_{index}"
    if not match[3]:
        yield from _halves(
            named, "the Jacobian of the tool", half, lambda: eq.jacobian().values, values.tool_axes, turning
        )
        return
    i = int(match[3]) - 1
    for kind in ("com",) if match[2] else ("com", "end"):
        if values.point(kind, i) is not None:
            about = f"the Jacobian of {POINTS[kind]} of link {match[3]}"
            for each in _halves(named, about, half, partial(values.jacobian, kind, i), values.moving_axes, turning):
                yield Meaning(f"{kind}, {each.kind}", each.about, each.find, each.read_as)


def _halves(letter: str, about: str, half: str, find: Find, axes: list[int], turning: list[int]) -> Iterator[Meaning]:
    """A Jacobian's rows: all six, the linear ones, those of the axes along which there is motion, the angular ones."""
    if half == "angular":
        if len(turning) < 3:
            yield Meaning(
                "turning", f"{letter}, {about}: angular part", lambda: algebra.table([find()[r] for r in turning])
            )
        yield Meaning("angular", f"{letter}, {about}: angular part", lambda: algebra.table(find()[:3]))
        return
    if len(axes) < 3:
        read_as = f"the rows {', '.join('xyz'[r] for r in axes)} of {about}"
        yield Meaning("moving", f"{letter}, {about}", lambda: algebra.table([find()[3 + r] for r in axes]), read_as)
    yield Meaning("linear", f"{letter}, {about}: linear part", lambda: algebra.table(find()[3:]))
    if not half:
        yield Meaning("all six", f"{letter}, {about}", lambda: algebra.table(find()))
        yield Meaning("angular", f"{letter}, {about}: angular part", lambda: algebra.table(find()[:3]))


def _tool_inertia(letter: str, index: str, values: ArmValues) -> Iterator[Meaning]:
    if letter != "Lambda" and (letter, index) not in (("M", "x"), ("M", "c"), ("M", "C")):
        return
    what = "the effective mass at the tool"
    if letter == "M" or not index:
        yield Meaning(what, f"{letter}, {what}", lambda: algebra.table(values.eq.operational_inertia().values))
    elif len(index) == 2 and index.isdigit() and "0" not in index:
        i, j = int(index[0]) - 1, int(index[1]) - 1
        if max(i, j) < len(values.tool_axes):
            about = f"Lambda_{index}, an entry of {what}"
            yield Meaning(what, about, lambda: values.eq.operational_inertia().values[i][j])


def _homes(letter: str, index: str, values: ArmValues) -> Iterator[Meaning]:
    """Poses of centres of mass at the home position, M or M_{0,1}."""
    if letter != "M" or index.lstrip("0c") not in ("", *map(str, range(1, values.links + 1))):
        return
    if index and not index.startswith("0"):
        return
    links = [int(index[-1]) - 1] if index else range(values.links)
    for i in links:
        if values.centre(i) is not None:
            about = f"the pose of the centre of mass of link {i + 1} at the home position"
            yield Meaning(f"home {i + 1}", about, partial(values.home, i), about, True)


def _in_world(i: int, values: ArmValues) -> Value:
    R = values.rotation(i)
    return algebra.multiplied(algebra.multiplied(R, values.inertia(i)), algebra.transposed(R))


def _rates(find: Find, order: int, values: ArmValues, in_plane: bool) -> Value:
    """A position, velocity or acceleration; of an arm in a plane, with two parts where that is asked for."""
    found = find()
    for _ in range(order):
        found = values.rates(found)
    return _plane(found, values) if in_plane else algebra.column(found)


def _plane(entries: list[Scalar], values: ArmValues) -> Value:
    return algebra.column([entries[r] for r in values.moving_axes])


def _part(find: Find, axis: int) -> Find:
    return lambda: find()[axis]


def _link(index: str, values: ArmValues) -> int | None:
    """A link by its number, counted from 0; None where the arm has none."""
    return int(index) - 1 if index.isdigit() and len(index) == 1 and 1 <= int(index) <= values.links else None
