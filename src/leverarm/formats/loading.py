"""Arms from the catalog and from files, and into files: the ending of a file's name says which format it is."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from leverarm.atomic_write import atomic_write
from leverarm.errors import FormatError, LeverarmError, path_text, unknown_name
from leverarm.formats.input_file import read_bytes
from leverarm.late_import import late
from leverarm.model import Arm, Quantity
from leverarm.model import lock as lock_joints


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: how its names end, and the functions that read and write it, as "module:function".

    A reader takes (text, file), or for "path" (path): MJCF includes other files.
    """

    name: str
    endings: tuple[str, ...]
    reader: str
    writer: str | None
    takes: Literal["text", "xml", "path"] = "text"


FORMATS = (
    Format("DH table (TOML)", (".dh.toml",), "dh.files:arm_from_dh_toml", "dh.files:dh_toml_from_arm"),
    Format(
        "screws (TOML)", (".screws.toml",), "screws.files:arm_from_screws_toml", "screws.files:screws_toml_from_arm"
    ),
    Format("leverarm", (".toml",), "native:arm_from_toml", "native:toml_from_arm"),
    Format("URDF", (".urdf",), "urdf.reader:arm_from_urdf", "urdf.writer:urdf_from_arm", "xml"),
    Format("MJCF", (".xml", ".mjcf"), "mjcf.reader:arm_from_mjcf", None, "path"),
    Format("DH table (CSV)", (".csv",), "dh.files:arm_from_dh_csv", "dh.files:dh_csv_from_arm"),
)
"""In the order in which endings are tried. Modules are imported when first used."""


def load(name_or_path: str | os.PathLike[str], lock: Mapping[str, Quantity | str] | None = None) -> Arm:
    """An arm from the catalog or from a file: leverarm TOML, URDF, MJCF, or a table of DH parameters or screws.

    `lock` fixes joints at a value, {"joint": value}. Raises FormatError with file and line; ArmError for `lock`.

    >>> load("elbow").joint_names
    ('theta1', 'theta2')
    """
    given = path_text(name_or_path, "elbow", "arm.urdf")
    arm = _from_catalog(given) if given in catalog_names() else _from_file(given)
    return lock_joints(arm, lock) if lock else arm


def catalog_names() -> tuple[str, ...]:
    """The names of the arms that ship with leverarm."""
    folder = resources.files("leverarm") / "formats" / "catalog"
    return tuple(sorted(entry.name.removesuffix(".toml") for entry in folder.iterdir() if entry.name.endswith(".toml")))


def save(arm: Arm, path: str | os.PathLike[str]) -> None:
    """Writes the arm in the format of the file's ending; an existing file is replaced as a whole or not at all."""
    form = _format_of(Path(path_text(path, "arm.urdf")).name)
    if form.writer is None:
        writable = ", ".join(ending for f in FORMATS if f.writer for ending in f.endings)
        raise FormatError(f"{form.name} files can be read but not written. Write one of {writable}.", str(path))
    atomic_write(str(_function(form.writer)(arm)), path)


def python_of_arm(arm: Arm) -> str:
    """Python that builds the arm again: from the catalog, else from TOML inside it."""
    if arm.name in catalog_names() and load(arm.name) == arm:
        return f"arm = la.load({arm.name!r})"
    text = str(_function("native:toml_from_arm")(arm))
    is_plain = '"""' not in text and "\\" not in text  # nothing in it could end the string
    written = f'"""\n{text}"""' if is_plain else repr(text)
    return f"from leverarm.formats.native import arm_from_toml\narm = arm_from_toml({written})"


def _from_catalog(name: str) -> Arm:
    resource = resources.files("leverarm") / "formats" / "catalog" / f"{name}.toml"
    return _read(FORMATS[2], resource.read_text(encoding="utf-8"), f"{name}.toml")


def _from_file(given: str) -> Arm:
    path = Path(given)
    if not _exists(path):
        if path.suffix or os.sep in given:
            raise FormatError("there is no such file. Check the path.", given[:200])
        name = given[:60]
        raise FormatError(unknown_name("arm in the catalog", name, catalog_names()) + " Or give the path of a file.")
    if not given or not path.is_file():
        raise FormatError("is not a file but a folder, a pipe or a device. Give a file.", given or "''")
    form = _format_of(path.name)
    if form.takes == "path":
        arm: Arm = _function(form.reader)(path)
        return arm
    text = _function("xml_tree:read_xml_file")(path) if form.takes == "xml" else _text(path)
    return _read(form, text, given)


def _exists(path: Path) -> bool:
    """Whether there is something at the path; False for a name that no file can have."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _text(path: Path) -> str:
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FormatError("is not UTF-8 text. Save it as UTF-8.", str(path)) from None


def _format_of(file_name: str) -> Format:
    lowered = file_name.lower()
    for form in FORMATS:
        if lowered.endswith(form.endings):
            return form
    endings = ", ".join(ending for form in FORMATS for ending in form.endings)
    raise FormatError(f"the ending of {file_name!r} names no format. Valid: {endings}. Rename the file.")


def _read(form: Format, text: str, file: str) -> Arm:
    try:
        arm: Arm = _function(form.reader)(text, file)
    except FormatError:
        raise
    except LeverarmError as problem:
        raise FormatError(str(problem), file) from None
    return arm


def _function(name: str) -> Callable[..., Any]:
    found: Callable[..., Any] = late(f"formats.{name}")
    return found
