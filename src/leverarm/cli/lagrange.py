"""`leverarm lagrange`: Lagrange's equations of a Lagrangian of one's own."""

from __future__ import annotations

import click

import leverarm as la
from leverarm.cli.numbers import named
from leverarm.cli.output_files import check_ending, check_place
from leverarm.errors import InputError

ENDINGS = (".html", ".md", ".tex", ".ipynb", ".txt", ".c")
LEVELS = ("brief", "full", "every-line")
NARROWEST, WIDEST = 24, 120


@click.command(short_help="Lagrange's equations of a Lagrangian of your own.")
@click.argument("lagrangian", metavar="L")
@click.option("--coordinates", required=True, metavar="NAMES", help="Generalised coordinates: x,theta.")
@click.option("--let", multiple=True, metavar="NAME=FORMULA",
              help="Eliminate a coordinate: u=l*sin(theta); its speed ud follows. May be repeated.")  # fmt: skip
@click.option("--force", "forces", multiple=True, metavar="COORDINATE=FORMULA",
              help="Generalised force along a coordinate: x='F - b xd'. May be repeated.")  # fmt: skip
@click.option("--dissipation", metavar="FORMULA", help="Rayleigh's function R; its forces are -dR/dqd.")
@click.option("--inputs", metavar="NAMES",
              help="Letters of the forces that are controlled (default: u in u - b xd).")  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="CONSTANT=NUMBER",
              help="A number for a constant, as equilibria and motions may need; may be repeated.")  # fmt: skip
@click.option("--name", default="system", show_default=True, metavar="NAME", help="What the system is called.")
@click.option("--level", default="full", metavar="NAME", show_default=True,
              help="brief (results), full (all steps) or every-line.")  # fmt: skip
@click.option("--until", metavar="SECONDS", help="Simulate until this time instead, and print the energy balance.")
@click.option("--q0", metavar="NUMBERS", help="Initial coordinates, in their order (default: zero).")
@click.option("--qd0", metavar="NUMBERS", help="Initial speeds (default: at rest).")
@click.option("-o", "--output", metavar="FILE",
              help="Write a .html, .md, .tex, .ipynb or .txt file, C99 as .c; a simulated motion as .csv.")  # fmt: skip
def lagrange(
    lagrangian: str,
    coordinates: str,
    let: tuple[str, ...],
    forces: tuple[str, ...],
    dissipation: str | None,
    inputs: str | None,
    settings: tuple[str, ...],
    name: str,
    level: str,
    until: str | None,
    q0: str | None,
    qd0: str | None,
    output: str | None,
) -> None:
    """Derive d/dt dL/dqd - dL/dq = Q from a Lagrangian L of any system, with every step shown.

    The speed of x is written xd, that of theta1 thetad1; t is time and pi a number; every other letter is a constant.
    Products need no sign: 1/2 m xd^2. Functions are sin, cos, tan, tanh, exp, log, sqrt, sinh, cosh and their like.
    Shown are the derivatives, M, C, g and Q, the energy, the equilibria and the linearisation A, B about each.

    \b
    leverarm lagrange "1/2 m xd^2 - 1/2 k x^2" --coordinates x
    leverarm lagrange "1/2 m (xd^2 + yd^2) - m g y" --coordinates theta --let "x=l sin(theta)" --let "y=-l cos(theta)"
    leverarm lagrange "1/2 J thetad^2 + 1/2 m xd^2" --coordinates theta --let "x=p/(2 pi) theta" --force theta=tau
    leverarm lagrange "1/2 m xd^2 - D (1 - exp(-a x))^2" --coordinates x --dissipation "1/2 b xd^2" -o morse.html
    leverarm lagrange "1/2 m xd^2 - 1/2 k x^2" --coordinates x --set m=1 --set k=4 --q0 0.1 --until 5 -o run.csv
    """
    from leverarm.cli.equations import check_choice

    check_choice("--level", "level", level, LEVELS)
    if output is not None:
        check_ending(output, "motion" if until else "document", (".csv",) if until else ENDINGS)
        check_place(output)
    if until is None and (q0 is not None or qd0 is not None):
        raise InputError(f"{'--q0' if q0 is not None else '--qd0'} is for a motion. Give --until SECONDS as well.")
    system = la.lagrange(
        lagrangian,
        coordinates,
        forces=dict(named(forces, "--force", "coordinate=formula")),
        let=dict(named(let, "--let", "name=formula")),
        dissipation=dissipation,
        values={key: _number(text, f"--set {key}") for key, text in named(settings, "--set", "constant=number")},
        inputs=None if inputs is None else [part.strip() for part in inputs.split(",")],
        name=name,
    )
    if until is not None:
        _simulate(system, _number(until, "--until"), q0, qd0, output)
    elif output is not None:
        system.save(output, level)
        click.echo(f"wrote {output}: {system.name}")
    else:
        from leverarm.cli.output import print_lines, terminal_columns

        print_lines(system.derivation.terminal(level, min(max(terminal_columns(), NARROWEST), WIDEST)))


def _simulate(
    system: la.types.LagrangianSystem, until: float, q0: str | None, qd0: str | None, output: str | None
) -> None:
    given = [
        [0.0] * len(system.coordinates) if text is None else [_number(x, option) for x in text.split(",")]
        for option, text in (("--q0", q0), ("--qd0", qd0))
    ]
    motion = system.simulate(*given, until=until)
    if output is not None:
        motion.save(output)
        click.echo(f"wrote {output}: {len(motion)} rows")
    last = ", ".join(f"{name} = {x:.6g}" for name, x in zip(system.coordinates, motion.q[-1], strict=True))
    speeds = ", ".join(f"{x:.6g}" for x in motion.qd[-1])
    energy = motion.energy
    click.echo(f"at t = {motion.t[-1]:g}: {last}; speeds {speeds}")
    click.echo(f"K + P from {energy.total[0]:.6g} to {energy.total[-1]:.6g}")
    for account, work in energy.works.items():
        click.echo(f"  {account}: {work[-1]:+.6g}")
    click.echo(f"  unexplained: at most {abs(energy.balance).max():.1e}, {energy.relative:.1e} of what was exchanged")


def _number(text: str, option: str) -> float:
    try:
        value = la.model.parse_quantity(text)
    except la.LeverarmError as problem:
        raise InputError(f"{option}: {problem} Numbers look like 0.1, -pi/2 or 30deg.") from None
    if [*la.model.symbols_of(value)]:
        raise InputError(f"{option}: {text!r} is no number. Numbers look like 0.1, -pi/2 or 30deg.")
    return la.model.to_float(value, {})
