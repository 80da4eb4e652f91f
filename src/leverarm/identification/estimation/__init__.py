"""Physically consistent least squares on arrays; nothing here knows of logs."""
