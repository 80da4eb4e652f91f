"""Checking equations that people wrote against an arm: names to meanings, exact values, verdicts."""
