"""Fits of base parameters and how sure they are."""
