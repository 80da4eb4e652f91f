"""`leverarm cache`: the compiled functions that are kept on disk."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click

import leverarm as la
from leverarm.cli.command_group import CommandGroup
from leverarm.errors import InputError

if TYPE_CHECKING:
    from rich.console import RenderableType

SUBCOMMANDS = {"clear": "cli.cache:clear", "path": "cli.cache:path"}
SHORT = "The compiled functions that are kept on disk."
SECONDS = {"s": 1, "min": 60, "h": 3600, "d": 86_400, "w": 7 * 86_400}
"""Units of an age."""


@click.group(cls=CommandGroup, commands_by_name=SUBCOMMANDS, invoke_without_command=True, short_help=SHORT)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def cache(ctx: click.Context, as_json: bool) -> None:
    """The compiled functions that are kept on disk for the next process.

    LEVERARM_CACHE sets the folder, or turns the cache off; LEVERARM_CACHE_SIZE sets the limit, such as "2 GB".

    \b
    leverarm cache                          what is there
    leverarm cache clear                    remove all of it
    leverarm cache clear --arm panda        the functions of one arm
    leverarm cache clear --older-than 30d   those not used for a month
    leverarm cache path                     the folder, for scripts
    """
    if ctx.invoked_subcommand is None:
        _print_contents(as_json)


@click.command(short_help="Remove compiled functions.")
@click.option("--arm", metavar="NAME", help="Only those of this arm.")
@click.option("--older-than", metavar="AGE", help="Only those not used for so long: 30d, 12h, 90min, 2w.")
def clear(arm: str | None, older_than: str | None) -> None:
    """Remove compiled functions; they are compiled again when they are needed.

    \b
    leverarm cache clear
    leverarm cache clear --arm panda --older-than 30d
    """
    removed = la.cache.clear(arm, timedelta(0) if older_than is None else age(older_than))
    click.echo(f"removed {_files(len(removed))}, {in_bytes(sum(entry.size for entry in removed))}")


@click.command(short_help="Print the folder.")
def path() -> None:
    """Print the folder that compiled functions are kept in; nothing, with exit code 1, where the cache is off.

    \b
    du -sh "$(leverarm cache path)"
    """
    folder = la.cache.folder()
    if folder is None:
        raise click.exceptions.Exit(1)
    click.echo(folder)


def age(text: str) -> timedelta:
    """Reads 30d, 12h, 90 min."""
    found = re.fullmatch(r"\s*(\d{1,6}(?:\.\d*)?)\s*([a-z]+)\s*", text)
    if found is None or found[2] not in SECONDS:
        units = ", ".join(SECONDS)
        raise InputError(f"--older-than: {text!r} is no age. Give a number and a unit ({units}), such as 30d.")
    return timedelta(seconds=float(found[1]) * SECONDS[found[2]])


def in_bytes(size: int) -> str:
    """A size with three digits."""
    for limit, unit in ((10**9, "GB"), (10**6, "MB"), (10**3, "kB")):
        if size >= 0.9995 * limit:
            return f"{size / limit:.3g} {unit}"
    return f"{size} bytes"


def ago(then: datetime, now: datetime) -> str:
    """How long ago, in one unit."""
    passed = max((now - then).total_seconds(), 0)
    for unit in ("w", "d", "h", "min"):
        if passed >= SECONDS[unit] * (8 if unit == "w" else 1):  # below two months in days
            return f"{passed // SECONDS[unit]:.0f} {unit}"
    return "now"


def _print_contents(as_json: bool) -> None:
    from leverarm.cli.output import print_json, print_lines

    status, entries = la.cache.status(), la.cache.entries()
    if as_json:
        data = {"folder": None if status.folder is None else str(status.folder), "trouble": status.trouble}
        sizes = {"files": len(entries), "bytes": status.size, "limit": status.limit}
        print_json(data | sizes | {"entries": [_entry(entry) for entry in entries]})
        return
    if status.folder is None:
        click.echo("the cache is off: every process compiles for itself. LEVERARM_CACHE=FOLDER turns it on.")
        return
    click.echo(f"{status.folder}: {_files(len(entries))}, {in_bytes(status.size)} of {in_bytes(status.limit)}")
    if status.trouble:
        click.echo(f"not used: it {status.trouble}. Set LEVERARM_CACHE to a folder of your own, or to off.")
    if entries:
        print_lines("", _table(entries))


def _table(entries: tuple[la.types.CacheEntry, ...]) -> RenderableType:
    from leverarm.cli.output import Column, table

    now = datetime.now(UTC)
    heads = [*map(Column, ("arm", "quantity", "dtype", "machine"))]
    heads += [Column("size", is_number=True), Column("last used", is_number=True), Column("trouble")]
    rows = []
    for entry in entries:
        about = entry.about
        what = (about.arm, about.quantity, about.dtype, about.machine) if about else ("?", "", "", "")
        trouble = f"{entry.path.name[:12]}… {entry.trouble}" if entry.trouble else ""
        rows.append([*what, in_bytes(entry.size), ago(entry.used, now), trouble])
    return table("", heads, rows)


def _entry(entry: la.types.CacheEntry) -> dict[str, object]:
    about = entry.about
    what = {name: getattr(about, name, None) for name in ("arm", "quantity", "dtype", "machine")}
    created = None if entry.created is None else entry.created.isoformat(timespec="seconds")
    used = entry.used.isoformat(timespec="seconds")
    return {"file": entry.path.name, **what, "bytes": entry.size, "created": created, "used": used} | (
        {"trouble": entry.trouble} if entry.trouble else {}
    )


def _files(number: int) -> str:
    return f"{number} file{'s' * (number != 1)}"
