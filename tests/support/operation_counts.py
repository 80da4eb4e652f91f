"""How many additions, multiplications and divisions an algorithm takes for an arm, before any pass of the compiler."""

from __future__ import annotations

from leverarm import mechanics as me
from leverarm.scalars import Tape
from leverarm.scalars.tape import live_nodes

QUANTITIES = {
    "inverse_dynamics": lambda a, q, qd, qdd: me.classical_inverse_dynamics(a, q, qd, qdd),
    "bias": lambda a, q, qd, qdd: me.classical_bias(a, q, qd),
    "gravity": lambda a, q, qd, qdd: me.classical_forces(a, q, [0] * a.dof, [0] * a.dof),
    "mass_matrix": lambda a, q, qd, qdd: me.classical_mass_matrix(a, q),
    "mass_matrix_inverse": lambda a, q, qd, qdd: me.mass_matrix_inverse(a, q),
    "coriolis_matrix": lambda a, q, qd, qdd: me.classical_coriolis_matrix(a, q, qd),
    "forward_dynamics": lambda a, q, qd, qdd: me.classical_forward_dynamics(a, q, qd, qdd),
    "inverse_dynamics_derivatives": lambda a, q, qd, qdd: me.inverse_dynamics_derivatives(a, q, qd, qdd),
    "forward_dynamics_derivatives": lambda a, q, qd, qdd: me.forward_dynamics_derivatives(a, q, qd, qdd),
    "kinetic_energy": lambda a, q, qd, qdd: me.kinetic_energy(a, q, qd),
}


def flops(run, arm) -> int:
    """The operations of run(arm, q, qd, qdd), traced on a tape; sines, cosines and signs count as none."""
    tape = Tape()
    state = [[tape.input(f"{x}{i}") for i in range(arm.dof)] for x in ("q", "qd", "qdd")]
    return sum(node.op.flops for node in live_nodes(_flat(run(arm, *state))))


def _flat(result) -> list:
    return [x for part in result for x in _flat(part)] if isinstance(result, list | tuple) else [result]
