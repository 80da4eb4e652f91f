"""Planar arms as in textbooks: link by link, in the vertical x-y plane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized

from leverarm.errors import ArmError, require_known
from leverarm.model import (
    Arm,
    Body,
    Frame,
    Joint,
    JointKind,
    MassProperties,
    Placement,
    Quantity,
    as_quantity,
    symbols_of,
    with_values,
)
from leverarm.scalars import Number
from leverarm.spatial import NO_SYMMETRIC3, ORIGIN, Symmetric3, Vec3

Given = Quantity | str
KNOWN_VALUES = {"g": 9.81}


def planar(
    kinds: str,
    lengths: Sequence[Given] | None = None,
    masses: Sequence[Given] | None = None,
    coms: Sequence[Given] | None = None,
    inertias: Sequence[Given] | None = None,
    *,
    gravity: Given = "g",
    joints: Sequence[str] | None = None,
    values: Mapping[str, Number] | None = None,
    name: str = "planar",
) -> Arm:
    """A planar arm from one letter per joint: R turns about z, P slides along the link before it.

    Each link has a length [m], a mass [kg], its centre of mass at a distance along the link [m] (default: at the tip,
    a point mass), and an inertia about it [kg m^2] (default: none). Numbers or texts such as "m1" or "m1*L1^2/12";
    what is left out becomes the symbols L1, m1, ... A prismatic joint's variable is the radius, measured from the
    joint before it; its link has length 0 unless given. Gravity acts along -y. `values` are the symbols' defaults
    (1 where not given).

    >>> planar("RR").joint_names
    ('q1', 'q2')
    """
    if not isinstance(kinds, str) or not kinds:
        raise ArmError(f"planar: {kinds!r} was given; give one letter per joint, as in 'RR' or 'RPR'.")
    n = len(kinds)
    for letter in kinds:
        if letter not in "RP":
            raise ArmError(
                f"planar({kinds!r}): {letter!r} is no joint; use R (revolute) and P (prismatic), as in 'RR'."
            )
    is_sliding = [letter == "P" for letter in kinds]
    length = _numbers("lengths", lengths, n, [0 if sliding else f"L{i + 1}" for i, sliding in enumerate(is_sliding)])
    mass = _numbers("masses", masses, n, [f"m{i + 1}" for i in range(n)])
    com = _numbers("coms", coms, n, length)
    inertia = _numbers("inertias", inertias, n, [0] * n)
    names = tuple(joints or [f"q{i + 1}" for i in range(n)])
    if len(names) != n or not all(isinstance(entry, str) for entry in names):
        raise ArmError(f"planar({kinds!r}): joints = {joints!r} was given; give {n} names, one for each joint.")
    g = as_quantity(gravity)
    bodies = []
    for i in range(n):
        tip = ORIGIN if i == 0 or is_sliding[i] else Vec3(length[i - 1], 0, 0)
        joint = Joint(
            names[i],
            JointKind.PRISMATIC if is_sliding[i] else JointKind.REVOLUTE,
            Placement(tip),
            axis=Vec3(1, 0, 0) if is_sliding[i] else Vec3(0, 0, 1),
        )
        tensor = NO_SYMMETRIC3 if inertia[i] == 0 else Symmetric3(0, 0, 0, 0, 0, inertia[i])
        properties = MassProperties(mass[i], Vec3(com[i], 0, 0), tensor)
        bodies.append(Body(f"link{i + 1}", f"link{i}" if i else "base", joint, properties))
    used = dict.fromkeys(s for q in (*mass, *length, *com, *inertia, g) for s in symbols_of(q))
    for symbol in values or {}:
        require_known("symbol", str(symbol), used, f"planar({kinds!r}), values", error=ArmError)
    arm = Arm(
        name,
        tuple(bodies),
        gravity=Vec3(0, -g, 0),
        named_frames=(Frame("tool", f"link{n}", Placement(Vec3(length[-1], 0, 0))),),
        symbols=tuple((s, KNOWN_VALUES.get(s, 1.0)) for s in used),
    )
    return with_values(arm, **{str(name): value for name, value in (values or {}).items()})


def _numbers(what: str, given: Sequence[Given] | None, n: int, default: Sequence[Given]) -> list[Quantity]:
    if given is None:
        return [as_quantity(entry) for entry in default]
    if isinstance(given, str | Mapping) or not isinstance(given, Sized) or len(given) != n:
        raise ArmError(f"planar: {what} = {given!r} was given; it must be a list of {n}, one for each joint.")
    return [as_quantity(entry) for entry in given]
