"""Derivations of an arm's equations of motion, with every step shown."""

from leverarm.derivation.derivation import Derivation
from leverarm.derivation.notebook_cells import together
from leverarm.derivation.routes import derive
from leverarm.derivation.theory.topics import theory

__all__ = ["Derivation", "derive", "theory", "together"]
