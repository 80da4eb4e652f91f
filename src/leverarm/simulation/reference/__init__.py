"""One very accurate method: Taylor series of the motion in long numbers. A second route to every simulated result."""

from leverarm.simulation.reference.coefficients import Coefficients, taylor_coefficients
from leverarm.simulation.reference.running import TOLERANCE, Motion, taylor_run
from leverarm.simulation.reference.steps import State, Step, order_for, taylor_steps
from leverarm.simulation.reference.switching import SwitchError

__all__ = [
    "TOLERANCE",
    "Coefficients",
    "Motion",
    "State",
    "Step",
    "SwitchError",
    "order_for",
    "taylor_coefficients",
    "taylor_run",
    "taylor_steps",
]
