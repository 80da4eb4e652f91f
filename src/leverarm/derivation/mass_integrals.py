"""Mass, centre of mass and inertia tensor of a solid by integration, every integral shown: `la.inertia.integrals`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

from leverarm._version import __version__
from leverarm.derivation.derivation import Derivation
from leverarm.derivation.formulas import brief, full, plus, times
from leverarm.derivation.steps import chapter, step
from leverarm.derivation.theory.proofs import proven
from leverarm.documents.document import Document, Level, Paragraph, Section, Shown, Table, sentence
from leverarm.errors import InputError
from leverarm.model import Expression, parse_quantity, symbols_of
from leverarm.model.expression import Quantity, format_quantity
from leverarm.model.inertias.density import check_density, inertia_of_density
from leverarm.model.inertias.exact_integrals import ExactSolid, NoPolynomial, exact_pi, exact_solid
from leverarm.model.inertias.solids import Solid
from leverarm.notation.textbook import textbook
from leverarm.notation.tree import Differential, Indexed, Matrix, Node, Power, Ratio, Symbol, is_negative, negated
from leverarm.notation.vocabulary import Role, Vocabulary
from leverarm.scalars import Scalar
from leverarm.scalars.exact import evaluate, free_symbol, is_exactly_zero, numerator_and_denominator, quotient, symbol
from leverarm.spatial import Inertia, Symmetric3, point_inertia

INTEGRAL = Indexed(Symbol("int"))
TEN = ("m", "hx", "hy", "hz", "Ixx", "Ixy", "Iyy", "Ixz", "Iyz", "Izz")
UNITS = ("kg", *("kg m",) * 3, *("kg m^2",) * 6)


def integrals(rho: str | Quantity, over: Solid, values: Mapping[str, float] | None = None) -> Derivation:
    """The integrals of a body of this density, exactly and step by step: mass, centre of mass, inertia tensor.

    The density is a formula, polynomial in the coordinates, as for `la.inertia.density`; `values` of all its symbols
    give the ten numbers as well. Without symbols, another formula is integrated numerically. Raises InputError.
    """
    formula = parse_quantity(rho) if isinstance(rho, str) else rho
    title = f"Inertia of a {over.shape} by integration"
    try:
        shown = _Integration(exact_solid(formula, over), formula)
    except NoPolynomial:
        sections = [_by_numbers(formula, over)]
        summary = f"No exact integral is known here. leverarm {__version__}."
    else:
        sections = [chapter("The body", (shown.body(),)), chapter("Integrals", shown.steps())]
        sections += [chapter("Result", (shown.result(), *shown.numbers(values or {})))]
        summary = f"Exact integrals, one coordinate after the other. leverarm {__version__}."
    setup = f"import leverarm as la\n\nbody = la.inertia.solid({over.shape!r}, {_arguments(over)})"
    document = Document(title, (Paragraph((summary,)),), tuple(sections), code=setup)
    return Derivation(over.shape, "integration", document)


def _arguments(over: Solid) -> str:
    """The measures as Python."""
    named: dict[str, str] = {}
    for name in over.kind.measures:
        ends = [over.bounds.get(f"{name}{end}") for end in ("_low", "_high")]
        given = [over.bounds.get(name)] if ends[0] is None else ends
        written = [repr(format_quantity(end)) for end in given if end is not None]
        named[name] = written[0] if len(written) == 1 else f"({', '.join(written)})"
    return ", ".join(f"{name}={value}" for name, value in named.items())


class _Integration:
    """An exact solid, its ten numbers, and how they are written."""

    def __init__(self, exact: ExactSolid, rho: Quantity) -> None:
        self.exact, self.rho = exact, rho
        self.names = [v.name for v in exact.variables]
        lengths = exact.solid.symbols
        masses = [name for name in symbols_of(rho) if name not in (*lengths, *exact.solid.kind.density_of)]
        roles = dict.fromkeys(("pi", "m", *masses), Role.MASS) | dict.fromkeys(lengths, Role.LENGTH)
        literals = [*_literals(rho), *(x for value in exact.solid.bounds.values() for x in _literals(value))]
        decimals = frozenset(Role) if any(isinstance(x, float) for x in literals) else frozenset[Role]()
        self.vocabulary = Vocabulary(("x", "y", "z", "r", "theta", "phi"), {}, (), roles, decimals)

    @cached_property
    def inertia(self) -> Inertia:
        return self.exact.inertia()

    @property
    def symbols(self) -> set[str]:
        """The symbols of the density and the measures."""
        return {*symbols_of(self.rho), *self.exact.solid.symbols} - set(self.exact.solid.kind.density_of)

    def tree(self, value: Scalar) -> Node:
        return textbook(value, self.vocabulary)

    def body(self) -> Section:
        """The coordinates, their bounds, the volume element and the density."""
        kind, exact = self.exact.solid.kind, self.exact
        rows = []
        for variable in exact.variables:
            low, high = exact.bounds.get(variable.name, (0, exact_pi() * (2 if variable.kind == "turn" else 1)))
            rows.append((Symbol(variable.name), self.tree(low), self.tree(high)))
        places = [
            brief(Symbol(axis), self.tree(value))
            for axis, value in zip("xyz", exact.place, strict=True)
            if axis not in self.names and not is_exactly_zero(value)
        ]
        element = times(self.tree(exact.element), *self.differentials(self.names))
        density = [brief(Symbol("rho"), self.tree(exact.density))] if self.tree(exact.density) != Symbol("rho") else []
        return step(
            f"A {exact.solid.shape}",
            sentence(
                f"The {exact.solid.shape}: {kind.frame}. Its density {{rho}} is in {kind.unit}. The coordinates of the "
                "table are integrated over one after the other, the first one innermost.",
                rho=Symbol("rho"),
            ),
            (*places, brief(Differential(Symbol("m")), times(Symbol("rho"), element)), *density),
            (Table(("coordinate", "from", "to"), tuple(rows)),),
        )

    def differentials(self, names: Iterable[str]) -> list[Node]:
        return [Differential(Symbol(name)) for name in names]

    def successive(
        self, name: str, moment: Scalar, of: Node | None, signed: Callable[[Node], Node] = lambda node: node
    ) -> Shown:
        """name = integral of a moment = ... = value, one coordinate less on each line; a zero at once."""
        found = self.exact.successive(moment)
        first = times(INTEGRAL, *(() if of is None else (of,)), Differential(Symbol("m")))
        lines = [self.integral(value, self.names[k:]) for k, value in enumerate(found[:-1]) if value != 0]
        return full(Symbol(name), signed(first), *lines, self.tree(found[-1]))

    def integral(self, value: Scalar, names: Sequence[str]) -> Node:
        """The integral of a value over the coordinates that are left."""
        node = self.tree(value)
        is_minus = is_negative(node)
        size = () if value == 1 else (negated(node) if is_minus else node,)
        whole = times(*(INTEGRAL for _ in names), *size, *self.differentials(names))
        return negated(whole) if is_minus else whole

    def steps(self) -> list[Section]:
        """Mass, first moments, moments of inertia and products of inertia."""
        x, y, z = self.exact.place
        r = {axis: Symbol(axis) for axis in "xyz"}
        arms = {"xx": (y * y + z * z, "yz"), "yy": (x * x + z * z, "xz"), "zz": (x * x + y * y, "xy")}
        pairs = {"xy": x * y, "xz": x * z, "yz": y * z}
        first = [self.successive(f"h{axis}", value, r[axis]) for axis, value in zip("xyz", (x, y, z), strict=True)]
        moments = [
            self.successive(f"I{axes}", value, plus(*(Power(r[axis], 2) for axis in of)))
            for axes, (value, of) in arms.items()
        ]
        products = [
            self.successive(f"I{axes}", -value, times(*(r[axis] for axis in axes)), negated)
            for axes, value in pairs.items()
        ]
        mass = [self.successive("m", 1, None)]
        return [
            self.integrated("Mass", "The integral of the density.", mass, "m"),
            self.integrated("First moments", "Divided by the mass they are the centre of mass.", first, "h"),
            self.integrated("Moments of inertia", "Squares of the distances from the axes.", moments, "I"),
            self.integrated("Products of inertia", "With a minus sign, as they stand in the tensor.", products, "I"),
        ]

    def integrated(self, title: str, words: str, shown: Sequence[Shown], field: str) -> Section:
        code = f"la.inertia.density({format_quantity(self.rho)!r}, body).{field}"
        return step(title, (words,), tuple(shown), level=Level.FULL, code=code)

    @cached_property
    def com(self) -> tuple[Scalar, ...]:
        return tuple(_over(part, self.inertia.m) for part in self.inertia.h)

    def centre(self) -> list[Shown]:
        """c = h / m, where it is not the origin."""
        return [
            brief(Symbol(f"c{axis}"), Ratio(Symbol(f"h{axis}"), Symbol("m")), self.tree(part))
            for axis, part in zip("xyz", self.com, strict=True)
            if not is_exactly_zero(part)
        ]

    def result(self) -> Section:
        """The tensor with the mass in front, about the origin and about the centre of mass, and what was verified."""
        z = self.exact.place.z
        t = self.inertia.I
        about: list[Shown] = []
        if any(not is_exactly_zero(part) for part in self.com):
            shifted = point_inertia(type(self.exact.place)(*self.com))
            of_com = Symmetric3(*(a - self.inertia.m * b for a, b in zip(_six(t), _six(shifted), strict=True)))
            about = [brief(Indexed(Symbol("I"), "c"), self.matrix(of_com))]
        twice = self.exact.integral(2 * z * z)
        return step(
            "The inertia tensor",
            ("About the frame's origin, and about the centre of mass where that is elsewhere, by parallel axes.",),
            (brief(Symbol("m"), self.tree(self.inertia.m)), *self.centre(), brief(Symbol("I"), self.matrix(t)), *about),
            proven=proven(
                "Verified: Ixx + Iyy − Izz is twice the integral of z² over the mass, integrated on its own.",
                t.xx + t.yy - t.zz - twice,
            ),
        )

    def matrix(self, t: Symmetric3) -> Matrix:
        """A tensor with the mass as a letter in front of each entry."""
        m, mass = self.inertia.m, free_symbol(symbol("m"))
        is_taken = not self.symbols or "m" in self.symbols
        entries = t.full().rows() if is_taken else [[_over(x, m) * mass for x in row] for row in t.full().rows()]
        return Matrix(tuple(tuple(self.tree(x) for x in row) for row in entries))

    def numbers(self, values: Mapping[str, float]) -> list[Section]:
        """The ten numbers with these values of the symbols."""
        wanted = self.symbols
        for name in values:
            if name not in wanted:
                raise InputError(f"{name} is no symbol here. Symbols: {', '.join(sorted(wanted)) or 'none'}.")
        missing = sorted(wanted - set(values))
        if missing and values:
            raise InputError(f"values of {', '.join(missing)} are missing; give one for each symbol, or for none.")
        if missing:
            return []
        check_density(self.rho, self.exact.solid, values)
        ten = [_number(x, values) for x in self.inertia.numbers()]
        given = ", ".join(f"{name} = {values[name]:g}" for name in sorted(wanted))
        words = f"With {given}." if given else "All measures are numbers."
        return [step("In numbers", (words,), tables=(_table(ten),))]


def _by_numbers(rho: Quantity, over: Solid) -> Section:
    found = inertia_of_density(rho, over)
    words = (
        f"{format_quantity(rho)} is no polynomial in the coordinates, so it is integrated numerically: by adaptive "
        "cubature, with an estimated error of 1e-6 of the mass m, of sqrt(m s) or of s, the integral of r² dm."
    )
    return chapter("Result", (step("In numbers", (words,), tables=(_table([*map(float, found.numbers())]),)),))


def _table(ten: Sequence[float]) -> Table:
    rows = tuple((Symbol(name), f"{x:.9g}", unit) for name, x, unit in zip(TEN, ten, UNITS, strict=True))
    return Table(("", "value", "unit"), rows, numeric=(1,))


def _number(x: Scalar, values: Mapping[str, float]) -> float:
    above, below = numerator_and_denominator(x)
    return evaluate(above, values) / evaluate(below, values)


def _over(x: Scalar, m: Scalar) -> Scalar:
    (a, b), (c, d) = numerator_and_denominator(x), numerator_and_denominator(m)
    return quotient(a * d, b * c)


def _six(t: Symmetric3) -> tuple[Scalar, ...]:
    return t.xx, t.xy, t.yy, t.xz, t.yz, t.zz


def _literals(value: Quantity) -> Iterable[object]:
    if isinstance(value, Expression):
        for part in value.args:
            yield from _literals(part)
    else:
        yield value
