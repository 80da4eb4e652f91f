"""`leverarm excite`: an exciting trajectory, to be run and logged for `identify`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

import leverarm as la
from leverarm.cli.command_group import INTERRUPTED
from leverarm.cli.progress import progress_bar


@click.command(short_help="Design an exciting trajectory.")
@click.argument("arm_name", metavar="ARM")
@click.option("-o", "--output", metavar="FILE", help="Write t, q, qd, qdd by joint: .csv, .npz or .parquet.")
@click.option("--plot", metavar="FILE", help="Plot every joint with its limits: .png, .svg or .pdf.")
@click.option("--duration", default="10", show_default=True, metavar="SECONDS", help="How long the motion lasts.")
@click.option("--harmonics", default="5", show_default=True, metavar="NUMBER", help="Harmonics of each joint.")
@click.option("--base-frequency", metavar="HZ", help="Frequency of the first harmonic (default: one period).")
@click.option("--rate", default="1000", show_default=True, metavar="HZ", help="Sampling rate.")
@click.option("--margin", default="10", show_default=True, metavar="PERCENT", help="Part of each limit left unused.")
@click.option("--acceleration", metavar="NUMBERS", help="Acceleration limits [rad/s^2, m/s^2], one or one each.")
@click.option("--floor", metavar="HEIGHT", help="Keep every moving frame above this height [m] in the world.")
@click.option("--seed", default="0", show_default=True, metavar="NUMBER", help="Random seed.")
@click.option("--time-limit", metavar="SECONDS", help="Limit of the search (default: 45, unless --steps is given).")
@click.option("--steps", metavar="NUMBER", help="Limit of the search in steps; reproducible on every machine.")
@click.option("--set", "settings", multiple=True, metavar="SYMBOL=VALUE", help="Set a symbol of the arm.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON with all digits.")
def excite(arm_name: str, output: str | None, plot: str | None, as_json: bool, **given: Any) -> None:
    """Design an exciting trajectory for identification, within the limits of the arm.

    Every joint follows a Fourier series that begins and ends at rest. The search maximises the determinant of the
    information matrix of the base parameters (D-optimality): inertias, rotors and friction together. Run the motion on
    the robot, log q and tau, and give the log to `leverarm identify`.

    The condition number is that of the base regressor, rows divided by the joints' effort limits, columns scaled to
    length one. Ctrl-C writes the best motion so far, which keeps all limits too, and exits with 130.

    \b
    leverarm excite panda -o traj.csv
    leverarm excite panda -o traj.csv --plot traj.png --duration 20 --harmonics 8
    leverarm excite ur5 --floor 0.05 --margin 20 --acceleration 8 -o traj.csv
    leverarm excite my_arm.urdf --duration 20 --base-frequency 0.1 --seed 3 -o traj.npz
    """
    from leverarm.cli.output_files import check_file, check_place

    if output is not None:
        check_file("-o", output)
        check_place(output)
    if plot is not None:
        check_file("--plot", plot)
    found = _found(arm_name, given)
    files = _written(found, output, plot)
    _report(found, files, as_json)
    if not found.finished and any(finding.where == "interrupted" for finding in found.findings):
        kept = f"; the best motion so far is in {output}" if output is not None else ""
        click.echo(f"interrupted: the search is not finished{kept}.", err=True)
        raise click.exceptions.Exit(INTERRUPTED)


def _found(arm_name: str, given: dict[str, Any]) -> la.types.Excitation:
    from leverarm.cli.numbers import number, numbers, one_or_each, whole, with_settings

    arm = with_settings(la.load(arm_name), given["settings"])

    def of(name: str, read: Callable[..., Any], *more: Any) -> Any:
        """The value of an option that was given."""
        return None if given[name] is None else read(given[name], *more, f"--{name.replace('_', '-')}")

    acceleration = of("acceleration", numbers, arm)
    with progress_bar(f"exciting {arm.name[:16]}") as report:
        return la.excite(
            arm,
            duration=of("duration", number, arm),
            harmonics=of("harmonics", whole),
            base_frequency=of("base_frequency", number, arm),
            rate=of("rate", number, arm),
            margin=of("margin", number, arm) / 100,
            acceleration=acceleration and one_or_each(acceleration),
            floor=of("floor", number, arm),
            seed=of("seed", whole),
            time_limit=of("time_limit", number, arm),
            steps=of("steps", whole),
            progress=lambda done, log_det: report(done, f"log det {log_det:.1f}; Ctrl-C keeps the best so far"),
        )


def _written(found: la.types.Excitation, output: str | None, plot: str | None) -> list[str]:
    if output is not None:
        found.save(output)
    if plot is not None:
        found.plot(plot)
    return [path for path in (output, plot) if path is not None]


def _report(found: la.types.Excitation, files: list[str], as_json: bool) -> None:
    from leverarm.cli.output import print_document, print_json

    document = found.document()
    if as_json:
        print_json({**(document.data or {}), "files": files})
        return
    print_document(document)
    if files:
        click.echo(f"wrote {', '.join(files)}: {len(found.trajectory):,} rows of t, q, qd, qdd")
