"""What was identified, for people and for programs: a web page, JSON, lines for a terminal."""

from leverarm.identification.report.result_json import write_report
from leverarm.identification.report.terminal_text import summary

__all__ = ["summary", "write_report"]
