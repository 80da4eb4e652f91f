"""Motion of the masses: positions, velocities, and accelerations split by what causes them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from leverarm.derivation.chapters.properties import split_velocity_terms
from leverarm.derivation.force_balance.masses import Mass
from leverarm.derivation.formulas import brief, equation, full, plus
from leverarm.derivation.setting import AXES, Setting
from leverarm.derivation.steps import chapter, step
from leverarm.documents.document import Level, Section, Table, Words
from leverarm.notation.tree import ZERO, Labelled, Node, Number, Ratio, Symbol, column
from leverarm.scalars import Scalar, Turn
from leverarm.scalars.exact import is_exactly_zero, partial, substitute
from leverarm.spatial import Vec3

LABELS = ("joint accelerations", "centripetal", "Coriolis")
RIGHT_ANGLE = Turn(0, 1)
STRAIGHT = Turn(1, 0)


def accelerations(setting: Setting, masses: list[Mass]) -> Section:
    """Position, velocity and acceleration of each mass, and an example without joint accelerations."""
    steps = [_positions(setting, masses), _velocities(setting, masses), _accelerations(setting, masses)]
    pose = _example_pose(setting)
    if masses and any(not is_exactly_zero(x) for x in _at(setting, masses[-1].a, pose)):
        steps.append(_example(setting, masses[-1], pose))
        if setting.dof > 1:
            steps.append(_one_at_a_time(setting, masses[-1], pose))
    return chapter("Accelerations of the masses", tuple(steps))


def _values(setting: Setting, vector: Vec3) -> Node:
    """A world vector as a column of formulas, along the axes in which something moves."""
    return _stacked([setting.tree(tuple(vector)[a]) for a in setting.live_axes])


def _point(setting: Setting, mass: Mass, dots: int = 0) -> Node:
    """The column of a mass's coordinates, (x2, y2); with dots, their time derivatives."""
    return _stacked([mass.link.symbol(AXES[a], dots) for a in setting.live_axes])


def _stacked(entries: list[Node]) -> Node:
    """A column, or the entry itself where there is only one."""
    return column(entries) if len(entries) > 1 else entries[0]


def _positions(setting: Setting, masses: list[Mass]) -> Section:
    still = [AXES[a] for a in range(3) if a not in setting.live_axes]
    words: list[str | Node] = ["Forward kinematics gives the position of each mass in the world frame."]
    for k, axis in enumerate(still):
        words += [" and " if k else " Along ", Symbol(axis)]
    words += [" nothing moves."] if still else []
    shown = [brief(_point(setting, mass), _values(setting, mass.p)) for mass in masses]
    return step("Positions", tuple(words), tuple(shown), code="together(eq, *(mass.p for mass in masses))")


def _velocities(setting: Setting, masses: list[Mass]) -> Section:
    return step(
        "Velocities",
        ("The time derivatives of the positions.",),
        tuple(full(_point(setting, mass, 1), _values(setting, mass.v)) for mass in masses),
        level=Level.FULL,
        code="together(eq, *([eq.time_derivative(x) for x in mass.p] for mass in masses))",
    )


def _accelerations(setting: Setting, masses: list[Mass]) -> Section:
    words = "Differentiate once more."
    if not setting.eq.c.is_zero:
        words += (
            " Terms with the square of one velocity are centripetal accelerations, terms with the product of two "
            "velocities Coriolis accelerations."
        )
    return step(
        "Accelerations",
        (words,),
        tuple(full(_point(setting, mass, 2), _labelled(setting, mass.a)) for mass in masses),
        level=Level.FULL,
        code="together(eq, *([eq.time_derivative(x) for x in mass.v] for mass in masses))",
    )


def _labelled(setting: Setting, a: Vec3) -> Node:
    """The acceleration as a sum of the columns that are not zero: from joint accelerations, centripetal, Coriolis."""
    columns = list(zip(*(_split(setting, tuple(a)[axis]) for axis in setting.live_axes), strict=True))
    return plus(
        *(
            Labelled(_stacked([setting.tree(x) for x in values]), label)
            for label, values in zip(LABELS, columns, strict=True)
            if any(not is_exactly_zero(x) for x in values)
        )
    )


def _split(setting: Setting, value: Scalar) -> tuple[Scalar, Scalar, Scalar]:
    driven: Scalar = 0
    for name, qdd in zip(setting.eq.exact.coordinates, setting.eq.exact.qdd, strict=True):
        driven = driven + partial(value, f"{name}.dd") * qdd
    return (driven, *split_velocity_terms(setting, value - driven))


def _example_pose(setting: Setting) -> dict[str, Turn]:
    """The first angle at zero, the other angles at 90 degrees."""
    turning = [
        name for name, q in zip(setting.eq.exact.coordinates, setting.eq.exact.q, strict=True) if isinstance(q, Turn)
    ]
    return {name: RIGHT_ANGLE if k else STRAIGHT for k, name in enumerate(turning)}


def _at(setting: Setting, a: Vec3, pose: dict[str, Turn], moving: Sequence[str] | None = None) -> Vec3:
    """An acceleration at a pose with zero joint accelerations, with only some joints moving."""
    names = setting.eq.exact.coordinates
    zeros = {f"{name}.dd": 0 for name in names}
    if moving is not None:
        zeros |= {f"{name}.d": 0 for name in names if name not in moving}
    return Vec3(*(substitute(x, {**pose, **zeros}) for x in a))


def _where(setting: Setting, pose: dict[str, Turn]) -> Words:
    """ "At theta1 = 0, theta2 = pi/2"."""
    half_pi = Ratio(Symbol("pi"), Number(Fraction(2)))
    words: list[str | Node] = []
    for name, symbol in zip(setting.eq.exact.coordinates, setting.coordinates(), strict=True):
        if name in pose:
            angle: Node = half_pi if pose[name] == RIGHT_ANGLE else ZERO
            words += [", " if words else "At ", equation(symbol, angle)]
    return tuple(words)


def _example(setting: Setting, mass: Mass, pose: dict[str, Turn]) -> Section:
    return step(
        "Zero joint accelerations do not mean zero acceleration",
        (
            *_where(setting, pose),
            f", with all joint accelerations zero, mass {mass.number} still accelerates. The world frame is inertial, "
            f"but {_joint_coordinates(setting)} are not Cartesian coordinates in it. This is why the equations of "
            "motion have Coriolis and centrifugal terms, and a mass matrix instead of masses.",
        ),
        (brief(_point(setting, mass, 2), _labelled(setting, _at(setting, mass.a, pose))),),
        code=_pose_again(setting, pose) + "eq.formulas([substitute(x, pose) for x in masses[-1].a])",
    )


def _joint_coordinates(setting: Setting) -> str:
    return "joint angles" if all(isinstance(q, Turn) for q in setting.eq.exact.q) else "joint coordinates"


def _pose_again(setting: Setting, pose: dict[str, Turn]) -> str:
    """Python for a pose with zero joint accelerations."""
    chosen = [f"    {name!r}: Turn({turn.cos}, {turn.sin}),\n" for name, turn in pose.items()]
    chosen += [f"    {f'{name}.dd'!r}: 0,\n" for name in setting.eq.exact.coordinates]
    return (
        "from leverarm.scalars import Turn\n"
        "from leverarm.scalars.exact import substitute\n\n"
        f"pose = {{\n{''.join(chosen)}}}\n"
    )


def _one_at_a_time(setting: Setting, mass: Mass, pose: dict[str, Turn]) -> Section:
    names = setting.eq.exact.coordinates
    rows = tuple(
        (speed, _values(setting, _at(setting, mass.a, pose, [name])))
        for name, speed in zip(names, setting.coordinates(1), strict=True)
    )
    return step(
        "One joint moving at a time",
        (
            f"The acceleration of mass {mass.number} at the same pose, with only one joint moving. There is then no "
            "Coriolis acceleration; the centripetal acceleration keeps the mass on its circle about the joint axis.",
        ),
        (),
        (Table(("moving joint", _point(setting, mass, 2)), rows),),
        level=Level.FULL,
        code=_one_speed(setting, pose),
    )


def _one_speed(setting: Setting, pose: dict[str, Turn]) -> str:
    """Python for the same with one joint moving at a time."""
    speeds = ", ".join(repr(f"{name}.d") for name in setting.eq.exact.coordinates)
    return (
        f"{_pose_again(setting, pose)}"
        f"speeds = [{speeds}]\n"
        "alone = [{other: 0 for other in speeds if other != speed} for speed in speeds]\n"
        "together(eq, *([substitute(x, pose | zeros) for x in masses[-1].a] for zeros in alone))"
    )
