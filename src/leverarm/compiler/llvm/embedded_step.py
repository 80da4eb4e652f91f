"""One step of an embedded Runge-Kutta method as machine code: error estimate and dense output.

`Embedded` and `Interpolant` hold the coefficients and formulas; the rest writes LLVM IR.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from leverarm.compiler.llvm.assembler import IrAssembler
from leverarm.compiler.llvm.kernel import kernel_ir, module_ir
from leverarm.compiler.llvm.machine import Machine
from leverarm.compiler.llvm.march_layout import Layout, Tableau, alike
from leverarm.compiler.llvm.marching import March
from leverarm.compiler.program import Program

Coefficients = list[Any]
"""Polynomial coefficients in ascending powers of the elapsed fraction of the step."""


@dataclass(frozen=True, slots=True)
class Interpolant:
    """Dense output: the motion inside a step, over any numbers with + - * and /.

    At both `nodes`, parts of the step, the rates are taken of the state that `inner(part, h, (x, v, a), (x, v, a))`
    gives from both ends. `integral(h, rates, begin, end)`, with the rates at the begin, the nodes and the end, gives
    velocities and sums; `position(h, speed, begin, end)` gives positions from the coefficients of the velocity.
    """

    nodes: tuple[float, float]
    inner: Callable[..., tuple[Any, Any]]
    integral: Callable[..., Coefficients]
    position: Callable[..., Coefficients]
    value: Callable[[Coefficients, Any], Any]


@dataclass(frozen=True, slots=True)
class Embedded:
    """A method whose last stage is the end of its step (FSAL), with the weights of its error estimate.

    The error of v is h sum error_velocity[j] a_j, that of x is h^2 sum error_position[j] a_j. The sums are measured by
    the largest of them, and may be `sums` times less accurate. The worst entry counts `caution` times what it is.
    """

    tableau: Tableau
    error_velocity: tuple[float, ...]
    error_position: tuple[float, ...]
    sums: float
    caution: float
    interpolant: Interpolant


def embedded_step_ir(
    rates: Program, marks: int, single: Tableau, method: Embedded, machine: Machine, has_guard: bool
) -> str:
    """Three functions for one environment; `single` is a method with one stage.

    `void @stages(ptr state, ptr feeds, ptr out, double t, double h)` as `March.stages` has it, for `single`.

    `double @attempt(ptr state, ptr feeds, ptr step, double t, double h, double rtol, double atol)` gives the error of a
    step as a part of what is allowed, infinite where it is no number. `step` receives the state after it, all rates
    [a, sums, shown, guard] at its begin, [a, sums] at its end, and the shares of each x and v in the error.

    `void @inside(ptr state, ptr feeds, ptr step, ptr parts, ptr out, i64 count, double t, double h)` gives, for each of
    the parts of a step that was attempted (0 its begin, 1 its end), the state and all its rates.
    """
    layout = Layout.of(rates, marks, has_guard)
    kernel = kernel_ir(rates, "rates", 1, "double", machine)
    stages = March(layout, None, single, 1, "double", machine).stages()
    return module_ir(kernel, stages, _Step(layout, method, machine).attempt(), _Step(layout, method, machine).inside())


class _Number:
    """An IR value with operators: arithmetic on it emits instructions."""

    __slots__ = ("asm", "name")

    def __init__(self, asm: IrAssembler, name: str) -> None:
        self.asm, self.name = asm, name

    def __add__(self, other: Any) -> _Number:
        return _Number(self.asm, self.asm.add(self.name, self._name(other)))

    def __sub__(self, other: Any) -> _Number:
        return _Number(self.asm, self.asm.sub(self.name, self._name(other)))

    def __mul__(self, other: Any) -> _Number:
        return _Number(self.asm, self.asm.mul(self.name, self._name(other)))

    def __truediv__(self, other: Any) -> _Number:
        return _Number(self.asm, self.asm.div(self.name, self._name(other)))

    __rmul__ = __mul__

    def _name(self, other: Any) -> str:
        return other.name if isinstance(other, _Number) else self.asm.constant(float(other))


class _Step(March):
    """Writes the step; work on every entry is a loop, to keep compile time short."""

    def __init__(self, layout: Layout, method: Embedded, machine: Machine) -> None:
        super().__init__(layout, None, method.tableau, 1, "double", machine)
        self.method = method
        self.block = "entry"
        self.t, self.h = self.number("%t"), self.number("%h")

    def attempt(self) -> str:
        """The function that computes a step and its error."""
        self._prepare()
        layout, tableau, n = self.layout, self.tableau, self.layout.coordinates
        self.reserve({"%worst": 1, "%scale": 1})
        feeds = self.first_feeds()
        self._rates(0, self.x, self.v, feeds)
        first = [("%a0", n), ("%power0", layout.sums), *self.shown_parts, ("%guard", int(layout.has_guard))]
        at = self._written(2 * n + layout.sums, [*self.mark_parts, *first])  # now: later stages overwrite the guard
        after, last = ("%step", self.asm.place("%step", n)), len(tableau.nodes) - 1
        for i in range(1, last + 1):
            place = after if i == last else ("%stage.x", "%stage.v")
            self._stage(*place, tableau.nodes[i], tableau.positions[i], tableau.velocities[i])
            self._rates(i, *place, feeds)
        self._sums_after()
        error = self._error(self._written(at, [(f"%a{last}", n), (f"%power{last}", layout.sums)]))
        arguments = "ptr noalias %state, ptr noalias %feeds, ptr noalias %step"
        head = f"define double @attempt({arguments}, double %t, double %h, double %rtol, double %atol) nounwind {{"
        return "\n".join([head, "entry:", *self.lines, f"  ret double {error.name}", "}", ""])

    def inside(self) -> str:
        """The dense output function."""
        self._prepare()
        n, sums, asm = self.layout.coordinates, self.layout.sums, self.asm
        self.reserve({"%position": 7 * n, "%speed": 6 * n, "%energy": 6 * sums})
        feeds = self.first_feeds()
        behind = n + sums + sum(array.size for array in self.layout.shown) + int(self.layout.has_guard)
        first, last = (asm.place("%step", self.layout.state + k) for k in (0, behind))
        for k, part in enumerate(self.method.interpolant.nodes, start=1):
            self._inner_rates(k, part, first, last, feeds)
        self._find_curves("%speed", n, n, [first, "%a1", "%a2", last])
        powers = [asm.place(first, n), "%power1", "%power2", asm.place(last, n)]
        self._find_curves("%energy", sums, 2 * n, powers)
        self._loop_over_parts(feeds)
        arguments = "ptr noalias %state, ptr noalias %feeds, ptr noalias %step, ptr noalias %parts, ptr noalias %out"
        head = f"define void @inside({arguments}, i64 %count, double %t, double %h) nounwind {{"
        return "\n".join([head, "entry:", *self.lines, "done:", "  ret void", "}", ""])

    def number(self, name: str) -> _Number:
        return _Number(self.asm, name)

    def at(self, pointer: str, entry: str | int) -> _Number:
        """Loads an entry whose index is a run-time value."""
        place = self.asm.define(f"getelementptr double, ptr {pointer}, i64 {entry}")
        return self.number(self.asm.define(f"load double, ptr {place}"))

    def put(self, value: _Number, pointer: str, entry: str | int) -> None:
        place = self.asm.define(f"getelementptr double, ptr {pointer}, i64 {entry}")
        self.asm.perform(f"store double {value.name}, ptr {place}")

    def each(self, entries: int, do: Callable[[str], None]) -> None:
        """A loop over some entries."""
        if not entries:
            return
        asm = self.asm
        label = f"each{next(asm.names)}"
        k, before, self.block = f"%{label}.k", self.block, f"{label}.done"
        asm.enter_loop(label, k, before)
        do(k)
        asm.end_loop(label, k, entries, self.block)

    def _written(self, at: int, parts: Sequence[tuple[str, int]]) -> int:
        """Arrays from a place in the step on; the place behind them."""
        self.write(self.asm.place("%step", at), parts)
        return at + sum(size for _, size in parts)

    def _stage(self, x: str, v: str, node: float, positions: Sequence[float], velocities: Sequence[float]) -> None:
        def move(k: str) -> None:
            speed = self.at(self.v, k)
            place = self.at(self.x, k) + self.number(self._factor("h", node)) * speed
            self.put(self._moved(place, "hh", "%a", k, positions), x, k)
            self.put(self._moved(speed, "h", "%a", k, velocities), v, k)

        self.each(self.layout.coordinates, move)

    def _moved(self, begin: _Number, power: str, rates: str, k: str, weights: Sequence[float]) -> _Number:
        """A number and the rates of the stages, weighted, in the order of the compiled march."""
        for weight, stages in alike(weights):
            rate = reduce(_Number.__add__, [self.at(f"{rates}{j}", k) for j in stages])
            begin = begin + self.number(self._factor(power, weight)) * rate
        return begin

    def _sums_after(self) -> None:
        after = self.asm.place("%step", 2 * self.layout.coordinates)
        weights = self.tableau.last_velocity
        self.each(
            self.layout.sums,
            lambda k: self.put(self._moved(self.at(self.sums, k), "h", "%power", k, weights), after, k),
        )

    def _error(self, place: int) -> _Number:
        """The larger of the errors of the motion and of the sums; the shares go to a place in the step."""
        layout, method, n = self.layout, self.method, self.layout.coordinates
        rtol, atol, hh = self.number("%rtol"), self.number("%atol"), self.number("%hh")
        zero = self.number(self.asm.constant(0.0))

        def regard(share: _Number) -> None:
            size = self.asm.magnitude(share.name)
            self.put(self.number(self.asm.intrinsic("maximum", self.at("%worst", 0).name, size)), "%worst", 0)

        def weigh(first: int, length: _Number, weights: Sequence[float]) -> None:
            before, after, shares = (
                self.asm.place(p, first + k) for p, k in (("%state", 0), ("%step", 0), ("%step", place))
            )

            def share(k: str) -> None:
                scale = self._larger(self._size(before, k), self._size(after, k))
                part = length * self._weighted("%a", k, weights) / (atol + rtol * scale)
                self.put(part, shares, k)
                regard(part)

            self.each(n, share)

        self.put(zero, "%worst", 0)
        weigh(0, hh, method.error_position)
        weigh(n, self.h, method.error_velocity)
        error = self._norm()
        if not layout.sums:
            return error
        self.put(zero, "%scale", 0)
        self.put(zero, "%worst", 0)
        after = self.asm.place("%step", 2 * n)

        def widen(k: str) -> None:
            size = self._larger(self._size(self.sums, k), self._size(after, k))
            self.put(self._larger(self.at("%scale", 0), size), "%scale", 0)

        self.each(layout.sums, widen)
        allowed = (atol + rtol * self.at("%scale", 0)) * method.sums
        weights = method.error_velocity
        self.each(layout.sums, lambda k: regard(self.h * self._weighted("%power", k, weights) / allowed))
        return self._larger(error, self._norm())

    def _weighted(self, rates: str, k: str, weights: Sequence[float]) -> _Number:
        terms = [self.at(f"{rates}{j}", k) * weight for j, weight in enumerate(weights) if weight]
        return reduce(_Number.__add__, terms)

    def _size(self, pointer: str, k: str) -> _Number:
        return self.number(self.asm.magnitude(self.at(pointer, k).name))

    def _larger(self, a: _Number, b: _Number) -> _Number:
        return self.number(self.asm.select(self.asm.is_greater(a.name, b.name), a.name, b.name))

    def _norm(self) -> _Number:
        """The largest error share times the method's safety factor; infinite if NaN."""
        asm, infinite, worst = self.asm, self.asm.constant(float("inf")), self.at("%worst", 0)
        wary = worst * self.method.caution
        return self.number(asm.select(asm.is_greater(infinite, worst.name), wary.name, infinite))

    def _inner_rates(self, stage: int, part: float, first: str, last: str, feeds: Sequence[str]) -> None:
        """The rates at a node, kept as those of a stage."""
        ends = (self.x, self.v, first), ("%step", self.asm.place("%step", self.layout.coordinates), last)

        def find(k: str) -> None:
            begin, end = (tuple(self.at(pointer, k) for pointer in pointers) for pointers in ends)
            x, v = self.method.interpolant.inner(part, self.h, begin, end)
            self.put(x, "%stage.x", k)
            self.put(v, "%stage.v", k)

        self.each(self.layout.coordinates, find)
        self.store_time((self.t + self.h * part).name)
        self.call("rates", "%stage.x", "%stage.v", feeds, f"%a{stage}", f"%power{stage}", *self.shown, *self.guards)

    def _find_curves(self, target: str, entries: int, place: int, rates: Sequence[str]) -> None:
        """The coefficients of some entries of the state, and those of positions with those of velocities."""
        interpolant, n = self.method.interpolant, self.layout.coordinates
        before, after = (self.asm.place(pointer, place) for pointer in ("%state", "%step"))

        def find(k: str) -> None:
            slopes = [self.at(pointer, k) for pointer in rates]
            curve = interpolant.integral(self.h, slopes, self.at(before, k), self.at(after, k))
            self._keep(curve, target, entries, k)
            if place == n:
                ends = self.at(self.x, k), self.at("%step", k)
                self._keep(interpolant.position(self.h, curve, *ends), "%position", entries, k)

        self.each(entries, find)

    def _keep(self, curve: Coefficients, pointer: str, entries: int, k: str) -> None:
        for power, coefficient in enumerate(curve):
            self.put(coefficient, self.asm.place(pointer, power * entries), k)

    def _loop_over_parts(self, feeds: Sequence[str]) -> None:
        layout, asm = self.layout, self.asm
        n, sums = layout.coordinates, layout.sums
        asm.go_on("test")
        asm.perform(f"%number = phi i64 [ 0, %{self.block} ], [ %number.next, %looked ]")
        asm.perform(f"%row = phi ptr [ %out, %{self.block} ], [ %row.next, %looked ]")
        asm.perform("%is_more = icmp ult i64 %number, %count")
        asm.branch("%is_more", "look", "done")
        asm.label("look")
        self.block = "look"
        part = self.at("%parts", "%number")
        is_begin, is_end = (asm.define(f"fcmp oeq double {part.name}, {asm.constant(x)}") for x in (0.0, 1.0))
        for curve, entries, powers, first in (("%position", n, 7, 0), ("%speed", n, 6, n), ("%energy", sums, 6, 2 * n)):
            begin, end, target = (asm.place(pointer, first) for pointer in ("%state", "%step", "%row"))
            places = [asm.place(curve, power * entries) for power in range(powers)]

            def find(k: str, places: list[str] = places, ends: tuple[str, str, str] = (begin, end, target)) -> None:
                value = self.method.interpolant.value([self.at(place, k) for place in places], part)
                known = asm.select(is_end, self.at(ends[1], k).name, value.name)
                self.put(self.number(asm.select(is_begin, self.at(ends[0], k).name, known)), ends[2], k)

            self.each(entries, find)
        marks = asm.place("%row", 2 * n + sums)
        self.write(marks, self.mark_parts)
        self.store_time((self.t + self.h * part).name)
        results, at = [], layout.state
        for size in (n, sums, *(array.size for array in layout.shown), *([1] if layout.has_guard else [])):
            results.append(asm.place("%row", at))
            at += size
        self.call("rates", "%row", asm.place("%row", n), feeds, *results)
        asm.go_on("looked")
        asm.perform(f"%row.next = getelementptr double, ptr %row, i64 {at}")
        asm.perform("%number.next = add i64 %number, 1")
        asm.perform("br label %test")
