"""The textbook printer: exact elements as the formulas a textbook prints."""

from leverarm.notation.textbook.plans import operations
from leverarm.notation.textbook.printing import PrintingError, collected, textbook

__all__ = ["PrintingError", "collected", "operations", "textbook"]
