"""Symplectic methods."""
