"""Derivations of an arm's equations of motion, with every step shown."""

from leverarm.derivation.document import LEVELS, Derivation, Level, Part, Shown, Step, Table, at_level
from leverarm.derivation.notebook_cells import together
from leverarm.derivation.routes import derive

__all__ = ["LEVELS", "Derivation", "Level", "Part", "Shown", "Step", "Table", "at_level", "derive", "together"]
