"""The result for people and for programs: a web page, JSON, text for a terminal."""

from leverarm.identification.report.saving import save_result
from leverarm.identification.report.terminal_text import summary

__all__ = ["save_result", "summary"]
