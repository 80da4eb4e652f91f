"""Verification: an arm's properties with certified bounds, and a check of equations that a user wrote."""
