"""The textbook printer: exact elements as the formulas a textbook prints."""

from leverarm.notation.elements import element_of as from_tree
from leverarm.notation.textbook.counting import operations
from leverarm.notation.textbook.printing import PrintingError, collected, textbook

__all__ = ["PrintingError", "collected", "from_tree", "operations", "textbook"]
