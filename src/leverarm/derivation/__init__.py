"""The shown derivation: from an arm to its equations of motion, step by step."""

from leverarm.derivation.document import LEVELS, Derivation, Level, Part, Shown, Step, Table, at_level
from leverarm.derivation.routes import derive

__all__ = ["LEVELS", "Derivation", "Level", "Part", "Shown", "Step", "Table", "at_level", "derive"]
