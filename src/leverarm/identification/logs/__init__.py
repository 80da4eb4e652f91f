"""A robot's log, from a file or from arrays, made ready for identification."""

from __future__ import annotations

from leverarm.identification.logs.log import Log, Piece
from leverarm.identification.logs.reading import read_log

__all__ = ["Log", "Piece", "read_log"]
