"""How closed forms are written: formulas as trees, the textbook printer, and renderers."""
