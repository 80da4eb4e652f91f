"""The result for people and for programs: a web page, JSON, text for a terminal."""

from leverarm.identification.report.saving import write_report
from leverarm.identification.report.terminal_text import summary

__all__ = ["summary", "write_report"]
