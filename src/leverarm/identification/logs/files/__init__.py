"""Log files of every kind as tables of numbers."""

from __future__ import annotations

from leverarm.identification.logs.files.reading import read_table
from leverarm.identification.logs.files.table import Dropped, Mended, Table

__all__ = ["Dropped", "Mended", "Table", "read_table"]
