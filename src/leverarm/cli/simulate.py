"""`leverarm simulate`: the motion of an arm, and its energy balance."""

from __future__ import annotations

import re
import warnings
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import click

import leverarm as la
from leverarm.cli.command_group import INTERRUPTED, Mistake
from leverarm.errors import LeverarmError, SimulationError

if TYPE_CHECKING:
    from leverarm.cli.run_report import Ran


class CannotGoOn(Mistake):
    """A run that broke off: `error: ...` and exit code 1."""

    exit_code = 1


class WithChoices(click.Command):
    """A command whose help lists methods and control laws from their tables, which are imported only for that."""

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from leverarm.cli.simulation_options import PROFILES

        with formatter.section("METHODS"):
            formatter.write_dl(list(la.simulation.METHODS.items()))
        with formatter.section("CONTROL LAWS"):
            formatter.write_text(", ".join(la.control.LAWS))
        with formatter.section("PROFILES"):
            formatter.write_text(", ".join(PROFILES))


@click.command(cls=WithChoices, short_help="Simulate an arm, with an energy balance.")
@click.argument("arm_name", metavar="[ARM]", default="elbow")
@click.option("--q0", metavar="NUMBERS", help="Initial positions [rad, m]: 0.1,0.2 or joint2=30deg (default: zero).")
@click.option("--qd0", metavar="NUMBERS", help="Initial velocities [rad/s, m/s] (default: at rest).")
@click.option("--until", default="5", show_default=True, metavar="SECONDS", help="Final time.")
@click.option("--method", metavar="NAME", help="Integrator, see METHODS (default: dormand-prince; rk4 with --step).")
@click.option("--step", metavar="SECONDS", help="Step of fixed-step methods.")
@click.option("--rtol", metavar="NUMBER", help="Relative tolerance of adaptive methods.")
@click.option("--atol", metavar="NUMBER", help="Absolute tolerance of adaptive methods.")
@click.option("--record", metavar="SECONDS", help="Time between recorded rows.")
@click.option("--control", metavar="NAME", help="Control law, see CONTROL LAWS.")
@click.option("--target", metavar="NUMBERS",
              help="Target of the joints, or of the tool (x=0.5,z=0.3); what is not named stays.")  # fmt: skip
@click.option("--in", "within", metavar="SECONDS", help="Move to the target in this time (default: at once).")
@click.option("--profile", metavar="NAME", help="Motion profile, see PROFILES (default: the first).")
@click.option("--kp", metavar="NUMBERS", help="Proportional gains, one or one each (default: for a bandwidth of 2 Hz).")
@click.option("--kd", metavar="NUMBERS", help="Derivative gains.")
@click.option(
    "--effort", metavar="NUMBERS", help="Effort limits of the controller; or the word limits: those of the arm."
)
@click.option(
    "--torque", metavar="NUMBERS|FILE", help="Joint torques [N m, N]; or a .csv file: t, then one column per joint."
)
@click.option("--disturbance", metavar="NUMBERS|FILE", help="Disturbance torques tau_d, likewise.")
@click.option("--noise", metavar="STD", help="Standard deviation of white noise on the joint torques [N m, N].")
@click.option("--seed", metavar="NUMBER", help="Random seed.")
@click.option("--wrench", multiple=True, metavar="FRAME=mx,my,mz,fx,fy,fz",
              help="Outside moment and force on a frame, world axes; may be repeated.")  # fmt: skip
@click.option("--payload", multiple=True, metavar="MASS[@TIME][:x,y,z]",
              help="Load [kg] that the tool picks up, with its centre in tool axes; may be repeated.")  # fmt: skip
@click.option("--stops", is_flag=False, flag_value="0", metavar="[RESTITUTION]",
              help="Joint limits are hard stops; restitution from 0 (no bounce) to 1.")  # fmt: skip
@click.option("--without-friction", is_flag=True, help="Ignore friction.")
@click.option(
    "--set", "settings", multiple=True, metavar="SYMBOL=VALUE", help="Set a symbol of the arm; may be repeated."
)
@click.option("-o", "--output", metavar="FILE", help="Write the run while it is computed: .parquet, .csv or .npz.")
@click.option("--resume", is_flag=True, help="Resume an interrupted run.")
@click.option("--replace", is_flag=True, help="Overwrite an earlier run.")
@click.option("--plot", metavar="FILE", help="Draw joints, torques and energies: .png, .svg or .pdf.")
@click.option("--animate", metavar="FILE", help="Draw the arm in motion: .gif, .html or .mp4.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON with all digits.")
def simulate(arm_name: str, settings: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """Simulate an arm: M qdd + C qd + F(qd) + g + tau_d = tau + J^T w, from an initial state until a final time.

    Without options the elbow arm falls from rest for 5 s. Prints the final state and the energy balance; the energy
    that is unexplained shows how far to trust the run. Ctrl-C keeps what was computed.

    \b
    leverarm simulate
    leverarm simulate panda --q0 joint2=30deg --until 2 --without-friction
    leverarm simulate elbow --control pd+gravity --target 90deg,-45deg --in 2 --plot run.png
    leverarm simulate elbow --torque torques.csv --until 3 -o run.parquet --animate run.gif
    leverarm simulate puma560 --control computed-torque --payload 2@1.5 --noise 0.1 --seed 7
    leverarm simulate panda --until 3600 --step 1e-3 --record 0.01 -o hour.parquet --resume
    """
    from leverarm.cli.output_files import check_file, check_is_free
    from leverarm.cli.run_report import Ran
    from leverarm.cli.simulation_options import check_together

    given["in"] = given.pop("within")
    check_together(given)
    for option, name in (("-o", "output"), ("--plot", "plot"), ("--animate", "animate")):
        if given[name] is not None:
            check_file(option, given[name])
    output = given["output"]
    if output is not None and not given["resume"] and not given["replace"]:
        check_is_free(output)
    is_resumed = given["resume"] and Path(output).is_dir()
    started = perf_counter()
    trajectory = _simulated(arm_name, settings, given)
    ran = Ran(trajectory, perf_counter() - started, is_resumed, (output,) if output is not None else ())
    _finish(ran, given, as_json)


def _simulated(arm_name: str, settings: tuple[str, ...], given: dict[str, Any]) -> la.types.Trajectory:
    from leverarm.cli.numbers import with_settings
    from leverarm.cli.simulation_options import arguments

    arm = with_settings(la.load(arm_name), settings)
    arm = la.model.without_friction(arm) if given["without_friction"] else arm
    wanted = arguments(arm, given)
    existing = "resume" if given["resume"] else "replace" if given["replace"] else "refuse"
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "interrupted: ")  # reported at the end, in terms of the command line
            return la.simulate(arm, **wanted, output=given["output"], existing=existing)
    except SimulationError as problem:
        raise CannotGoOn(in_options(str(problem)) + _rescued(problem.trajectory, given)) from None
    except LeverarmError as problem:
        raise Mistake(in_options(str(problem))) from None
    except KeyboardInterrupt:  # before the first row, or after the last one while the files were put in order
        where = given["output"] and Path(given["output"]).exists()
        kept = f"what was computed is in {given['output']}; --resume goes on with it" if where else "nothing is kept"
        click.echo(f"interrupted: {kept}.", err=True)
        raise click.exceptions.Exit(INTERRUPTED) from None


def _finish(ran: Ran, given: dict[str, Any], as_json: bool) -> None:
    """Draws what was asked for and reports; an interrupted run is reported last."""
    from dataclasses import replace

    from leverarm.cli.run_report import facts, print_run, write_animation

    is_whole = ran.trajectory.about.get("complete") is not False
    trouble: LeverarmError | None = None
    try:
        if given["plot"] is not None:
            ran.trajectory.plot(path=given["plot"])
            ran = replace(ran, files=(*ran.files, given["plot"]))
        if given["animate"] is not None and is_whole:
            write_animation(ran.trajectory, given["animate"])
            ran = replace(ran, files=(*ran.files, given["animate"]))
    except LeverarmError as problem:
        trouble = problem
    except KeyboardInterrupt:
        is_whole = False
    if as_json:
        from leverarm.cli.output import print_json

        print_json(facts(ran))
    else:
        print_run(ran)
    if trouble is not None:
        raise trouble
    if not is_whole:
        click.echo(_interruption(ran, given), err=True)
        raise click.exceptions.Exit(INTERRUPTED)


def _interruption(ran: Ran, given: dict[str, Any]) -> str:
    """Up to when the run went, and how to resume it."""
    if ran.trajectory.about.get("complete") is not False:
        missing = [given[name] for name in ("plot", "animate") if given[name] not in (None, *ran.files)]
        return f"interrupted: the run is complete; {' and '.join(missing)} was not written."
    where = f"interrupted: the run is complete up to t = {float(ran.trajectory.t[-1]):g} s"
    if given["output"] is None:
        return f"{where}. With -o FILE it could be resumed."
    return f"{where}, in {given['output']}. Go on with the same command and --resume."


def _rescued(trajectory: Any, given: dict[str, Any]) -> str:
    """Draws what there is of a run that broke off, and says where it is."""
    if trajectory is None:
        return ""
    files = [given["output"]] if given["output"] is not None else []
    if given["plot"] is not None:
        trajectory.plot(path=given["plot"])
        files.append(given["plot"])
    end = f" What was computed, up to t = {float(trajectory.t[-1]):g} s,"
    return f"{end} is in {' and '.join(files)}." if files else ""


def in_options(message: str) -> str:
    """A message of the library in the words of the command line: step=1e-3 becomes --step 1e-3."""
    message = re.sub(r'\bexisting="(\w+)"', r"--\1", message)
    return re.sub(r'\b(step|rtol|atol|record|until|method|effort)=(?:"?([\w.+-]*\w)"?)?', _as_option, message)


def _as_option(found: re.Match[str]) -> str:
    return f"--{found[1]} {found[2]}" if found[2] else f"--{found[1]}"
