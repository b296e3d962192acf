"""--set key=value on `hindcast experiment run`: what is to be other than the experiment file says.

A key is the experiment's own ("machine", "ranks", "map", of a comparison "operation" too) or one of the machine file.
One key may have several values, separated by commas; each value then is a variant of the experiment, with curves of its
own, or with a picture of its own if it compares algorithms.
"""

import re
from dataclasses import dataclass, replace

from experiments.problems import Problem
from experiments.schema import Header

OWN_KEYS = ("machine", "ranks", "map")


@dataclass(frozen=True)
class Variant:
    """The experiment with one choice of values."""

    value: str  # of the key that has several, or nothing
    machine: str
    ranks: int | str
    map: str
    settings: tuple[str, ...]  # changes of the machine: "key=value"


@dataclass(frozen=True)
class Changes:
    fixed: tuple[tuple[str, str], ...] = ()
    varied: str = ""  # the key with several values
    values: tuple[str, ...] = ()

    @property
    def texts(self) -> list[str]:
        texts = [f"{key}={value}" for key, value in self.fixed]
        return texts + ([f"{self.varied}={','.join(self.values)}"] if self.varied else [])

    def file_suffix(self) -> str:
        """For the names of files: changed results are kept beside the others, and never in their place."""
        return "".join("." + re.sub(r"[^\w.=,+-]", "_", text) for text in self.texts)

    def each(self) -> list["Changes"]:
        """One for each of the values, as though it had been given alone."""
        if not self.varied:
            return [self]
        return [Changes((*self.fixed, (self.varied, value))) for value in self.values]

    def value(self, key: str) -> str | None:
        return dict(self.fixed).get(key)

    def without(self, key: str) -> "Changes":
        return replace(self, fixed=tuple(pair for pair in self.fixed if pair[0] != key))

    def variants(self, experiment: Header) -> list[Variant]:
        machine = experiment.machine
        base = Variant("", machine.name, machine.ranks, machine.map, ())
        for key, value in self.fixed:
            base = _changed(base, key, value)
        if not self.varied:
            return [base]
        return [replace(_changed(base, self.varied, value), value=value) for value in self.values]


def _changed(variant: Variant, key: str, value: str) -> Variant:
    if key == "ranks":
        if not re.fullmatch(r"[1-9]\d*", value):
            raise Problem(f"--set ranks={value}: has to be a whole number from 1 on")
        return replace(variant, ranks=int(value))
    if key in OWN_KEYS:
        return replace(variant, **{key: value})
    return replace(variant, settings=(*variant.settings, f"{key}={value}"))


def parse_changes(texts: list[str]) -> Changes:
    fixed: dict[str, str] = {}
    varied, values = "", ()
    for text in texts:
        key, equals, value = text.partition("=")
        if not key or not equals or not value:
            raise Problem(f"--set {text}: not key=value or key=value,value,...")
        if key in fixed or key == varied:
            raise Problem(f"--set {text}: {key} was set already")
        parts = _split(key, value)
        if len(parts) == 1:
            fixed[key] = parts[0]
            continue
        if varied:
            raise Problem(f"--set {text}: only one key can have several values, and {varied} has")
        if "" in parts or len(set(parts)) < len(parts):
            raise Problem(f"--set {text}: values have to be there, and differ")
        varied, values = key, tuple(parts)
    return Changes(tuple(fixed.items()), varied, values)


def _split(key: str, value: str) -> list[str]:
    """At commas, but not inside a list: [16,8],[8,8]. A list of nodes is one map."""
    if key == "map" and re.fullmatch(r"\d+(,\d+)*", value):
        return [value]
    return [part.strip() for part in re.split(r",(?![^\[]*\])", value)]
