"""Screws (product of exponentials), in and out, from Python and TOML."""
