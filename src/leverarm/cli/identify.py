"""`leverarm identify`: robot parameters from logs."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, NoReturn

import click

import leverarm as la
from leverarm.cli.command_group import INTERRUPTED, Mistake
from leverarm.cli.log_options import log_options
from leverarm.cli.output_files import check_result
from leverarm.cli.progress import progress_bar
from leverarm.errors import FormatError, InputError, LeverarmError

REFUSED = 1


@click.command(short_help="Identify the parameters of an arm from logs.")
@click.argument("arm_name", metavar="ARM")
@click.argument("logs", metavar="LOG...", nargs=-1, required=True)
@click.option("--validate", "others", multiple=True, metavar="LOG",
              help="Validate on another motion; may be repeated.")  # fmt: skip
@click.option("-o", "--output", metavar="PATH",
              help="Write a report, JSON, TOML and URDF to a folder; or one of them, by its ending.")  # fmt: skip
@log_options
@click.option(
    "--friction", metavar="NAMES", help="Friction models to choose from: sign, tanh, asymmetric (default: all)."
)
@click.option("--coupling", "couplings", multiple=True, metavar="MOTOR,JOINT",
              help="A motor that also turns with another joint (default: found in the data).")  # fmt: skip
@click.option("--spring", "springs", multiple=True, metavar="JOINT", help="A joint with a spring; may be repeated.")
@click.option("--method", metavar="NAME", help="Estimator: robust (default), weighted, ordinary or instrumental.")
@click.option("--set", "settings", multiple=True, metavar="SYMBOL=VALUE", help="Set a symbol of the arm.")
@click.option("--quiet", is_flag=True, help="Print the verdict only.")
@click.option("--json", "as_json", is_flag=True, help="Print result.json with all digits.")
def identify(
    arm_name: str,
    logs: tuple[str, ...],
    others: tuple[str, ...],
    output: str | None,
    quiet: bool,
    as_json: bool,
    **given: Any,
) -> None:
    """Identify the parameters of an arm from logs of its motion and torques: tau = W(q, qd, qdd) phi.

    A LOG is a file with positions and torques of every joint over time (.csv, .npz, .mat, .parquet, a ROS bag; .gz
    too), and speeds where they were measured. Several are fitted together; a.csv+b.csv are files of one recording
    side by side. Column names, units, order, gaps and bad rows are recognised and reported; options override that.

    Prints a verdict, torque errors on motions that were not fitted, friction, and findings. The exit code is 0 for an
    accepted model, 1 for one that is refused (files are written all the same), 2 for input that cannot be used.

    \b
    leverarm identify panda log.csv --validate other.csv -o result
    leverarm identify my_arm.urdf monday.csv tuesday.csv --validate wednesday.csv -o result
    leverarm identify ur5 log.csv --columns q=2-7,tau=14-19,t=none --rate 125
    leverarm identify ur5 log.csv --units q=deg,qd=deg/s,tau=A --gains 11,11,9,3,3,3
    leverarm identify my_arm.urdf motors.csv --ratio 100,100,100,80,80,50 --zero joint2=-90deg
    leverarm identify tx40.urdf positions.csv+torques.csv --rate 5000 --coupling joint_6,joint_5
    leverarm identify my_arm.urdf log.csv --friction sign --spring joint2 --json > result.json
    leverarm identify my_arm.urdf noisy.csv --method instrumental --validate other.csv

    To design an exciting trajectory: leverarm excite ARM -o traj.csv.
    """
    if output is not None:
        check_result(output)
    result = _identified(arm_name, logs, others, given)
    try:
        files = [] if output is None else _written(result, output)
    except FormatError:
        _report(result, [], quiet, as_json)  # the work is not lost because the disk is full
        raise
    except KeyboardInterrupt as interrupt:
        _exit_interrupted(str(interrupt) or f"{output} was not written.")
    _report(result, files, quiet, as_json)
    if not result.accepted:
        raise click.exceptions.Exit(REFUSED)


def _identified(
    arm_name: str, logs: tuple[str, ...], others: tuple[str, ...], given: dict[str, Any]
) -> la.types.Identified:
    """The result, with messages in terms of the command line."""
    from leverarm.cli.log_options import log_source, reading_options
    from leverarm.cli.numbers import with_settings
    from leverarm.cli.reading_words import in_reading_options, with_options

    arm = with_settings(la.load(arm_name), given["settings"])
    wanted: dict[str, Any] = {**_models(given), **reading_options(arm, given)}
    try:
        with progress_bar(f"identifying {arm.name[:16]}") as report:
            fitted: list[Any] = [log_source(text) for text in logs]
            validate = [log_source(text) for text in others]
            result = la.identify(arm, fitted, validate=validate, progress=partial(report, None), **wanted)
    except LeverarmError as problem:
        raise Mistake(in_reading_options(str(problem)) + _side_by_side(str(problem), logs)) from None
    except KeyboardInterrupt:
        _exit_interrupted("nothing was written.")
    return with_options(replace(result, verdict=in_reading_options(result.verdict)))


def _side_by_side(problem: str, logs: tuple[str, ...]) -> str:
    """Advice where positions and torques may be in separate files."""
    if len(logs) < 2 or " found by name" not in problem:
        return ""
    return f" If these are files of one recording, give them side by side: {'+'.join(logs)}."


def _models(given: dict[str, Any]) -> dict[str, Any]:
    """Options of the model and the estimator that were given."""
    from leverarm.cli.equations import listed

    found: dict[str, Any] = {}
    if given["method"] is not None:
        found["method"] = given["method"].strip()
    if given["friction"] is not None:
        found["friction"] = listed(given["friction"], "--friction")
    if given["couplings"]:
        found["couplings"] = [_pair(text) for text in given["couplings"]]
    if given["springs"]:
        found["springs"] = [joint for text in given["springs"] for joint in listed(text, "--spring")]
    return found


def _pair(text: str) -> tuple[str, str]:
    motor, _, also = (part.strip() for part in text.partition(","))
    if not motor or not also or "," in also or motor == also:
        raise InputError(
            f"--coupling {text!r}: give two joints, MOTOR,JOINT: the motor of the first also turns with the second."
        )
    return motor, also


def _written(result: la.types.Identified, output: str) -> list[str]:
    """The names of the files, once they are there."""
    path = result.save(output)
    names = (
        [path / name for name in ("report.html", "result.json", "arm.toml", "arm.urdf")] if path.is_dir() else [path]
    )
    return [str(name) for name in names if name.exists()]


def _report(result: la.types.Identified, files: list[str], quiet: bool, as_json: bool) -> None:
    from leverarm.cli.output import print_document, print_wrapped

    if as_json:
        click.echo(result.to_json(), nl=False)
        return
    if quiet:
        print_wrapped(result.verdict)
    else:
        print_document(result.document())
    if files:
        click.echo(f"wrote {', '.join(files)}")


def _exit_interrupted(kept: str) -> NoReturn:
    click.echo(f"interrupted: {kept}", err=True)
    raise click.exceptions.Exit(INTERRUPTED)
