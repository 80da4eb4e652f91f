"""Log files of every kind as tables of numbers."""

from leverarm.identification.logs.files.file_kinds import read_table

__all__ = ["read_table"]
