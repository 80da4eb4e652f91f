"""The algorithm in symbols: the same lines for every link, with an index."""

from __future__ import annotations

from leverarm.derivation.document import Shown, Step
from leverarm.derivation.newton_euler.letters import Ad, Index, ad, backwards, between, is_serial, of_link, pulled_back
from leverarm.derivation.setting import Setting, equation
from leverarm.notation.tree import ZERO, Indexed, Node, Product, Sum, Symbol, Transposed, column, negated

GRAVITY = Symbol("a_g")


def outward_recursion(setting: Setting) -> Step:
    """T, V and V_dot of link i from those of the link that carries it."""
    p = "i-1" if is_serial(setting) else "p"
    theta, speed, acceleration = (Indexed(Symbol(setting.vector, dots), "i") for dots in range(3))
    words = (
        "From the base to the tip. " if p == "i-1" else "From the base to the tips; p is the link that carries link i. "
    )
    return Step(
        "The recursion",
        (
            words + "The twist of a link is that of its carrier, seen from the link, plus the motion of its own joint. "
            "The base is given the acceleration opposite to free fall: this puts the weight of every link into its "
            "acceleration.",
        ),
        (
            Shown(equation(between("T", "i", p), Product((backwards(of_link("A", "i"), theta), between("M", "i", p))))),
            Shown(equation(of_link("V", "i"), twist("i", p, speed))),
            Shown(equation(of_link("V", "i", 1), twist_rate("i", p, speed, acceleration))),
            Shown(equation(of_link("V", 0), ZERO)),
            Shown(equation(of_link("V", 0, 1), column([ZERO, negated(GRAVITY)]))),
        ),
        code="run = la.mechanics.screw_recursion(eq.exact.mechanism, eq.exact.q, eq.exact.qd, eq.exact.qdd)",
    )


def twist(i: Index, p: Index, speed: Node) -> Node:
    """Ad(T_{i,p}) V_p + A_i thetad_i."""
    carried = Product((Ad(between("T", i, p)), of_link("V", p)))
    return Sum((carried, Product((of_link("A", i), speed))))


def twist_rate(i: Index, p: Index, speed: Node, acceleration: Node) -> Node:
    """Ad(T_{i,p}) Vd_p + A_i thetadd_i + ad(V_i) A_i thetad_i."""
    carried = Product((Ad(between("T", i, p)), of_link("V", p, 1)))
    bracket = Product((ad(of_link("V", i)), of_link("A", i), speed))
    return Sum((carried, Product((of_link("A", i), acceleration)), bracket))


def inward_recursion(setting: Setting) -> Step:
    """F and tau of link i from the wrenches of the links it carries."""
    if is_serial(setting):
        handed_on = pulled_back(between("T", "i+1", "i"), of_link("F", "i+1"))
        words = "From the tip to the base. "
    else:
        handed_on = Product(
            (Indexed(Symbol("sum"), "k"), *_factors(pulled_back(between("T", "k", "i"), of_link("F", "k"))))
        )
        words = "From the tips to the base, summed over the links k that link i carries. "
    last = len(setting.links) + 1
    return Step(
        "The recursion",
        (
            words
            + "A link needs the wrench that changes its momentum, and hands on the wrenches of the links it carries: "
            "action = reaction. A joint supplies the part along its own screw. ",
            of_link("F", last),
            " is the wrench that the tip applies to its surroundings; it is zero here.",
        ),
        (
            Shown(equation(of_link("F", "i"), wrench("i", [handed_on]))),
            Shown(equation(Indexed(Symbol("tau"), "i"), joint_force("i"))),
        ),
    )


def wrench(i: Index, handed_on: list[Node]) -> Node:
    """Ad(T_{k,i})^T F_k + G_i Vd_i - ad(V_i)^T G_i V_i."""
    G, V = of_link("G", i), of_link("V", i)
    return Sum((*handed_on, Product((G, of_link("V", i, 1))), negated(Product((Transposed(ad(V)), G, V)))))


def joint_force(i: Index) -> Node:
    """F_i^T A_i."""
    return Product((Transposed(of_link("F", i)), of_link("A", i)))


def _factors(product: Node) -> tuple[Node, ...]:
    return product.factors if isinstance(product, Product) else (product,)
