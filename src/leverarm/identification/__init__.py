"""Robot parameters from logs: `identify`, and what it returns."""

from leverarm.identification.identifying import identify
from leverarm.identification.prediction import Validation
from leverarm.identification.result import Estimate, Estimates, Identified, JointFriction

__all__ = ["Estimate", "Estimates", "Identified", "JointFriction", "Validation", "identify"]
