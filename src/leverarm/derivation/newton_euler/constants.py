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
    tensor_about_origin,
)
from leverarm.derivation.setting import Setting, equation
from leverarm.derivation.widths import width
from leverarm.mechanics.screw_form import ScrewChain
from leverarm.notation.tree import Bracketed, Equation, Inverse, Matrix, Product, Symbol, negated
from leverarm.spatial import Inertia

WIDEST = 60
"""A 6 x 6 inertia matrix wider than this, in characters, is shown by its blocks."""

FIRST_CELL = """
mechanism, q, qd, qdd = eq.exact.mechanism, eq.exact.q, eq.exact.qd, eq.exact.qdd
chain = la.mechanics.screw_chain(mechanism)
together(eq, *chain.home[:-1])"""
"""The home poses (the world is the last of them), and the names that the cells after it use."""


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
    M = Symbol("M")
    return Step(
        "Home poses",
        (
            between("M", 0, "i"), " is the pose of the frame of link ", Symbol("i"), ", at its joint, with all joints "
            "at zero. ", M, " with two indices is a home pose, ", M, " alone the mass matrix.",
        ),
        tuple(shown),
        code=FIRST_CELL,
    )  # fmt: skip


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
            "The motion of each joint at unit speed, a twist, angular part first: ", of_link("S", "i"), " in the world "
            "with all joints at zero, ", of_link("A", "i"), " in the frame of its link, where it never changes. ",
            Ad(Symbol("T")), " takes a twist to another frame.",
        ),
        tuple(shown),
        code="together(\n"
        "    eq,\n"
        "    *chain.screws,\n"
        "    *(M.inverse().motion_into_parent(S) for M, S in zip(chain.home, chain.screws)),\n"
        ")",
    )  # fmt: skip


def _relative(setting: Setting, chain: ScrewChain) -> Step:
    carrier = "i-1" if is_serial(setting) else "p"
    parts = Product((Inverse(between("M", 0, "i")), between("M", 0, carrier)))
    shown = [Shown(equation(between("M", "i", carrier), parts))]
    for link in setting.links:
        name = between("M", link.number, parent_number(setting, link.i))
        shown.append(Shown(equation(name, pose_matrix(setting, chain.links[link.i].M_from_parent)), Level.FULL))
    tool = setting.mechanism.attachments[setting.mechanism.tool]
    last, tip = tool.link + 1, len(setting.links) + 1
    at_tip = pose_matrix(setting, tool.pose.inverse())
    shown.append(Shown(equation(between("T", tip, last), Inverse(between("M", last, tip)), at_tip), Level.FULL))
    return Step(
        "Each carrier seen from the link it carries",
        (
            "The home pose of the carrying link (the base is 0) in the frame of the link it carries. ",
            *(() if is_serial(setting) else (Symbol("p"), " is the link that carries link ", Symbol("i"), ". ")),
            f"Frame {tip} is the tip, {setting.mechanism.tool!r}.",
        ),
        tuple(shown),
        code="tool = mechanism.attachments[mechanism.tool].pose\n"
        "together(eq, *(link.M_from_parent for link in chain.links), tool.inverse())",
    )


def _inertias(setting: Setting, chain: ScrewChain) -> Step:
    r, m, tensor, identity = of_link("r", "i"), of_link("m", "i"), tensor_about_origin("i"), Symbol("E")
    moment = Product((m, Bracketed(r)))
    blocks = Matrix(((tensor, moment), (negated(moment), Product((m, identity)))))
    shown = [Shown(equation(of_link("G", "i"), blocks))]
    computed = []
    for link in setting.links:
        G = chain.links[link.i].G
        matrix = inertia_matrix(setting, G)
        lines, code = [equation(of_link("G", link.number), matrix)], f"chain.links[{link.i}].G"
        if width(setting, matrix) > WIDEST:
            lines, code = _blocks(setting, link.number, G), f"{code}.m, {code}.h, {code}.I.full()"
        shown += [Shown(line, Level.FULL) for line in lines]
        computed.append(f"    {code},\n")
    return Step(
        "Spatial inertias",
        (
            "The matrix that turns the twist of a link into its momentum: ", m, " is the mass, ", r, " the position of "
            "its centre in the link, ", tensor, " the inertia about the origin of the link's frame, ", Bracketed(r),
            " the matrix of the cross product, ", identity, " the identity.",
        ),
        tuple(shown),
        code=f"together(\n    eq,\n{''.join(computed)})",
    )  # fmt: skip


def _blocks(setting: Setting, n: int, G: Inertia) -> list[Equation]:
    """m_i, m_i r_i and I_{o,i}, from which the matrix is put together."""
    m = of_link("m", n)
    return [
        equation(m, setting.tree(G.m)),
        equation(Product((m, of_link("r", n))), setting.column(list(G.h))),
        equation(tensor_about_origin(n), setting.matrix([list(row) for row in G.I.full().rows()])),
    ]
