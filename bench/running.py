"""What every benchmark's command does alike: its options, what ran where, progress, tables on a page."""

from __future__ import annotations

import argparse
import json
import platform
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import leverarm as la


def options(description: str | None, quick: str, endings: tuple[str, ...]) -> argparse.Namespace:
    """`--quick` and any number of `-o FILE` with one of the endings."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help=quick)
    files = ", ".join(f"FILE{ending}" for ending in endings)
    parser.add_argument("-o", dest="output", action="append", type=Path, default=[], help=f"{files}; may be repeated")
    given = parser.parse_args()
    for path in given.output:
        if path.suffix not in endings:
            parser.error(f"-o {path}: the ending is {path.suffix!r}. It can be {' or '.join(endings)}.")
    return given


def setting(machine: str, packages: Iterable[str]) -> dict[str, str]:
    """What ran where, in words."""
    versions = {"Python": platform.python_version(), "leverarm": la.__version__}
    for package in packages:
        try:
            versions[package] = version(package)
        except PackageNotFoundError:
            versions[package] = "not installed"
    describe = ["git", "describe", "--always", "--dirty"]
    commit = subprocess.run(describe, capture_output=True, text=True, check=False, cwd=Path(__file__).parent)
    return {"machine": machine, **versions, "commit": commit.stdout.strip() or "unknown"}


def placed(tables: str, path: Path, first: str, last: str) -> str:
    """The tables alone, or between the first and the last line of their place on a page that has one."""
    old = path.read_text() if path.exists() else ""
    before, begin, rest = old.partition(first)
    _, end, after = rest.partition(last)
    return f"{before}{begin}\n{tables}\n{end}{after}" if end else tables


def write_all(
    paths: Iterable[Path],
    page: str,
    report: Any,
    on_page: Callable[[str, Path], str],
    save_charts: Callable[[Any, Path], None],
) -> None:
    """The report as the files asked for: charts, tables on their page, or all numbers as JSON."""
    for path in paths:
        if path.suffix == ".png":
            save_charts(report, path)
        else:
            text = on_page(page, path) if path.suffix == ".md" else json.dumps(asdict(report), indent=1) + "\n"
            path.write_text(text)


def exit_if_missed(bars: Iterable[Any]) -> None:
    """Ends with the titles of the bars that are not met."""
    if missed := [bar.title for bar in bars if not bar.is_met]:
        sys.exit("MISSED: " + "; ".join(missed))


def say(line: str) -> None:
    print(line, file=sys.stderr, flush=True)
