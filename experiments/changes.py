"""--set key=value on `hindcast experiment run`: what is to be other than the experiment file says.

A key is the experiment's own ("machine", "ranks", "map", of a comparison "operation" too) or one of the machine file.
A key may have several values, separated by commas. Each value, or each combination of those of several keys, then is a
variant of the experiment, with curves of its own, or with a picture of its own if it compares algorithms.
"""

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from experiments.problems import Problem
from experiments.schema import Header

OWN_KEYS = ("machine", "ranks", "map")
NAMED_MAX = 150  # letters of a file's name that say what was changed


@dataclass(frozen=True)
class Variant:
    """The experiment with one choice of values."""

    values: tuple[str, ...]  # of the keys that have several
    machine: str
    ranks: int | str
    map: str
    settings: tuple[str, ...]  # changes of the machine: "key=value"
    of_machine: tuple[str, ...] = ()  # what the machine is taken to be, before the experiment changes anything

    def __str__(self) -> str:
        return ", ".join(self.values)


@dataclass(frozen=True)
class Changes:
    fixed: tuple[tuple[str, str], ...] = ()
    grid: tuple[tuple[str, tuple[str, ...]], ...] = ()  # keys with several values
    chosen: tuple[tuple[str, str], ...] = ()  # of an experiment with models: operations, processors, lengths
    of_machine: tuple[tuple[str, str], ...] = ()  # other numbers of its file: what a curve sets itself goes before
    machines_of_file: tuple[str, ...] = ()  # where the experiment's file names several, and nothing else is said

    @property
    def texts(self) -> list[str]:
        fixed = (*self.of_machine, *self.chosen, *self.fixed)
        return [f"{key}={value}" for key, value in fixed] + [f"{key}={','.join(all_)}" for key, all_ in self.grid]

    @property
    def _axes(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        return ((("machine", self.machines_of_file),) if self.machines_of_file else ()) + self.grid

    @property
    def varied(self) -> tuple[str, ...]:
        """The keys that curves differ in; columns of the results."""
        return tuple(key for key, _ in self._axes)

    @property
    def combinations(self) -> list[tuple[str, ...]]:
        """Of their values: one without any if there are no such keys."""
        return list(product(*(values for _, values in self._axes)))

    def file_suffix(self) -> str:
        """For the names of files: changed results are kept beside the others, and never in their place."""
        return in_a_file_name("".join(f".{text}" for text in self.texts))

    def each(self) -> list["Changes"]:
        """One for each combination of values, as though these had been given alone."""
        keys = self.varied
        return [Changes((*self.fixed, *zip(keys, values, strict=True))) for values in self.combinations]

    def value(self, key: str) -> str | None:
        return dict(self.fixed).get(key)

    def without(self, key: str) -> "Changes":
        return replace(self, fixed=tuple(pair for pair in self.fixed if pair[0] != key))

    def of(self, experiment: Header) -> "Changes":
        """With the machines that the experiment's file names, if these are several and nothing is said of them here."""
        names = experiment.machine.names
        is_said = self.value("machine") is not None or any(key == "machine" for key, _ in self.grid)
        return self if len(names) == 1 or is_said else replace(self, machines_of_file=tuple(names))

    def variants(self, experiment: Header) -> list[Variant]:
        machine = experiment.machine
        taken = tuple(f"{key}={value}" for key, value in self.of_machine)
        base = Variant((), machine.first, machine.ranks, machine.map, (), taken)
        for key, value in self.fixed:
            base = _changed(base, key, value)
        variants = []
        for values in self.combinations:
            variant = replace(base, values=values)
            for key, value in zip(self.varied, values, strict=True):
                is_of_file = key == "machine" and value in self.machines_of_file
                variant = _changed(variant, key, machine.found(value) if is_of_file else value)
            variants.append(variant)
        return variants


def _changed(variant: Variant, key: str, value: str) -> Variant:
    if key == "ranks":
        if not re.fullmatch(r"[1-9]\d*", value):
            raise Problem(f"--set ranks={value}: has to be a whole number from 1 on")
        return replace(variant, ranks=int(value))
    if key in OWN_KEYS:
        return replace(variant, **{key: value})
    return replace(variant, settings=(*variant.settings, f"{key}={value}"))


def in_a_file_name(text: str) -> str:
    """With nothing that means something to a shell; of a long text, such as one with a list of nodes, a part and a
    digest, as file systems have no longer names."""
    written = re.sub(r"[^\w.=,+-]", "_", text)
    if len(written) <= NAMED_MAX:
        return written
    return f"{written[:NAMED_MAX]}-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def parse_changes(texts: list[str]) -> Changes:
    return changes_of(key_and_values("--set", text) for text in texts)


def changes_of(settings: Iterable[tuple[str, tuple[str, ...]]]) -> Changes:
    fixed: dict[str, str] = {}
    grid: dict[str, tuple[str, ...]] = {}
    for key, values in settings:
        if key == "compute":
            given = f"--set {key}={','.join(values)}"
            raise Problem(f"{given}: what computation takes is as the programs declare it (hindcast.h)")
        if key in fixed or key in grid:
            raise Problem(f"--set {key}={','.join(values)}: {key} was set already")
        if len(values) == 1:
            fixed[key] = values[0]
        else:
            grid[key] = values
    return Changes(tuple(fixed.items()), tuple(grid.items()))


def key_and_values(option: str, text: str) -> tuple[str, tuple[str, ...]]:
    """What key=value or key=value,value,... says."""
    key, equals, value = text.partition("=")
    if not key or not equals or not value:
        raise Problem(f"{option} {text}: not key=value or key=value,value,...")
    return key, values_of(f"{option} {text}", key, value)


def values_of(given: str, key: str, text: str) -> tuple[str, ...]:
    """What stands between the commas of what the user gave for a key."""
    parts = _split(key, text)
    refuse_missing_or_repeated(given, parts)
    return tuple(parts)


def refuse_missing_or_repeated(given: str, values: Sequence[str]) -> None:
    if "" in values or len(set(values)) < len(values):
        raise Problem(f"{given}: values have to be there, and differ")


def _split(key: str, value: str) -> list[str]:
    """At commas, but not inside a list, [16,8],[8,8], or the name of a machine's file. A list of nodes is one map."""
    if key == "map" and re.fullmatch(r"\d+(,\d+)*", value):
        return [value]
    parts = re.split(r",(?![^\[]*\])", value)
    return [part.strip() for part in (_files_whole(parts) if key == "machine" else parts)]


def _files_whole(parts: list[str]) -> Iterable[str]:
    """With the names of machines' files, as long as they can be, in the place of their parts."""
    while parts:
        heads = {taken: ",".join(parts[:taken]).strip() for taken in range(len(parts), 1, -1)}
        files = (taken for taken, head in heads.items() if head.endswith(".toml") and Path(head).is_file())
        taken = next(files, 1)
        yield ",".join(parts[:taken])
        parts = parts[taken:]
