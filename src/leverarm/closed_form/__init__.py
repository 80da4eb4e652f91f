"""Closed forms of an arm: exact, canonical, printed as a textbook would."""

from leverarm.closed_form.arm_letters import Angles, CoordinateNames, ExactArm, exact_arm
from leverarm.closed_form.base_parameters import BaseParameter, BaseParameters, base_regressor, base_values
from leverarm.closed_form.exact_equations import Equations, equations
from leverarm.closed_form.formula import Formula, Formulas, Notation

__all__ = [
    "Angles",
    "BaseParameter",
    "BaseParameters",
    "CoordinateNames",
    "Equations",
    "ExactArm",
    "Formula",
    "Formulas",
    "Notation",
    "base_regressor",
    "base_values",
    "equations",
    "exact_arm",
]
