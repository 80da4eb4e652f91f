"""Closed forms written out: text, LaTeX, Python, SymPy, JSON."""

from leverarm.closed_form.sheet.writing import FORMS, closed_forms, save_equations, write_equations

__all__ = ["FORMS", "closed_forms", "save_equations", "write_equations"]
