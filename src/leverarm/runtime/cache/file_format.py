"""The cache file of one compiled function, and the checks that it is intact and the one requested.

    leverarm compiled function 1 <sha256 of everything below, in hex>\\n
    {"parts": {...}, "about": {...}, "created": "...", "size": <bytes of machine code>}\\n
    <machine code>

`parts` is everything the machine code depends on. Its hash names the file, and a file is used only if its own parts
equal the caller's, so neither a hash collision nor a renamed file is ever run. Also the contents of a cache folder.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from leverarm.runtime.cache.trust import TEMPORARY, Untrusted, read_trusted

VERSION = 1
MAGIC = f"leverarm compiled function {VERSION} ".encode()
BODY = len(MAGIC) + sha256().digest_size * 2 + 1
"""Where the header begins."""


class Damaged(Exception):
    """A file is not as the cache wrote it; the message completes "FILE ..."."""


@dataclass(frozen=True, slots=True)
class About:
    """Description of a compiled function for cache listings."""

    arm: str
    quantity: str
    dtype: str
    machine: str


@dataclass(frozen=True, slots=True)
class Contents:
    """The content of an intact file."""

    parts: Mapping[str, str]
    about: About
    created: datetime
    payload: bytes


def key_of(parts: Mapping[str, str]) -> str:
    """The file name for this key: 64 hex digits (SHA-256)."""
    return sha256(MAGIC + _json(dict(parts))).hexdigest()


def packed(contents: Contents) -> bytes:
    """The file's bytes."""
    header = {
        "parts": dict(contents.parts),
        "about": asdict(contents.about),
        "created": contents.created.isoformat(timespec="seconds"),
        "size": len(contents.payload),
    }
    body = _json(header) + b"\n" + contents.payload
    return MAGIC + sha256(body).hexdigest().encode() + b"\n" + body


def unpacked(content: bytes) -> Contents:
    """The inverse of `packed`; raises Damaged unless every byte is as it was written."""
    if not content:
        raise Damaged("is empty")
    if not content.startswith(MAGIC):
        raise Damaged("was not written by this cache")
    body = memoryview(content)[BODY:]
    if content[len(MAGIC) : BODY] != sha256(body).hexdigest().encode() + b"\n":
        raise Damaged("is damaged (its checksum is wrong)")
    try:
        end = content.index(b"\n", BODY)
        header = json.loads(content[BODY:end])
        parts, about = header["parts"], About(**header["about"])
        created = datetime.fromisoformat(header["created"]).astimezone(UTC)
        is_complete = header["size"] == len(content) - end - 1
        is_typed = all(isinstance(text, str) for text in (*parts.values(), *asdict(about).values()))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        is_complete = is_typed = False
    if not (is_complete and is_typed):
        raise Damaged("has a header that was not written by this cache")
    return Contents(parts, about, created, content[end + 1 :])


def code_packed(notes: Mapping[str, object], code: bytes) -> bytes:
    """Machine code and its notes as one payload for `packed`."""
    return _json({"notes": dict(notes), "size": len(code)}) + b"\n" + code


def code_unpacked(payload: bytes) -> tuple[dict[str, Any], bytes]:
    """The inverse of `code_packed`. Raises Damaged: running incomplete machine code would crash the process."""
    text, _, code = payload.partition(b"\n")
    try:
        header = json.loads(text)
        notes, size = dict(header["notes"]), header["size"]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise Damaged("holds no machine code") from None
    if not code or len(code) != size:
        raise Damaged("holds incomplete machine code")
    return notes, code


def _json(data: Mapping[str, object]) -> bytes:
    return json.dumps(data, sort_keys=True, separators=(",", ":")).encode("ascii")


ENDING = ".compiled"
_KEPT = re.compile(rf"[0-9a-f]{{64}}{re.escape(ENDING)}")
_UNFINISHED = re.compile(rf"[0-9a-f]{{64}}\.[0-9a-f]{{16}}{re.escape(TEMPORARY)}")


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A directory entry: the time the file was last used or written [s] and its size [bytes]."""

    path: Path
    used: float
    size: int


@dataclass(frozen=True, slots=True)
class CacheEntry:
    """A file of the cache: what it holds, when it was made and last used (to the day), its size [bytes].

    If it cannot be used, `trouble` says why and its other fields are unknown.
    """

    path: Path
    about: About | None
    created: datetime | None
    used: datetime
    size: int
    trouble: str = ""


def kept_files(folder: Path) -> list[FoundFile]:
    """The files of the cache, the least recently used first."""
    return sorted(_files(folder, _KEPT), key=lambda file: (file.used, file.path))


def unfinished_files(folder: Path) -> list[FoundFile]:
    """Temporary files: being written, or left by a killed process."""
    return list(_files(folder, _UNFINISHED))


def _files(folder: Path, name: re.Pattern[str]) -> Iterator[FoundFile]:
    """None if the folder cannot be listed; files removed meanwhile are skipped."""
    try:
        listed = os.scandir(folder)
    except OSError:
        return
    with listed:
        for entry in listed:
            if name.fullmatch(entry.name):
                try:
                    status = entry.stat(follow_symlinks=False)
                except FileNotFoundError:
                    continue
                yield FoundFile(Path(entry.path), status.st_mtime, status.st_size)


def entry_of(file: FoundFile) -> CacheEntry | None:
    """What a file holds, after the same checks as before use; None if it is gone."""
    used = datetime.fromtimestamp(file.used, UTC)
    try:
        contents, _ = read_contents(file.path)
    except FileNotFoundError:
        return None
    except (Damaged, Untrusted) as problem:
        return CacheEntry(file.path, None, None, used, file.size, str(problem))
    except OSError as problem:
        return CacheEntry(file.path, None, None, used, file.size, f"cannot be read ({problem.strerror})")
    return CacheEntry(file.path, contents.about, contents.created, used, file.size)


def read_contents(path: Path) -> tuple[Contents, float]:
    """A file after every check that needs no key, and when it was last used [s].

    Raises Damaged, Untrusted, and OSError if it cannot be read.
    """
    content, used = read_trusted(path)
    contents = unpacked(content)
    if key_of(contents.parts) != path.stem:
        raise Damaged("holds another function than its name says")
    return contents, used
