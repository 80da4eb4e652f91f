"""Methods with a fixed step."""
