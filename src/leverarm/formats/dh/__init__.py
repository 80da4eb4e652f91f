"""Denavit-Hartenberg tables, in and out, from Python, CSV and TOML."""
