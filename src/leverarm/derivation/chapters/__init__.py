"""Chapters that several routes share, one per file."""
