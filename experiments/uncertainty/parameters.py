"""The parameters of a machine that could be otherwise: assumed ones within their ranges, fitted ones as far as the
claim that they were fitted to allows."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from experiments.machines import check_settings, machine_tables
from experiments.problems import Problem
from experiments.uncertainty.followers import Follower, followers_of
from experiments.uncertainty.limits import Limit, Limits
from experiments.uncertainty.remainders import Arithmetic, Remainder
from experiments.uncertainty.settings import written
from experiments.units import UNITS

CLAIM = re.compile(r"[A-Z][A-Z0-9]*-\d\d[a-z]?")
FITTED_WITHIN = 0.05  # of a fitted parameter whose claim has no tolerance
LOOSE = 2  # times as much or as little: what a tied number may be when it is cut loose
ORDERS_OF_MAGNITUDE = 10  # a range this many times as high as low is drawn by its logarithm


@dataclass(frozen=True)
class Parameter:
    key: str
    unit: str
    kind: str
    value: float
    low: float
    high: float
    is_whole: bool = False
    is_power_of_two: bool = False
    followers: tuple[Follower, ...] = ()  # so many times it
    arithmetic: Arithmetic | None = None  # by which others are fitted anew with it, if they are

    def at(self, share: float, most: float = math.inf) -> float:
        """The value at a place of its range, 0 its low end and 1 its high one, or the most that others leave of it."""
        high = max(self.low, min(self.high, most))
        if self.low > 0 and self.high >= ORDERS_OF_MAGNITUDE * self.low:
            value = self.low * math.exp(share * math.log(high / self.low))
        else:
            value = self.low + share * (high - self.low)
        if self.is_power_of_two:
            power = round(math.log2(self.low) + share * math.log2(high / self.low))
            return 2.0 ** min(power, math.floor(math.log2(high)))
        return float(round(value)) if self.is_whole else float(f"{value:.6g}")

    def between(self, one: float, other: float) -> float:
        """About in the middle, with two digits; by their logarithms if they are far apart."""
        low, high = sorted((one, other))
        wide = low > 0 and high >= ORDERS_OF_MAGNITUDE / 2 * low
        middle = math.sqrt(low * high) if wide else (low + high) / 2
        if self.is_power_of_two:
            return 2.0 ** math.floor(math.log2(middle))
        rounded = float(f"{middle:.2g}")
        middle = rounded if low < rounded < high else float(f"{middle:.4g}")
        return float(round(middle)) if self.is_whole else middle

    def settings(self, value: float) -> dict[str, str]:
        """As --set has it, and what follows from it."""
        settings = {self.key: written(value, self.unit, self.is_whole)}
        if self.arithmetic is not None:
            after = self.arithmetic.after(self.key, value).items()
            return {key: written(number, unit) for key, (number, unit) in after} | settings
        for follower in self.followers:
            settings[follower.key] = written(follower.after(value, self.value), follower.unit)
        return settings


def uncertain_parameters(machine: str, tolerances: dict[str, float]) -> list[Parameter]:
    """In the order of the file. What was fitted says where claims hold (`holds`). Of one that does not, in a file of
    one's own, `tolerances` has the relative ones of claims, by their names; or it was fitted to something else, such as
    measurements, and has a range that says what these leave."""
    entries, found = entries_of(machine), []
    for parameter in numbers_of(machine):
        entry = entries[parameter.key]
        is_measured = parameter.kind == "fitted" and not CLAIM.fullmatch(entry.get("fits", ""))
        if "range" in entry and (parameter.kind == "assumed" or is_measured):
            low, high = entry["range"]
        elif parameter.kind == "fitted" and "holds" in entry:
            low, high = entry["holds"]
        elif parameter.kind == "fitted":
            within = tolerances.get(entry.get("fits", ""), FITTED_WITHIN)
            low, high = sorted(parameter.value * (1 + off) for off in (-within, within))
            lowest, highest = entry.get("range", (low, high))
            low, high = max(low, lowest), min(high, highest)
        else:
            continue
        if low < high:
            found.append(_as_it_can_be(machine, replace(parameter, low=float(low), high=float(high))))
    return found


def tied_numbers(machine: str) -> list[Parameter]:
    """As if each were a choice of its own."""
    tied = [number for number in numbers_of(machine) if number.kind == "tied"]
    return [replace(number, low=number.value / LOOSE, high=number.value * LOOSE) for number in tied]


def numbers_of(machine: str) -> list[Parameter]:
    """All of them, in the order of the file, as though each were certain."""
    entries, found = entries_of(machine), []
    followers = followers_of(entries)
    for key, entry in entries.items():
        value, unit = entry["value"], entry.get("unit", "")
        if isinstance(value, int | float) and not isinstance(value, bool):
            is_whole = not unit and isinstance(value, int)
            parameter = Parameter(key, unit, entry["kind"], float(value), float(value), float(value), is_whole)
            found.append(replace(parameter, followers=followers.get(key, ())))
    return found


def arithmetic_of(machine: str) -> Arithmetic:
    entries, numbers = entries_of(machine), numbers_of(machine)
    remainders = [
        Remainder(number.key, number.unit, entries[number.key]["follows"])
        for number in numbers
        if "follows" in entries[number.key]
    ]
    followers = {number.key: number.followers for number in numbers if number.followers}
    return Arithmetic({number.key: (number.value, number.unit) for number in numbers}, tuple(remainders), followers)


def limits_of(machine: str) -> Limits:
    entries = entries_of(machine)
    limits = {
        key: Limit(float(entry["range"][0]), entry["at_most"]) for key, entry in entries.items() if "at_most" in entry
    }
    return Limits({number.key: (number.value, number.unit) for number in numbers_of(machine)}, limits)


def entries_of(machine: str) -> dict[str, dict]:
    """What the file says of each, by keys."""
    return dict(_entries(machine_tables(machine), ()))


def _as_it_can_be(machine: str, parameter: Parameter) -> Parameter:
    """Of some sizes and counts the machine takes powers of two only."""
    is_counted = parameter.is_whole or parameter.unit in UNITS["size"]
    if not is_counted or not all(math.log2(end).is_integer() for end in (parameter.low, parameter.high) if end > 0):
        return parameter
    between = parameter.settings(parameter.at(0.3))[parameter.key]
    try:
        check_settings(machine, (f"{parameter.key}={between}",))
    except Problem:
        return replace(parameter, is_power_of_two=parameter.low > 0)
    return parameter


def _entries(table: dict, at: tuple[str, ...]) -> Iterator[tuple[str, dict]]:
    """Every parameter, by its key: of one of several tables of a sort, its name is a part of that."""
    for name, inner in table.items():
        if isinstance(inner, dict) and "value" in inner and "kind" in inner:
            yield ".".join((*at, name)), inner
        elif isinstance(inner, dict):
            yield from _entries(inner, (*at, name))
        elif isinstance(inner, list):
            for one in inner:
                if isinstance(one, dict) and isinstance(one.get("name"), str):
                    yield from _entries(one, (*at, name, one["name"]))
