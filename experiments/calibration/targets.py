"""What a machine's parameters are fitted to: the numbers of claims that calibrate, or measured times of one's own."""

import csv
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from experiments.load import LoadedExperiment
from experiments.problems import Problem
from experiments.results import Results
from experiments.schema import Check, Claim
from experiments.score import Score, score_experiment
from experiments.uncertainty.samples import Draw, Samples
from experiments.units import column_factor

if TYPE_CHECKING:
    import numpy as np

TOLERANCE = 0.05  # of a claim that says of no bound


@dataclass(frozen=True)
class Wanted:
    """A number that is to come out."""

    name: str
    value: float
    unit: str
    within: float  # relative: what counts as one step off

    def off(self, simulated: float) -> float:
        return (simulated - self.value) / (self.within * abs(self.value))


class NoNumber(Problem):
    """With some values a machine does not run, or does not come to all that is wanted."""


class Target(Protocol):
    wanted: Sequence[Wanted]

    def simulated(self, draw: Draw) -> "np.ndarray": ...

    def one(self, index: int, draw: Draw) -> float:
        """The same of one of them alone."""
        ...

    def learn(self, base: Draw, moved: Mapping[str, Draw]) -> None:
        """What each experiment notices, by draws in which one parameter moved: it is not run for the others again."""
        ...


def taken(samples: Samples, draw: Draw) -> Results:
    samples.take([draw])
    results = samples.results(draw)
    if results is None:
        settings = ", ".join(f"{key} = {value}" for key, value in draw.settings().items())
        raise NoNumber(f"with {settings or 'the machine as it is'}: {samples.failure(draw)}")
    return results


class PublishedNumbers:
    """Of the claims that calibrate. What is arithmetic on other claims says nothing new, shapes are no numbers, and a
    bound does not say how far within it a number was."""

    def __init__(self, every: list[Samples]) -> None:
        self._every: list[Samples] = []
        self._noticed: list[set[str]] = []  # by each of these
        self._places: list[tuple[int, int]] = []  # which experiment, and which of its claims
        self.wanted: list[Wanted] = []
        for samples in every:
            claims = [number for claim in samples.experiment.data.claim for number in _numbers_of(claim)]
            if not claims:
                continue
            self._places += [(len(self._every), index) for index in range(len(claims))]
            self._every.append(_of_claims(samples, claims))
            self.wanted += [Wanted(one.id, float(one.published), one.unit, _within(one)) for one in claims]

    def simulated(self, draw: Draw) -> "np.ndarray":
        import numpy as np

        scores = {place: self._scores(place, draw) for place in dict.fromkeys(place for place, _ in self._places)}
        return np.array([self._value(scores[place][index], draw) for place, index in self._places])

    def leave_out_what_has_no_value(self) -> list[str]:
        """The names of numbers that the machine as it is does not come to, such as where curves cross that never do."""
        scores = [self._scores(place, Draw(())) for place in range(len(self._every))]
        has_value = [isinstance(scores[place][index].simulated, float) for place, index in self._places]
        without = [wanted.name for wanted, is_there in zip(self.wanted, has_value, strict=True) if not is_there]
        self.wanted = [wanted for wanted, is_there in zip(self.wanted, has_value, strict=True) if is_there]
        self._places = [place for place, is_there in zip(self._places, has_value, strict=True) if is_there]
        return without

    def one(self, index: int, draw: Draw) -> float:
        place, claim = self._places[index]
        return self._value(self._scores(place, draw)[claim], draw)

    def learn(self, base: Draw, moved: Mapping[str, Draw]) -> None:
        for samples in self._every:
            samples.take([base, *moved.values()])
            self._noticed.append({key for key, draw in moved.items() if samples.differs(base, draw)})

    def _scores(self, place: int, draw: Draw) -> list[Score]:
        samples = self._every[place]
        if self._noticed:
            draw = Draw(tuple((one, value) for one, value in draw.values if one.key in self._noticed[place]))
        return score_experiment(samples.experiment, taken(samples, draw))

    @staticmethod
    def _value(score: Score, draw: Draw) -> float:
        if not isinstance(score.simulated, float):
            raise NoNumber(f"{score.id} has no value with {draw.settings()}: {score.note}")
        return score.simulated


def _numbers_of(claim: Claim) -> list[Claim]:
    """Each of its checks that is a number, as a claim of its own: ES-14, ES-14 (2)."""
    found = []
    for place, check in enumerate([claim, *claim.also], start=1):
        own = {field: getattr(check, field) for field in Check.model_fields}
        name = claim.id if place == 1 else f"{claim.id} ({place})"
        found.append(claim.model_copy(update={**own, "id": name, "also": []}))
    return [one for one in found if _is_new(one)]


def _is_new(claim: Claim) -> bool:
    """A number that says something which no other claim does, and is no bound that is to be kept."""
    is_number = not isinstance(claim.published, str) and bool(claim.published) and not claim.exact
    is_bound = claim.between is not None and not claim.between[0] < float(claim.published) < claim.between[1]
    is_derived = bool(claim.measure.named_claims() or claim.arithmetic_on)
    return claim.kind == "calibrates" and is_number and not is_bound and not is_derived


def _within(claim: Claim) -> float:
    """What is allowed, as a share of what is published, however the claim is bounded."""
    if claim.factor:
        return claim.factor - 1
    if claim.between:
        return (claim.between[1] - claim.between[0]) / 2 / abs(float(claim.published))
    return claim.tolerance or TOLERANCE


def _of_claims(samples: Samples, claims: list[Claim]) -> Samples:
    """Of the experiment's curves those alone that the claims name, at the sizes that they look at, with results of
    their own: a fit asks often."""
    data = samples.experiment.data
    named = {text for claim in claims for text in _texts(claim.measure.model_dump())}
    curves = [curve for curve in data.curve if curve.name in named]
    looked_at = [claim.measure.sizes() for claim in claims]
    sizes = data.sizes
    if None not in looked_at:
        values = sorted({int(size) for some in looked_at for size in some or []})
        sizes = sizes.model_copy(update={"values": values})
    data = data.model_copy(update={"curve": curves or data.curve, "sizes": sizes, "claim": claims})
    folder = samples.folder.with_name(f"{samples.folder.name}.fit")
    found = replace(samples, experiment=replace(samples.experiment, data=data), folder=folder)
    found.open()
    return found


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from (text for one in value.values() for text in _texts(one))
    elif isinstance(value, list | tuple):
        yield from (text for one in value for text in _texts(one))


class MeasuredTimes:
    """A table of one's own: the columns of the experiment's results, and `curve` if the experiment has several."""

    def __init__(self, samples: Samples, path: Path, quantity: str, within: float) -> None:
        self._samples, self._quantity = samples, quantity
        self._points = _read_points(samples.experiment, path, quantity)
        names = {curve for curve, _, _ in self._points}
        size = samples.experiment.data.sizes.name
        self.wanted = [
            Wanted(f"{f'{curve}, ' if len(names) > 1 else ''}{at} {size}", value, "us", within)
            for curve, at, value in self._points
        ]

    def simulated(self, draw: Draw) -> "np.ndarray":
        import numpy as np

        results = taken(self._samples, draw)
        curves = {}
        for curve in {curve for curve, _, _ in self._points}:
            sizes, values = results.points(curve, self._quantity)
            curves[curve] = dict(zip(sizes.astype(int).tolist(), values.tolist(), strict=True))
        return np.array([curves[curve][at] for curve, at, _ in self._points])

    def one(self, index: int, draw: Draw) -> float:
        return float(self.simulated(draw)[index])

    def learn(self, base: Draw, moved: Mapping[str, Draw]) -> None:
        """There is one experiment, which notices whatever is fitted."""


def _read_points(experiment: LoadedExperiment, path: Path, quantity: str) -> list[tuple[str, int, float]]:
    """(curve, size, value in the first unit)."""
    size, curves = experiment.data.sizes.name, [curve.name for curve in experiment.data.curve]
    rows = _read_rows(path, size)
    if not rows:
        raise Problem(f"{path}: has no rows")
    for column in (size, quantity, *(["curve"] if len(curves) > 1 else [])):
        if column not in rows[0][1]:
            raise Problem(f"{path}: no column '{column}', but {', '.join(rows[0][1])}")
    points = []
    for where, row in rows:
        curve, at = row.get("curve", curves[0]), _number(where, size, row[size])
        value = _number(where, quantity, row[quantity])
        if curve not in curves or at not in experiment.data.sizes.all():
            raise Problem(f"{where}: {curve} at {row[size]} {size} is nothing that {experiment.data.name} measures")
        if not 0 < value < math.inf:
            raise Problem(f"{where}: {curve} at {row[size]} {size}: a time has to be above 0")
        points.append((curve, int(at), value * column_factor(quantity)))
    return points


def _read_rows(path: Path, size: str) -> list[tuple[str, dict[str, str]]]:
    """Each with file and line. A program that was run once for each size has printed its line of names as often; these
    may come after another rank's row."""
    try:
        lines = path.read_text().splitlines()
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise Problem(f"{path}: not UTF-8: {error.reason}") from error
    said = [(number, line) for number, line in enumerate(lines, start=1) if line.strip() and not line.startswith("#")]
    every = [(f"{path}:{number}", next(csv.reader([line]))) for number, line in said]
    names = next((words for _, words in every if size in words), every[0][1] if every else [])
    rows = [(where, words) for where, words in every if words != names]
    for where, words in rows:
        if len(words) != len(names):
            raise Problem(f"{where}: {len(words)} values, but there are {len(names)} names: {','.join(names)}")
    return [(where, dict(zip(names, words, strict=True))) for where, words in rows]


def _number(where: str, column: str, text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise Problem(f"{where}: {column}: '{text}' is no number") from None
