"""The command line: a thin skin over the public API. Commands are imported when they are called."""

from __future__ import annotations

import sys
import warnings
from io import TextIOWrapper

import click

import leverarm as la
from leverarm.cli.command_group import CommandGroup

COMMANDS = {
    "show": "cli.show:show",
    "derive": "cli.derive:derive",
    "theory": "cli.theory:theory",
    "inertia": "cli.inertia:inertia",
    "equations": "cli.equations:equations",
    "eval": "cli.evaluate:evaluate",
    "check": "cli.check:check",
    "lagrange": "cli.lagrange:lagrange",
    "properties": "cli.properties:properties",
    "simulate": "cli.simulate:simulate",
    "identify": "cli.identify:identify",
    "payload": "cli.payload:payload",
    "excite": "cli.excite:excite",
    "compile": "cli.compile:compile_command",
    "convert": "cli.convert:convert",
    "lint": "cli.lint:lint",
    "words": "cli.words:words",
    "arms": "cli.arms:arms",
    "cache": "cli.cache:cache",
}
"""In the order of the help; "module:command"."""


@click.group(cls=CommandGroup, commands_by_name=COMMANDS, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(la.__version__, prog_name="leverarm")
def cli() -> None:
    """Equations of motion of robot arms that you can read, trust and run.

    An ARM is a name from the catalog (see `leverarm arms`) or a file: leverarm TOML, URDF, MJCF, or a table of DH
    parameters or screws.

    \b
    leverarm show panda                        a picture and the tables of joints and links
    leverarm derive elbow                      its equations of motion, every step shown
    leverarm derive elbow -o elbow.html        the same as a page; or .md, .tex, .ipynb
    leverarm theory rigid-body                 K of a body, R I R^T, angular velocities, proven
    leverarm inertia cone --density "k*z"      mass, centre and inertia tensor by integration
    leverarm equations elbow --as python       M, c and g in closed form, as NumPy functions
    leverarm eval elbow M --q 0.1,0.2          the mass matrix at a pose
    leverarm eval panda tau --q joint4=-90deg  the torques that hold it there
    leverarm check elbow homework.tex          which of these equations are wrong, and where
    leverarm lagrange L --coordinates x,theta  the equations of a Lagrangian of your own
    leverarm properties elbow -o elbow.html    certified bounds of M, c and g, for proofs
    leverarm simulate elbow --animate run.gif  its motion and its energy balance
    leverarm excite panda -o motion.csv        an exciting trajectory for identification
    leverarm identify panda log.csv -o result  parameters with confidence intervals, from a log
    leverarm payload ur5 empty.csv loaded.csv  mass, centre and inertia of a load
    leverarm compile panda -o out              C code of every quantity, with a header and a test
    leverarm words D                           what a letter or word of a book is here
    leverarm convert panda panda.urdf          from one format to another
    leverarm lint my_arm.urdf                  problems of an arm description
    """


def _print_warning(message: Warning | str, *_: object, **__: object) -> None:
    """A warning in one line, without the source line that Python would show."""
    click.echo(f"warning: {message}", err=True)


def main() -> None:
    """The entry point of the `leverarm` command."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # where braille cannot be shown there are question marks
    warnings.showwarning = _print_warning
    try:
        cli(prog_name="leverarm")
    except BrokenPipeError:
        raise
    except OSError as problem:  # standard output is full or closed
        sys.stdout = None  # nothing more can be flushed to it
        sys.exit(f"error: the output cannot be written: {problem.strerror or problem}.")
