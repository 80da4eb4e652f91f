"""Large arms: how many terms each quantity of the recursion has, instead of pages of them."""

from __future__ import annotations

from leverarm.derivation.document import Part, Step, Table
from leverarm.derivation.newton_euler.letters import of_link
from leverarm.derivation.newton_euler.recursion import inward_recursion, matrices_of_twists, outward_recursion
from leverarm.derivation.setting import Setting
from leverarm.derivation.sizes import term_count
from leverarm.mechanics.screw_form import ScrewRecursion
from leverarm.notation.tree import Indexed, Symbol
from leverarm.spatial import Force, Motion


def structure(setting: Setting, run: ScrewRecursion) -> tuple[Part, ...]:
    """The recursion in symbols, both ways, and a table of sizes."""
    head = ("link", of_link("V", "i"), of_link("V", "i", 1), of_link("F", "i"), Indexed(Symbol("tau"), "i"))
    rows = []
    for link in setting.links:
        i = link.i
        sizes = (_terms(run.V[i]), _terms(run.V_dot[i]), _terms(run.F[i]), term_count([run.tau[i]]))
        rows.append((str(link.number), *map(str, sizes)))
    counts = Step(
        "Sizes",
        (
            "Written out, these formulas fill pages. This is how many terms they have when expanded; outward each link "
            "adds its own motion, inward each wrench holds all that is farther out.",
        ),
        (),
        (Table(head, tuple(rows), "Number of terms, expanded."),),
        code="[\n"
        "    [eq.formulas(x).terms for x in ([*V.angular, *V.linear], [*V_dot.angular, *V_dot.linear],"
        " [*F.moment, *F.force], [tau])]\n"
        "    for V, V_dot, F, tau in zip(run.V, run.V_dot, run.F, run.tau)\n"
        "]",
    )
    return (
        Part("Outward: velocities and accelerations", (outward_recursion(setting), matrices_of_twists())),
        Part("Inward: forces", (inward_recursion(setting), counts)),
    )


def _terms(vector: Motion | Force) -> int:
    if isinstance(vector, Motion):
        return term_count((*vector.angular, *vector.linear))
    return term_count((*vector.moment, *vector.force))
