"""Whether an equation that does not hold as it stands holds by another convention, and which one.

Absolute angles with the torques of the motors: the angles are measured from one line, tau_i still acts in joint i.

With absolute angles as coordinates the generalised forces are differences of the torques in the joints. Some texts use
these angles and keep the torques in the joints all the same: then tau is ours with the angles put in place.

Equations in which some symbols are replaced by the arm's own numbers: 9.81 for g.
"""

from __future__ import annotations

from leverarm.model import Arm, to_float
from leverarm.scalars import EXACT, Scalar
from leverarm.scalars.exact import substitute
from leverarm.scalars.turn import Turn
from leverarm.verify.equations.arm_values import ArmValues
from leverarm.verify.equations.case import Case
from leverarm.verify.equations.claims import defined_otherwise, jacobian_otherwise
from leverarm.verify.equations.coordinate_names import angle
from leverarm.verify.equations.coriolis_entries import by_rows, factorisation
from leverarm.verify.equations.descriptions import described_otherwise, document_of, single_alternatives
from leverarm.verify.equations.indices import letters_of
from leverarm.verify.equations.slips import could_be_a_slip
from leverarm.verify.equations.values import Table, column, entries, equal, mapped, table


def with_motor_torques(case: Case) -> str | None:
    """The words that follow "equal if", where tau is that of the joints in terms of absolute angles."""
    values = case.scope.values
    tau = values.eq.tau.values
    is_tau = any(equal(case.wanted, part) for part in (column(tau), *tau))
    if not is_tau or any(body.joint.coupling is not None for body in values.eq.arm.bodies):
        return None
    for alternative in single_alternatives(values.eq.arm):
        if alternative.about == "absolute angles":
            put = _put(alternative.change(values.eq.arm), values)
            is_no_slip = _is_same(case, put) and not could_be_a_slip(case, alternative)
            if is_no_slip and document_of(case.scope).admits(alternative, case):
                return f"{alternative.says}, while tau_i is still the torque in joint i"
    return None


def _is_same(case: Case, put: dict[str, Scalar]) -> bool:
    if sum(1 for _ in entries(case.value)) != sum(1 for _ in entries(case.wanted)):
        return False
    return equal(case.value, mapped(case.wanted, lambda x: substitute(x, put)))


def _put(other: Arm, values: ArmValues) -> dict[str, Scalar]:
    """Our coordinates, speeds and accelerations in terms of those of another description."""
    index = {name: i for i, name in enumerate(values.exact.coordinates)}
    put: dict[str, Scalar] = {}
    for joint in (body.joint for body in other.bodies):
        if joint.coupling is None:
            continue
        total = Turn(*EXACT.turn(to_float(joint.offset, {})))
        speed: Scalar = 0
        acceleration: Scalar = 0
        for name, ratio in joint.coupling:
            i = index[name]
            total = total + angle(values, i) * ratio
            speed = speed + values.exact.qd[i] * ratio
            acceleration = acceleration + values.exact.qdd[i] * ratio
        put |= {joint.name: total, f"{joint.name}.d": speed, f"{joint.name}.dd": acceleration}
    return put


def convention(case: Case) -> str | None:
    """A sentence that says by which convention the equation holds; None where it is wrong by all that are known.

    A convention is proven exactly, like an equation that is equal. It must hold for the whole equation, must not break
    another equation of the document, and must not be mistaken for a slip: where one slip of the pen explains the
    equation as well, another equation of the document has to agree.
    """
    eq = case.scope.equations
    n = len(eq.exact.qd)
    if isinstance(case.value, Table) and case.value.shape == (n, n) and equal(case.wanted, table(eq.C.values)):
        return _sentence(factorisation(case.value.rows, eq), "equal as ")
    words = by_rows(case) or defined_otherwise(eq, case.wanted, case.value)
    words = words or jacobian_otherwise(eq, case.wanted, case.value)
    described = None if words else described_otherwise(case) or with_motor_torques(case)
    return _sentence(words, "equal ") or _sentence(described, "equal if ")


def _sentence(words: str | None, start: str) -> str | None:
    return None if words is None else f"{start}{words}"


def with_own_numbers(case: Case) -> str | None:
    """The words "equal with g = 9.81, ...", where what is written lacks symbols and holds at their default numbers."""
    missing = [name for name in case.scope.arm.defaults if name in letters_of(case.wanted) - letters_of(case.value)]
    defaults = case.scope.equations.notation.defaults
    if not missing or any(name not in case.scope.values.exact.ring.index for name in missing):
        return None
    numbers = {name: EXACT.lift(defaults[name]) for name in missing}
    if not equal(case.value, mapped(case.wanted, lambda x: substitute(x, numbers))):
        return None
    return f"equal with {', '.join(f'{name} = {defaults[name]:g}' for name in missing)}, the arm's own numbers"
