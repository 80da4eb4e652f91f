"""The Lagrangian, its derivatives one by one, and the equation of motion of each coordinate."""

from __future__ import annotations

from leverarm.derivation.chapters.collection import collected
from leverarm.derivation.document import Level, Part, Shown, Step
from leverarm.derivation.setting import HALF, Setting, equation, times
from leverarm.notation.tree import (
    Of,
    PartialDerivative,
    Sum,
    Symbol,
    TimeDerivative,
    Transposed,
    negated,
)
from leverarm.scalars.exact import partial

L = Symbol("L")


def euler_lagrange(setting: Setting) -> Part:
    """L, then for each coordinate dL/dqd, its time derivative, dL/dq and the force."""
    steps = [_lagrangian(setting), _principle(setting)]
    steps += [_coordinate(setting, i) for i in range(setting.dof)]
    steps.append(_equations_of_motion(setting))
    return Part("Lagrange's equation", tuple(steps))


def principle(setting: Setting) -> Part:
    """The route in words and symbols, for arms whose energies fill pages."""
    eq, K, P = setting.eq, Symbol("K"), Symbol("P")
    energies = Step(
        "Energies",
        (f"Multiplied out, the kinetic energy has {eq.K.terms} terms and the potential energy {eq.P.terms}.",),
        (
            Shown(
                equation(K, times(HALF, Transposed(setting.all(1)), Of(Symbol("M"), (setting.all(),)), setting.all(1)))
            ),
            Shown(equation(L, Sum((K, negated(P))))),
        ),
        code="eq.K.terms, eq.P.terms",
    )
    return Part("Lagrange's equation", (energies, _principle(setting)))


def _lagrangian(setting: Setting) -> Step:
    return Step(
        "The Lagrangian",
        ("Kinetic minus potential energy.",),
        (Shown(equation(L, Sum((Symbol("K"), negated(Symbol("P")))), setting.eq.L.tree)),),
        code="eq.L",
    )


def _principle(setting: Setting) -> Step:
    q, qd = setting.all(), setting.all(1)
    right = Sum((TimeDerivative(PartialDerivative(L, qd)), negated(PartialDerivative(L, q))))
    return Step(
        "Lagrange's equation",
        (
            "One equation for each coordinate. ",
            Symbol("tau"),
            " is the generalised force" + (" that is left after friction." if setting.mechanism.has_friction else "."),
        ),
        (Shown(equation(Symbol("tau"), right)),),
        code="",
    )


def _coordinate(setting: Setting, i: int) -> Step:
    eq = setting.eq
    name, q, qd = eq.exact.coordinates[i], setting.coordinates()[i], setting.coordinates(1)[i]
    momentum = partial(eq.L.value, f"{name}.d")
    by_speed, by_position = PartialDerivative(L, qd), PartialDerivative(L, q)
    return Step(
        f"Derivatives for coordinate {i + 1}",
        (
            "The momentum along ",
            q,
            ", its rate of change, and the derivative of ",
            L,
            " by the coordinate.",
        ),
        (
            Shown(equation(by_speed, setting.tree(momentum)), Level.FULL),
            Shown(equation(TimeDerivative(by_speed), setting.tree(eq.time_derivative(momentum))), Level.FULL),
            Shown(equation(by_position, setting.tree(partial(eq.L.value, name))), Level.FULL),
        ),
        level=Level.FULL,
        code=f"p = eq.momentum[{i}]\ntogether(eq, p, eq.time_derivative(p.value), eq.L.diff({name!r}))",
    )


def _equations_of_motion(setting: Setting) -> Step:
    shown = []
    for force, value in zip(setting.forces, setting.eq.euler_lagrange.values, strict=True):
        shown.append(Shown(equation(force, collected(setting, value))))
    return Step(
        "Equations of motion",
        ("Put together, with the accelerations collected.",),
        tuple(shown),
        code="eq.euler_lagrange",
    )
