"""The arm: its coordinates, forces, joints, masses and frames."""

from __future__ import annotations

from fractions import Fraction

from leverarm import mechanics as me
from leverarm.derivation.formulas import a_g, brief, equation, full, plus, tau, times
from leverarm.derivation.setting import LinkSetting, Setting, term_count
from leverarm.derivation.steps import chapter, step
from leverarm.documents.document import Section, Table, sentence
from leverarm.model import WORLD
from leverarm.notation.tree import Call, Equation, Node, Symbol, Transposed, Trig, column
from leverarm.scalars import Scalar
from leverarm.scalars.exact import is_exactly_zero
from leverarm.spatial import Symmetric3, Vec3


def the_arm(setting: Setting) -> Section:
    """Coordinates and generalised forces, the table of joints, the table of masses, the springs."""
    steps = [_coordinates(setting), _joints(setting), _masses(setting)]
    return chapter("The arm", (*steps, _springs(setting)) if setting.springs else tuple(steps))


def _coordinates(setting: Setting) -> Section:
    kinds = [link.turns for link in setting.mechanism.links]
    moving = "joint angles" if all(kinds) else "joint positions" if any(kinds) else "positions along the joints"
    return step(
        "Coordinates and forces",
        (
            *sentence(
                f"The generalised coordinates are the {moving}. The generalised forces are defined so that their power "
                "is {power}.",
                power=times(Transposed(tau), setting.all(1)),
            ),
            *_short_forms(setting),
        ),
        (
            brief(setting.all(), column(setting.coordinates())),
            full(setting.all(1), column(setting.coordinates(1))),
            brief(tau, column(setting.forces)),
        ),
        code="eq.arm.joint_names",
    )


def _short_forms(setting: Setting) -> tuple[str | Node, ...]:
    """What c1, s1 and c12 stand for, where they are used."""
    index = setting.eq.notation.writing.index
    if setting.eq.notation.writing.angles != "short" or not index:
        return ()
    printed = setting.eq.notation.vocabulary.printed
    name = next(iter(index))
    forms: list[Equation] = [_spelled("cos", [name]), _spelled("sin", [name])]
    for group in setting.eq.notation.vocabulary.chains:
        together = [printed[coordinate] for coordinate, sense in group if sense == 1][:2]
        if len(together) == 2:
            forms.append(_spelled("cos", together))
            break
    return (" We write ", forms[0], *(part for form in forms[1:] for part in (", ", form)), ".")


def _spelled(function: str, names: list[str]) -> Equation:
    """c12 = cos(theta1 + theta2)."""
    symbols = [Symbol(name) for name in names]
    short = Trig("cos" if function == "cos" else "sin", tuple((name, 1) for name in names))
    return equation(short, Call(function, plus(*symbols)))


def _joints(setting: Setting) -> Section:
    head = ("link", "parent", "joint", "motion", "axis at home", "point on it at home")
    home = me.screw_chain(setting.mechanism).home
    rows: list[tuple[str | Node, ...]] = []
    for link in setting.links:
        joint = setting.mechanism.links[link.i]
        carrier = "the base" if joint.parent == WORLD else f"link {joint.parent + 1}"
        axis, point = home[link.i].rotation @ joint.axis, home[link.i].position
        is_screw = joint.turns and not is_exactly_zero(joint.slide)
        motion = "helical" if is_screw else "revolute" if joint.turns else "prismatic"
        rows.append(
            (str(link.number), carrier, setting.joint(link.i), motion, _row(setting, axis), _row(setting, point))
        )
    return step(
        "Joints",
        (
            "Frame i has its origin at joint i and is fixed to link i. Axes and points are given in the world frame, "
            f"in the home position, where all joint variables are zero{_units(setting)}",
        ),
        tables=(Table(head, tuple(rows)),),
        code="together(eq, *la.mechanics.screw_chain(eq.exact.mechanism).screws)",
    )


def _units(setting: Setting) -> str:
    masses = [link.inertia.m for link in setting.links if not is_exactly_zero(link.inertia.m)]
    return "; numbers in kg, m, s, rad and N." if any(isinstance(m, int | Fraction) for m in masses) else "."


def _row(setting: Setting, vector: Vec3) -> Node:
    """A vector as a row."""
    return setting.matrix([list(vector)])


def _masses(setting: Setting) -> Section:
    about, tensors = _tensors(setting)
    head = ("link", "mass", "centre of mass in the link frame", f"inertia about {about}")
    rows = tuple(_mass_row(setting, link, tensor) for link, tensor in zip(setting.links, tensors, strict=True))
    gravity = setting.column(list(setting.mechanism.gravity))
    return step(
        "Masses and gravity",
        sentence("The acceleration of gravity, in the world frame, is {a_g}.", a_g=a_g),
        (brief(a_g, gravity),),
        (Table(head, rows),),
        code="eq.parameters",
    )


def _springs(setting: Setting) -> Section:
    tau_s = Symbol("tau_s")
    return step(
        "Springs",
        sentence(
            "The spring of a joint stores half its stiffness times the square of the distance from its rest position. "
            "The forces {tau_s} hold the joints against their springs.",
            tau_s=tau_s,
        ),
        (brief(tau_s, column(setting.springs), setting.eq.springs.tree),),
        code="eq.springs",
    )


def _tensors(setting: Setting) -> tuple[str, list[Symmetric3]]:
    """The links' inertia tensors, about the point for which they are shorter to write."""
    about_com = [link.about_com for link in setting.links]
    about_origin = [link.inertia.I for link in setting.links]
    if sum(map(_size, about_origin)) < sum(map(_size, about_com)):
        return "the link's origin", about_origin
    return "the centre of mass", about_com


def _entries(t: Symmetric3) -> list[Scalar]:
    return [t.xx, t.xy, t.yy, t.xz, t.yz, t.zz]


def _size(t: Symmetric3) -> int:
    return term_count(_entries(t))


def _mass_row(setting: Setting, link: LinkSetting, tensor: Symmetric3) -> tuple[str | Node, ...]:
    mass = setting.tree(link.inertia.m)
    if is_exactly_zero(link.inertia.m):
        return str(link.number), mass, "", _tensor(setting, link, tensor)
    return str(link.number), mass, _row(setting, link.com_in_link), _tensor(setting, link, tensor)


def _tensor(setting: Setting, link: LinkSetting, t: Symmetric3) -> str | Node:
    """The tensor, or the moment about z alone where the others are zero, as for motion in a plane."""
    if not link.has_rotation_inertia:
        return "none: a point mass" if not is_exactly_zero(link.inertia.m) else "none"
    if all(is_exactly_zero(x) for x in (t.xx, t.xy, t.yy, t.xz, t.yz)):
        return equation(Symbol("I_zz"), setting.tree(t.zz))
    return setting.matrix([list(row) for row in t.full().rows()])
