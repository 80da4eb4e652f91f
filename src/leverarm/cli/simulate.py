"""`leverarm simulate`: how an arm moves, and where its energy goes."""

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


@click.command(cls=WithChoices, short_help="How an arm moves, with every joule accounted for.")
@click.argument("arm_name", metavar="[ARM]", default="elbow")
@click.option("--q0", metavar="NUMBERS", help="Where it starts [rad, m]: 0.1,0.2 or joint2=30deg; zero unless given.")
@click.option("--qd0", metavar="NUMBERS", help="How fast it starts; at rest unless given.")
@click.option("--until", default="5", show_default=True, metavar="SECONDS", help="When it ends.")
@click.option("--method", metavar="NAME", help="The integrator; see METHODS. Default: dormand-prince, with --step rk4.")
@click.option("--step", metavar="SECONDS", help="The length of a step, of methods where it is fixed.")
@click.option("--rtol", metavar="NUMBER", help="The relative tolerance of methods that choose their steps.")
@click.option("--atol", metavar="NUMBER", help="Their absolute tolerance.")
@click.option("--record", metavar="SECONDS", help="The time between two recorded rows.")
@click.option("--control", metavar="NAME", help="Apply a control law; see CONTROL LAWS.")
@click.option("--target", metavar="NUMBERS",
              help="Where it takes the joints, or the tool (x=0.5,z=0.3); what is not named stays.")  # fmt: skip
@click.option("--in", "within", metavar="SECONDS", help="Move to the target in this time, rather than at once.")
@click.option("--profile", metavar="NAME", help="How to move there; see PROFILES, of which the first is the default.")
@click.option("--kp", metavar="NUMBERS", help="Proportional gains, one or one each; chosen for 2 Hz unless given.")
@click.option("--kd", metavar="NUMBERS", help="Derivative gains.")
@click.option("--effort", metavar="NUMBERS", help="The most that control can apply, or the word limits: the arm's own.")
@click.option("--torque", metavar="NUMBERS|FILE", help="Joint forces [N m, N]; or a .csv file: t, then one per joint.")
@click.option("--disturbance", metavar="NUMBERS|FILE", help="Disturbing forces tau_d, likewise.")
@click.option("--noise", metavar="STD", help="White noise added to the joint forces.")
@click.option("--seed", metavar="NUMBER", help="Which noise.")
@click.option("--wrench", multiple=True, metavar="FRAME=mx,my,mz,fx,fy,fz",
              help="A moment and force on the arm, world axes; may be repeated.")  # fmt: skip
@click.option("--payload", multiple=True, metavar="MASS[@TIME][:x,y,z]",
              help="A mass [kg] that the tool picks up, where in its axes; may be repeated.")  # fmt: skip
@click.option("--stops", is_flag=False, flag_value="0", metavar="[RESTITUTION]",
              help="Joint limits are hard; 0 (no bounce) to 1.")  # fmt: skip
@click.option("--without-friction", is_flag=True, help="Joints move freely.")
@click.option("--set", "settings", multiple=True, metavar="SYMBOL=VALUE", help="Another value for a symbol of the arm.")
@click.option("-o", "--output", metavar="FILE", help="Write the run as it goes on: .parquet, .csv or .npz.")
@click.option("--resume", is_flag=True, help="Go on with a run that was interrupted.")
@click.option("--replace", is_flag=True, help="Write over an earlier run.")
@click.option("--plot", metavar="FILE", help="Draw joints, torques and energies: .png, .svg or .pdf.")
@click.option("--animate", metavar="FILE", help="Draw the arm in motion: .gif, .html or .mp4.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON with all digits.")
def simulate(arm_name: str, settings: tuple[str, ...], as_json: bool, **given: Any) -> None:
    """How an arm moves: M qdd + C qd + F(qd) + g + tau_d = tau + J^T w, from a start until a time.

    Without options the elbow arm falls from rest for 5 s. Prints where it ended and where the energy went; what no
    account explains shows how far to trust the run. Ctrl-C keeps what was computed.

    \b
    leverarm simulate
    leverarm simulate panda --q0 joint2=30deg --until 2 --without-friction
    leverarm simulate elbow --control pd+gravity --target 90deg,-45deg --in 2 --plot run.png
    leverarm simulate elbow --torque torques.csv --until 3 -o run.parquet --animate run.gif
    leverarm simulate puma560 --control computed-torque --payload 2@1.5 --noise 0.1 --seed 7
    leverarm simulate panda --until 3600 --step 1e-3 --record 0.01 -o hour.parquet --resume
    """
    from leverarm.cli.run_report import Ran, check_file, check_is_free
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
    from leverarm.cli.simulation_options import arguments, without_friction

    arm = with_settings(la.load(arm_name), settings)
    arm = without_friction(arm) if given["without_friction"] else arm
    wanted = arguments(arm, given)
    existing = "resume" if given["resume"] else "replace" if given["replace"] else "refuse"
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "interrupted: ")  # told at the end, in the words of the command line
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
    """Draws what was asked for and reports; an interrupted run is told last."""
    from dataclasses import replace

    from leverarm.cli.run_report import facts, say_run, write_animation

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
        from leverarm.cli.output import say_json

        say_json(facts(ran))
    else:
        say_run(ran)
    if trouble is not None:
        raise trouble
    if not is_whole:
        click.echo(_interruption(ran, given), err=True)
        raise click.exceptions.Exit(INTERRUPTED)


def _interruption(ran: Ran, given: dict[str, Any]) -> str:
    """Up to when the run went, and how to go on with it."""
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
