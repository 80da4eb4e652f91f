"""Symbol names shared by native functions and the Python code that loads them."""

from __future__ import annotations

from leverarm.runtime.calls.object_headers import TABLE

CALL_FUNCTION, BATCH_FUNCTION = "python_call", "python_batch"
CALL_TABLE, BATCH_TABLE = "python_call_table", "python_batch_table"
"""Addresses filled in after loading, so that the code itself contains none."""
CALL_SLOTS = (*TABLE, "fallback", "batch_call")
BATCH_SLOTS = (*TABLE, "most_states", "long_batch")
