"""A system as machine code."""
