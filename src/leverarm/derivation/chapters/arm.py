"""The arm: its coordinates, forces, masses and frames."""

from __future__ import annotations

from leverarm.derivation.document import Level, Part, Shown, Step, Table
from leverarm.derivation.setting import LinkSetting, Setting, equation
from leverarm.notation.tree import Node, Symbol, column
from leverarm.scalars.exact import is_exactly_zero


def the_arm(setting: Setting) -> Part:
    """Coordinates, generalised forces, and the table of links."""
    return Part("The arm", (_coordinates(setting), _links(setting)))


def _coordinates(setting: Setting) -> Step:
    q, speeds = setting.coordinates(), setting.coordinates(1)
    kinds = [link.turns for link in setting.mechanism.links]
    moving = "joint angles" if all(kinds) else "joint positions" if any(kinds) else "positions along the joints"
    return Step(
        "Coordinates and forces",
        (
            f"The generalised coordinates are the {moving}. The generalised forces are chosen so that their power is ",
            setting.power,
            ".",
        ),
        (
            Shown(equation(setting.all(), column(q))),
            Shown(equation(setting.all(1), column(speeds)), Level.FULL),
            Shown(equation(Symbol("tau"), column(setting.forces))),
        ),
        code="eq.arm.joint_names",
    )


def _links(setting: Setting) -> Step:
    head: tuple[str | Node, ...] = ("link", "joint", "kind", "mass", "centre of mass in the link", "inertia about it")
    rows = tuple(_row(setting, link) for link in setting.links)
    gravity = setting.column(list(setting.mechanism.gravity))
    return Step(
        "Masses and gravity",
        ("A link's frame is its joint's frame after the motion. Free fall in the world:",),
        (Shown(equation(Symbol("a_g"), gravity)),),
        (Table(head, rows),),
        code="print(*eq.parameters, sep='\\n')",
    )


def _row(setting: Setting, link: LinkSetting) -> tuple[str | Node, ...]:
    joint = setting.mechanism.links[link.i]
    kind = "turns" if joint.turns and is_exactly_zero(joint.slide) else "turns and slides" if joint.turns else "slides"
    mass = setting.tree(link.inertia.m)
    if is_exactly_zero(link.inertia.m):
        return str(link.number), joint.joint, kind, mass, "", _tensor(setting, link)
    com = setting.column(list(link.com_in_link))
    return str(link.number), joint.joint, kind, mass, com, _tensor(setting, link)


def _tensor(setting: Setting, link: LinkSetting) -> str | Node:
    """The tensor; where only the moment about z is there, as in a plane, that alone."""
    t = link.about_com
    if not link.has_rotation_inertia:
        return "none: a point mass" if not is_exactly_zero(link.inertia.m) else "none"
    if all(is_exactly_zero(x) for x in (t.xx, t.xy, t.yy, t.xz, t.yz)):
        return equation(Symbol("I_zz"), setting.tree(t.zz))
    return setting.matrix([list(row) for row in t.full().rows()])
