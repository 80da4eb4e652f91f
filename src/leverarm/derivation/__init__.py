"""Derivations of an arm's equations of motion, with every step shown."""

from leverarm.derivation.derivation import Derivation
from leverarm.derivation.notebook_cells import together
from leverarm.derivation.routes import derive

__all__ = ["Derivation", "derive", "together"]
