"""What a fitted number follows from: "25 us - ap3000.header_bytes * sbus.bandwidth", what other numbers leave of one
that is published. If one of these is changed alone, it is fitted anew, by the same arithmetic."""

from collections.abc import Mapping
from dataclasses import dataclass

from experiments.problems import Problem
from experiments.uncertainty.followers import Follower
from experiments.uncertainty.formulas import Formula, Numbers


@dataclass(frozen=True)
class Remainder:
    key: str
    unit: str
    formula: str

    def value(self, values: Numbers) -> float:
        """In its unit, of the values and units of all numbers."""
        try:
            return Formula(self.formula).value(values, self.unit)
        except Problem as problem:
            raise Problem(f"{self.key} follows {problem}") from problem


@dataclass(frozen=True, eq=False)
class Arithmetic:
    """All numbers of a file, and those that follow from others: remainders by their formulas, and what is so many times
    another."""

    values: Numbers
    remainders: tuple[Remainder, ...]
    followers: Mapping[str, tuple[Follower, ...]]  # of each

    def after(self, key: str, value: float) -> dict[str, tuple[float, str]]:
        """All that are others if this one is, itself among them."""
        now = dict(self.values)
        self._set(now, key, value)
        for _ in range(len(self.remainders)):  # one may follow from another
            before = dict(now)
            for remainder in self.remainders:
                if remainder.key != key:
                    self._set(now, remainder.key, float(f"{self._followed(remainder, now):.6g}"))
            if now == before:
                break
        return {name: now[name] for name in now if now[name] != self.values[name]}

    def _followed(self, remainder: Remainder, now: Numbers) -> float:
        """What it was and what the formula comes to more: the file's value is a rounded one."""
        return self.values[remainder.key][0] + remainder.value(now) - remainder.value(self.values)

    def _set(self, now: dict[str, tuple[float, str]], key: str, value: float) -> None:
        was, unit = self.values[key]
        now[key] = (value, unit)
        for follower in self.followers.get(key, ()):
            now[follower.key] = (follower.after(value, was), follower.unit)
