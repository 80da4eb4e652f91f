"""Writing a result: a report to read, everything as JSON, the arm as TOML and URDF."""

from __future__ import annotations

from pathlib import Path

from leverarm.atomic_write import atomic_write_all
from leverarm.documents import Document
from leverarm.documents.html import to_html
from leverarm.documents.saving import RENDERERS, save, to_json
from leverarm.errors import FormatError, LeverarmError
from leverarm.formats import save as save_arm
from leverarm.formats.native import toml_from_arm
from leverarm.formats.urdf.writer import urdf_from_arm
from leverarm.model import Arm

ARMS = (".toml", ".urdf")
ENDINGS = (*RENDERERS, ".json", *ARMS)


def save_result(document: Document, arm: Arm, path: Path, data: str) -> Path:
    """Writes one file by its ending, or report.html, `data` (a .json), arm.toml and arm.urdf into a folder.

    All files of a folder are written or none; arm.urdf where a URDF can hold the arm. Returns the path.
    """
    ending = path.suffix.lower()
    if path.is_dir() or not ending[1:].isalpha():
        _save_folder(document, arm, path, data)
    elif ending in ARMS:
        save_arm(arm, path)
    elif ending in ENDINGS:
        save(document, path)
    else:
        raise FormatError(f"{path.name!r} is no part of a result. Valid: {', '.join(ENDINGS)}, or a folder.")
    return path


def _save_folder(document: Document, arm: Arm, folder: Path, data: str) -> None:
    if folder.exists() and not folder.is_dir():
        raise FormatError(f"{folder}: is a file; a result is written into a folder. Give another name.")
    files = {"report.html": to_html(document), data: to_json(document), "arm.toml": toml_from_arm(arm)}
    try:
        files["arm.urdf"] = urdf_from_arm(arm)
    except LeverarmError:
        # A URDF has no helical joints and none coupled to several others; arm.toml has all of it.
        (folder / "arm.urdf").unlink(missing_ok=True)
    atomic_write_all(files, folder)
