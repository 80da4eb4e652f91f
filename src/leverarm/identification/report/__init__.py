"""What was identified, for people and for programs: a web page, JSON, lines for a terminal."""

from leverarm.identification.report.terminal_text import summary
from leverarm.identification.report.writing import write_report

__all__ = ["summary", "write_report"]
