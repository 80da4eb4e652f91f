"""What does not change with the motion: home poses, screws, inertias."""

from __future__ import annotations

from leverarm import mechanics as me
from leverarm.derivation.document import Level, Part, Shown, Step
from leverarm.derivation.newton_euler.letters import (
    Ad,
    between,
    inertia_matrix,
    is_serial,
    of_link,
    parent_number,
    pose_matrix,
    six,
)
from leverarm.derivation.setting import Setting, equation
from leverarm.derivation.widths import width
from leverarm.mechanics.screw_form import ScrewChain
from leverarm.notation.tree import ONE, Bracketed, Equation, Inverse, Matrix, Product, negated
from leverarm.spatial import Inertia

WIDEST = 60
"""A 6 x 6 inertia matrix wider than this, in characters, is shown by its blocks."""


def constants(setting: Setting) -> Part:
    """M_{0,i}, S_i, A_i, M_{i,parent}, G_i and T_{n+1,n}."""
    chain = me.screw_chain(setting.mechanism)
    steps = (_home(setting, chain), _screws(setting, chain), _relative(setting, chain), _inertias(setting, chain))
    return Part("Constants", steps)


def _home(setting: Setting, chain: ScrewChain) -> Step:
    shown = [
        Shown(equation(between("M", 0, link.number), pose_matrix(setting, chain.home[link.i])), Level.FULL)
        for link in setting.links
    ]
    return Step(
        "Home poses",
        ("The frame of each link, at its joint, with all joints at zero.",),
        tuple(shown),
        level=Level.FULL,
        code="la.mechanics.screw_chain(eq.exact.mechanism).home",
    )


def _screws(setting: Setting, chain: ScrewChain) -> Step:
    shown = [
        Shown(equation(of_link("S", link.number), six(setting, chain.screws[link.i])), Level.FULL)
        for link in setting.links
    ]
    moved = Product((Ad(Inverse(between("M", 0, "i"))), of_link("S", "i")))
    shown.append(Shown(equation(of_link("A", "i"), moved)))
    shown += [Shown(equation(of_link("A", link.number), six(setting, chain.links[link.i].A))) for link in setting.links]
    return Step(
        "Screws of the joints",
        (
            "The motion of each joint at unit speed, angular part first: ", of_link("S", "i"), " in the world with all "
            "joints at zero, ", of_link("A", "i"), " in the frame of its link, where it never changes.",
        ),
        tuple(shown),
        code="la.mechanics.screw_chain(eq.exact.mechanism).screws",
    )  # fmt: skip


def _relative(setting: Setting, chain: ScrewChain) -> Step:
    carrier = "i-1" if is_serial(setting) else "p"
    parts = Product((Inverse(between("M", 0, "i")), between("M", 0, carrier)))
    shown = [Shown(equation(between("M", "i", carrier), parts), Level.FULL)]
    for link in setting.links:
        name = between("M", link.number, parent_number(setting, link.i))
        shown.append(Shown(equation(name, pose_matrix(setting, chain.links[link.i].M_from_parent)), Level.FULL))
    tool = setting.mechanism.attachments[setting.mechanism.tool]
    last, tip = tool.link + 1, len(setting.links) + 1
    at_tip = pose_matrix(setting, tool.pose.inverse())
    shown.append(Shown(equation(between("T", tip, last), Inverse(between("M", last, tip)), at_tip), Level.FULL))
    return Step(
        "Each link seen from the one it carries",
        (
            "The home pose of the carrying link (the base is 0) in the frame of the link it carries. "
            f"Frame {tip} is the tip, {setting.mechanism.tool!r}.",
        ),
        tuple(shown),
        level=Level.FULL,
        code="[link.M_from_parent for link in la.mechanics.screw_chain(eq.exact.mechanism).links]",
    )


def _inertias(setting: Setting, chain: ScrewChain) -> Step:
    r, m, tensor = of_link("r", "i"), of_link("m", "i"), of_link("I", "i")
    moment = Product((m, Bracketed(r)))
    blocks = Matrix(((tensor, moment), (negated(moment), Product((m, ONE)))))
    shown = [Shown(equation(of_link("G", "i"), blocks))]
    for link in setting.links:
        matrix = inertia_matrix(setting, chain.links[link.i].G)
        blocks_of_it = [equation(of_link("G", link.number), matrix)]
        if width(setting, matrix) > WIDEST:
            blocks_of_it = _blocks(setting, link.number, chain.links[link.i].G)
        shown += [Shown(line, Level.FULL) for line in blocks_of_it]
    return Step(
        "Spatial inertias",
        (
            "The matrix that turns the twist of a link into its momentum: ", m, " is the mass, ", r, " the position of "
            "its centre, ", tensor, " the inertia about the origin of the link's frame, ", Bracketed(r), " the matrix "
            "of the cross product.",
        ),
        tuple(shown),
        level=Level.FULL,
        code="[link.G for link in la.mechanics.screw_chain(eq.exact.mechanism).links]",
    )  # fmt: skip


def _blocks(setting: Setting, n: int, G: Inertia) -> list[Equation]:
    """m_i, m_i r_i and I_i, from which the matrix is put together."""
    m = of_link("m", n)
    return [
        equation(m, setting.tree(G.m)),
        equation(Product((m, of_link("r", n))), setting.column(list(G.h))),
        equation(of_link("I", n), setting.matrix([list(row) for row in G.I.full().rows()])),
    ]
