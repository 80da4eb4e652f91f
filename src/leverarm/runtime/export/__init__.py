"""Code generation: an arm's quantities as files for other programs."""

from leverarm.runtime.export.description import Bundle, Function
from leverarm.runtime.export.exporting import compilable, export, export_targets, export_text, save_export

__all__ = ["Bundle", "Function", "compilable", "export", "export_targets", "export_text", "save_export"]
