"""Code generation: an arm's quantities as files for other programs."""

from leverarm.runtime.export.description import Bundle
from leverarm.runtime.export.exporting import export, export_targets
