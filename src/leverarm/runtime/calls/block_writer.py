"""Writes LLVM IR for native calls: numbered values, basic blocks, and Python objects accessed through a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from leverarm.runtime.calls.object_headers import FLOAT_VALUE, SIZE, TYPE

_Read = TypeVar("_Read")


class BlockWriter:
    """The IR of one function. `refuse` is the block that falls back for whatever it does not handle."""

    def __init__(self, table: str, slots: Sequence[str], refuse: str) -> None:
        self.lines: list[str] = []
        self._table, self._slots, self._refuse = table, tuple(slots), refuse
        self._count = 0
        self._made: list[str] = []
        self._failures: list[str] = []

    def emit(self, line: str) -> None:
        self.lines.append(f"  {line}")

    def value(self, expression: str) -> str:
        self._count += 1
        self.emit(f"%v{self._count} = {expression}")
        return f"%v{self._count}"

    def block(self, label: str) -> None:
        self.lines.append(f"{label}:")

    def label(self, word: str) -> str:
        self._count += 1
        return f"{word}{self._count}"

    def branch(self, condition: str, yes: str, no: str) -> None:
        self.emit(f"br i1 {condition}, label %{yes}, label %{no}")

    def require(self, condition: str) -> None:
        """Continues if the condition holds, else branches to `refuse`."""
        then = self.label("then")
        self.branch(condition, then, self._refuse)
        self.block(then)

    def is_equal(self, kind: str, left: str, right: str | int) -> str:
        return self.value(f"icmp eq {kind} {left}, {right}")

    def both(self, left: str, right: str) -> str:
        return self.value(f"and i1 {left}, {right}")

    def either(self, left: str, right: str) -> str:
        return self.value(f"or i1 {left}, {right}")

    def select(self, condition: str, kind: str, yes: str | int, no: str | int) -> str:
        return self.value(f"select i1 {condition}, {kind} {yes}, {kind} {no}")

    def address(self, pointer: str, offset: int | str) -> str:
        return self.value(f"getelementptr i8, ptr {pointer}, i64 {offset}")

    def load(self, kind: str, pointer: str, offset: int | str) -> str:
        return self.value(f"load {kind}, ptr {self.address(pointer, offset)}")

    def store(self, kind: str, value: str | int, pointer: str, offset: int | str) -> None:
        self.emit(f"store {kind} {value}, ptr {self.address(pointer, offset)}")

    def slot(self, name: str) -> str:
        """The table entry of this name, as a pointer."""
        return self.load("ptr", f"@{self._table}", 8 * self._slots.index(name))

    def number(self, name: str) -> str:
        """The table entry of this name, as an integer."""
        return self.load("i64", f"@{self._table}", 8 * self._slots.index(name))

    def is_of(self, thing: str, kind: str) -> str:
        """Whether an object's type is exactly the table entry of this name (no subclass)."""
        return self.is_equal("ptr", self.load("ptr", thing, TYPE), self.slot(kind))

    def tuple_items(self, thing: str) -> str:
        """Address of a tuple's items."""
        return self.address(thing, self.number("tuple_items"))

    def float_or(self, thing: str, k: int, real: str, read: Callable[[], _Read]) -> tuple[_Read, Callable[..., str]]:
        """A scalar argument: a Python float's value, or what `read` finds in an array.

        Returns what was read and a function that selects between a value for the float case (None: the address of its
        value) and one for the array case.
        """
        number, other, checked, ready = (self.label(word) for word in ("number", "other", "checked", "ready"))
        self.branch(self.either(self.is_of(thing, "float_type"), self.is_of(thing, "double_type")), number, other)
        self.block(number)
        inside = self.address(thing, FLOAT_VALUE)
        if real == "float":
            narrow = self.value(f"fptrunc double {self.value(f'load double, ptr {inside}')} to float")
            inside = f"%number{k}"
            self.emit(f"store float {narrow}, ptr {inside}")
        self.emit(f"br label %{ready}")
        self.block(other)
        found = read()
        self.emit(f"br label %{checked}")
        self.block(checked)
        self.emit(f"br label %{ready}")
        self.block(ready)

        def one_of(kind: str, of_float: str | int | None, of_array: str | int) -> str:
            here = inside if of_float is None else of_float
            return self.value(f"phi {kind} [ {here}, %{number} ], [ {of_array}, %{checked} ]")

        return found, one_of

    def require_only_out(self) -> None:
        """Continues if `out` is the only keyword argument."""
        self.require(self.is_equal("i64", self.load("i64", "%names", SIZE), 1))
        self.require(self.is_equal("ptr", self.load("ptr", self.tuple_items("%names"), 0), self.slot("out_name")))

    def make(self, function: str, arguments: str) -> str:
        """A new object. If allocation fails, releases those made before and propagates the exception."""
        thing = self.value(f"call ptr {self.slot(function)}({arguments})")
        fail, then = self.label("fail"), self.label("then")
        self.branch(self.is_equal("ptr", thing, "null"), fail, then)
        lines, self.lines = self.lines, self._failures
        self.block(fail)
        for earlier in self._made:
            self.emit(f"call void {self.slot('decref')}(ptr {earlier})")
        self.emit("ret ptr null")
        self.lines = lines
        self._made.append(thing)
        self.block(then)
        return thing

    def drop(self, things: Sequence[str]) -> None:
        """Releases newly made objects."""
        for thing in things:
            self.emit(f"call void {self.slot('decref')}(ptr {thing})")
            self._made.remove(thing)

    def answer(self, things: Sequence[str]) -> None:
        """Returns the one object, or a tuple of several."""
        if len(things) == 1:
            self.emit(f"ret ptr {things[0]}")
        else:
            answer = self.make("new_tuple", f"i64 {len(things)}")
            items = self.tuple_items(answer)
            for k, thing in enumerate(things):
                self.store("ptr", thing, items, 8 * k)
            self.emit(f"ret ptr {answer}")
        self.lines += self._failures
