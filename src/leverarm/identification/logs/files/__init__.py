"""Log files of every kind as tables of numbers."""

from __future__ import annotations

from leverarm.identification.logs.files.file_kinds import read_table
from leverarm.identification.logs.files.table import Dropped, Repaired, Table

__all__ = ["Dropped", "Repaired", "Table", "read_table"]
