"""`leverarm compile`: quantities of an arm as C, LLVM, object code or Python modules."""

from __future__ import annotations

from typing import Any

import click

import leverarm as la
from leverarm.cli.equations import arm_of, listed, patience
from leverarm.errors import InputError
from leverarm.quantities.table import TABLE, listing

QUANTITIES = listing(quantity for quantity in TABLE if quantity.routes)
TARGETS = "\n".join(f"{name:<30} {meaning}" for name, meaning in la.export_targets().items())


@click.command(
    "compile",
    short_help="Write C, LLVM, object code or Python modules that compute quantities of an arm.",
    epilog=f"\b\nQUANTITIES, by letter or name:\n{QUANTITIES}\n\n\b\nTARGETS:\n{TARGETS}",
)
@click.argument("arm_name", metavar="ARM")
@click.option(
    "--quantity",
    "quantities",
    multiple=True,
    metavar="NAME",
    help="Quantity by name or letter (default: all); may be repeated.",
)
@click.option("-o", "--output", metavar="FOLDER", help="Write the files into this folder (created if missing).")
@click.option("--target", default="c", show_default=True, metavar="NAME", help="Language or format, see TARGETS.")
@click.option("--dtype", default="float64", show_default=True, metavar="NAME", help="float64 or float32.")
@click.option("--name", metavar="PREFIX", help="Prefix of file and function names (default: the arm's name).")
@click.option("--input", "inputs", multiple=True, metavar="NAME", help="Parameter of the arm to take as an argument.")
@click.option("--with", "extras", multiple=True, metavar="NAME", help="Extra argument: wrench, disturbance or load.")
@click.option("--frame", metavar="NAME", help="Frame of pose, jacobian, wrench, ... (default: the tool).")
@click.option("--axes", metavar="NAMES", help="Axes of operational_inertia, such as x,y,z.")
@click.option("--method", metavar="NAME", help="Integrator of step: semi-implicit, euler, heun or rk4.")
@click.option("--symbolic", metavar="GROUPS", help="Turn numbers of the arm into symbols first, for --input.")
@click.option("--cpu", metavar="NAME", help="Processor for llvm and object: host, avx512, avx2, sse2, neon.")
def compile_command(
    arm_name: str, quantities: tuple[str, ...], output: str | None, symbolic: str | None, **options: Any
) -> None:
    """Straight-line code that computes quantities of an arm, for use without leverarm.

    C is the default: a header, a source file that needs nothing but math.h and allocates nothing, and a test program
    with reference values. Without -o, one quantity is printed, and several are listed with their costs. Files are
    written all together or not at all. --quantity, --input and --with may be repeated; an --input is a symbol of the
    arm, or gravity, masses, payload, inertial, friction, offset, rotor, spring.

    \b
    leverarm compile panda --quantity inverse_dynamics -o out
    leverarm compile panda                                       all quantities with their costs
    leverarm compile elbow --quantity gravity > gravity.c
    leverarm compile ur5 --quantity forward_dynamics --dtype float32 -o firmware --name ur
    leverarm compile elbow --quantity mass_matrix --input m2 --input a2 -o out
    leverarm compile panda --quantity inverse_dynamics --with wrench --frame link7 -o out
    leverarm compile panda --quantity jacobian --target jax -o out
    leverarm compile panda --target object --cpu avx2 -o out
    """
    names = [q for text in quantities for q in listed(text, "--quantity")] or None
    if output is not None and not output.strip():
        raise InputError("-o is empty. Give the name of a folder.")
    arm = arm_of(arm_name, symbolic)
    with patience(f"compiling {arm.name}"):
        for option, flag in (("inputs", "--input"), ("extras", "--with")):
            options[option] = [x for text in options[option] for x in listed(text, flag)]
        options["axes"] = None if options["axes"] is None else listed(options["axes"], "--axes")
        bundle = la.export(arm, names, **options)
        if output is not None:
            paths = bundle.save(output)
    if output is not None:
        count = f"{len(bundle.functions)} function{'s' * (len(bundle.functions) != 1)}"
        click.echo(f"wrote {', '.join(map(str, paths))}: {count} of {arm.name}")
    elif names is not None and len(names) == 1:
        click.echo(bundle.text(), nl=False)
    else:
        _print_costs(bundle)


def _print_costs(bundle: la.types.Bundle) -> None:
    from leverarm.cli.output import Column, print_lines, table

    heads = [Column("function"), Column("of"), *(Column(x, is_number=True) for x in ("flops", "sin-cos", "values"))]
    rows = [
        [f.symbol, ", ".join(a.name for a in f.program.inputs), str(f.flops), str(f.turns), str(len(f.program.code))]
        for f in bundle.functions
    ]
    print_lines(f"{bundle.arm.name}, target {bundle.target}, {bundle.real}", "", table("", heads, rows))
    print_lines("", f"-o FOLDER writes {', '.join(bundle.files)}.")
