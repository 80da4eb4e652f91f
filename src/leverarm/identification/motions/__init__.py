"""Smooth motions from logs."""
