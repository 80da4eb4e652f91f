"""The passes: each takes a program and returns one that computes the same results."""
