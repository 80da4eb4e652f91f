"""From a robot's log to parameters: `identify`, and what it finds."""

from leverarm.identification.identifying import identify
from leverarm.identification.prediction import Validation
from leverarm.identification.result import Estimate, Estimates, Identified, JointFriction

__all__ = ["Estimate", "Estimates", "Identified", "JointFriction", "Validation", "identify"]
