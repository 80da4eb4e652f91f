"""The adaptive method."""
