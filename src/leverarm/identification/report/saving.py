"""Writing a result: the arm as TOML and URDF, everything as JSON, and a report to read."""

from __future__ import annotations

from pathlib import Path

from leverarm.atomic_write import atomic_write_all
from leverarm.errors import FormatError, LeverarmError
from leverarm.formats.native import toml_from_arm
from leverarm.formats.urdf.writer import urdf_from_arm
from leverarm.identification.report.page import to_html
from leverarm.identification.report.result_json import to_json
from leverarm.identification.result import Identified


def save_result(result: Identified, folder: Path) -> Path:
    """Writes report.html, result.json, arm.toml and, where a URDF can hold the arm, arm.urdf: all of them or none."""
    if folder.exists() and not folder.is_dir():
        raise FormatError(f"{folder}: is a file; a result is written into a folder. Give another name.")
    files = {"report.html": to_html(result), "result.json": to_json(result), "arm.toml": toml_from_arm(result.arm)}
    try:
        files["arm.urdf"] = urdf_from_arm(result.arm)
    except LeverarmError:
        # A URDF has no helical joints and none that follow several others; arm.toml has all of it.
        (folder / "arm.urdf").unlink(missing_ok=True)
    atomic_write_all(files, folder)
    return folder
