"""The times of a comparison in a table, and in words which way is the quickest."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from rich.box import SIMPLE_HEAD
from rich.table import Table

from experiments.changes import Changes
from experiments.comparison import in_bytes
from experiments.load import LoadedExperiment
from experiments.problems import Problem
from experiments.results import Results

ROUND_TO = ((100, 1), (1, 3), (0, 5))  # from so many us on, so many digits behind the point


@dataclass(frozen=True)
class Place:
    """A number of bytes or of ranks, and the time of each way in us; a way may not have been measured there."""

    shown: str
    times: dict[str, float]

    @property
    def quickest(self) -> list[str]:
        """The way, or those that take the same time."""
        least = min(self.times.values())
        return [way for way, time in self.times.items() if time == least]

    @property
    def next_takes(self) -> float:
        """How many times as long; 1 if there is no slower one."""
        least = min(self.times.values())
        more = min((time for time in self.times.values() if time > least), default=least)
        return more / least if least > 0 else math.inf if more > 0 else 1


@dataclass(frozen=True)
class Answer:
    title: str
    over: str  # bytes or ranks
    ways: tuple[str, ...]
    places: tuple[Place, ...]
    left_out: tuple[str, ...]  # in words: places at which nothing was measured, of all ways or of some
    is_contest: bool  # several ways of the same work

    def table(self) -> Table:
        """A row for each place; of a contest it is said which is the quickest, and by how much."""
        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        for column in (self.over, *("\n".join([*way.split(", "), "us"]) for way in self.ways)):
            table.add_column(column, justify="right", no_wrap=True)
        if self.is_contest:
            table.add_column("quickest", no_wrap=True)
            table.add_column("the next takes", justify="right", no_wrap=True)
        for place in self.places:
            cells = [_rounded(place.times[way]) if way in place.times else "-" for way in self.ways]
            table.add_row(place.shown, *cells, *(_verdict(place) if self.is_contest else ()))
        return table

    def in_words(self) -> Iterator[str]:
        """A line for each row of places next to each other at which one way is the quickest; and what was left out."""
        contested = [place for place in self.places if self.is_contest and len(place.times) > 1]
        for quickest, neighbours in groupby(contested, lambda place: place.quickest):
            several = list(neighbours)
            where = " to ".join(dict.fromkeys((several[0].shown, several[-1].shown)))
            everywhere = "everywhere, " if len(several) == len(contested) else ""
            factors = sorted(place.next_takes for place in several)
            by = " to ".join(dict.fromkeys(map(_factor, (factors[0], factors[-1]))))
            verb = "is" if len(quickest) == 1 else "are"
            rest = "" if factors[-1] == 1 else f", the next takes {by} times as long"
            yield f"{everywhere}{where}: {' and '.join(quickest)} {verb} the quickest{rest}"
        for places in self.left_out:
            yield f"the program prints no time for {places}"


def answer(experiment: LoadedExperiment, results: Results, changes: Changes, title: str) -> Answer:
    times: dict[int, dict[str, float]] = {}
    ways: list[str] = []
    curves = [curve.name for curve in experiment.data.curve]
    for values in changes.combinations:
        pairs = dict(zip(changes.varied, values, strict=True))
        part, named = results.only(pairs), [_named(key, value) for key, value in pairs.items()]
        for curve in curves:
            ways.append(", ".join([*named, curve] if len(curves) > 1 or not named else named))
            for at, time in zip(*part.points(curve, "time_us"), strict=True):
                times.setdefault(int(at), {})[ways[-1]] = _refused_if_odd(float(time))
    over = experiment.data.sizes.name
    shown = in_bytes if over == "bytes" else str
    places = tuple(Place(shown(at), times[at]) for at in sorted(times))
    missing = {way: [shown(at) for at in experiment.data.sizes.all() if way not in times.get(at, {})] for way in ways}
    return Answer(title, over, tuple(ways), places, _left_out(missing), len(ways) > 1 and "ranks" not in changes.varied)


def _named(key: str, value: str) -> str:
    """A machine's name says what it is; of anything else the last word of the key says so."""
    return value if key == "machine" else f"{value} ranks" if key == "ranks" else f"{key.split('.')[-1]}={value}"


def _refused_if_odd(time_us: float) -> float:
    if not 0 <= time_us < math.inf:
        raise Problem(f"the program prints {time_us} as time_us, which is no time")
    return time_us


def _left_out(missing: dict[str, list[str]]) -> tuple[str, ...]:
    of_all = list(missing.values())
    if all(places == of_all[0] for places in of_all):
        return (", ".join(of_all[0]),) if of_all[0] else ()
    return tuple(f"{', '.join(places)} ({way})" for way, places in missing.items() if places)


def _verdict(place: Place) -> tuple[str, str]:
    if len(place.times) < 2:
        return "", ""
    return " and ".join(place.quickest), "" if place.next_takes == 1 else f"{_factor(place.next_takes)} times"


def _factor(value: float) -> str:
    return f"{value:.3g}" if value < 1000 else f"{value:,.0f}"


def _rounded(time_us: float) -> str:
    digits = next(digits for least, digits in ROUND_TO if time_us >= least)
    return f"{time_us:.{digits}f}"
