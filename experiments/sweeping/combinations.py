"""Every combination of what a sweep varies, and the part of them that one of several jobs does."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from experiments.plan import Run
from experiments.problems import Problem
from experiments.sweeping.arguments import ALWAYS, filled
from experiments.sweeping.axes import Axis


@dataclass(frozen=True)
class Combination:
    """A value for each axis, and the run that these make."""

    chosen: tuple[tuple[Axis, str], ...]
    run: Run

    @property
    def columns(self) -> dict[str, str]:
        """What tells a run from the others in a table."""
        return {axis.key: value for axis, value in self.chosen if axis.is_column}

    def __str__(self) -> str:
        return ", ".join(f"{key} = {value}" for key, value in self.columns.items())


def combinations(
    axes: Sequence[Axis], program: Path, arguments: Sequence[str], limits: tuple[str, ...] = ()
) -> list[Combination]:
    """The last axis varies fastest. All runs have the same limits."""
    every = product(*(axis.values for axis in axes))
    chosen = [tuple(zip(axes, values, strict=True)) for values in every]
    return [Combination(one, _run(one, program, arguments, limits)) for one in chosen]


def _run(chosen: tuple[tuple[Axis, str], ...], program: Path, arguments: Sequence[str], limits: tuple[str, ...]) -> Run:
    values = {axis.key: value for axis, value in chosen}
    settings = tuple(f"{axis.key}={value}" for axis, value in chosen if axis.option == "--set")
    words = {axis.key: value for axis, value in chosen if axis.option == "--with" or axis.key in ALWAYS}
    (compute,) = filled([values.get("compute", "")], words)
    return Run(
        program,
        values["machine"],
        int(values["ranks"]),
        values.get("map", "slot"),
        settings,
        filled(arguments, words),
        compute=compute,
        limits=limits,
    )


@dataclass(frozen=True)
class Part:
    """Each `of`-th combination, from the `number`-th on."""

    number: int
    of: int

    def __str__(self) -> str:
        return f"part {self.number} of {self.of}"

    def taken(self, every: Sequence[Combination]) -> list[Combination]:
        return list(every[self.number - 1 :: self.of])


def parse_part(text: str) -> Part:
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if not found or not 1 <= int(found[1]) <= int(found[2]):
        raise Problem(f"--part {text}: has to be K/N, the K-th of N parts, with K from 1 to N")
    return Part(int(found[1]), int(found[2]))
