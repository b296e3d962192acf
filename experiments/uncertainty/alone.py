"""Each uncertain parameter by itself, at either end of its range: which claims it moves, and how far it may go before
one of them changes its verdict. What was fitted by arithmetic on it (`follows`) is fitted anew."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from experiments.problems import Problem
from experiments.score import Score, score_experiment
from experiments.uncertainty.parameters import Parameter, arithmetic_of
from experiments.uncertainty.samples import Draw, Samples
from experiments.uncertainty.study import AS_IT_IS

HALVINGS = 5  # of what lies between where verdicts are known to be the same and where they are not
Show = Callable[[int, int], object]


@dataclass(frozen=True)
class Moved:
    """A claim that comes to something else with one parameter changed."""

    was: Score
    becomes: Score

    def changes_verdict(self) -> bool:
        return self.was.holds != self.becomes.holds

    def steps(self) -> float | None:
        """How far it moved, as a multiple of what it is allowed to be off. A shape has no such number."""
        pair = (self.was.simulated, self.becomes.simulated)
        if not all(isinstance(value, float | int) for value in pair) or not isinstance(self.was.published, float | int):
            return None
        allowed = (self.was.tolerance or 0) * abs(self.was.published)
        return abs(pair[1] - pair[0]) / allowed if allowed else None


@dataclass(frozen=True)
class Alone:
    """What one parameter does by itself."""

    parameter: Parameter
    at_ends: tuple[list[Moved], list[Moved]]  # at the low end, at the high one
    holds: tuple[float, float]  # no claim changes its verdict there, as far as was looked


def alone(every: Sequence[Samples], parameters: Sequence[Parameter], show: Show | None = None) -> list[Alone]:
    """In the order of the parameters. Claims are those of all the experiments."""
    scored = Scored(every)
    found = []
    arithmetic = arithmetic_of(every[0].machine)
    for done, number in enumerate(parameters, start=1):
        parameter = replace(number, arithmetic=arithmetic)
        ends = (parameter.low, parameter.high)
        at_ends = [scored.moved(parameter, end) for end in ends]
        holds = [_furthest(scored, parameter, end, moved) for end, moved in zip(ends, at_ends, strict=True)]
        found.append(Alone(parameter, (at_ends[0], at_ends[1]), (holds[0], holds[1])))
        if show:
            show(done, len(parameters))
    return found


class Scored:
    """The claims of some experiments with any draw."""

    def __init__(self, every: Sequence[Samples]) -> None:
        self._every = every
        self._as_it_is = {index: self._scores(index, AS_IT_IS) for index in range(len(every))}

    def moved(self, parameter: Parameter, value: float, experiments: Sequence[int] | None = None) -> list[Moved]:
        """Claims that come to something else; of some of the experiments, if they are named by their places."""
        found = []
        for index in range(len(self._every)) if experiments is None else experiments:
            scores = self._scores(index, Draw(((parameter, value),)))
            pairs = zip(self._as_it_is[index], scores, strict=True)
            found += [Moved(was, now) for was, now in pairs if (was.simulated, was.holds) != (now.simulated, now.holds)]
        return found

    def places_of(self, claims: set[str]) -> list[int]:
        return [index for index, scores in self._as_it_is.items() if claims & {score.id for score in scores}]

    def _scores(self, index: int, draw: Draw) -> list[Score]:
        samples = self._every[index]
        samples.take([draw])
        results = samples.results(draw)
        if results is None and draw == AS_IT_IS:
            raise Problem(samples.failure(draw))
        scores = score_experiment(samples.experiment, results)
        return scores if results is not None else [replace(score, holds=False) for score in scores]


def _furthest(scored: Scored, parameter: Parameter, end: float, at_end: list[Moved]) -> float:
    """Between its value and an end of its range, the last value at which no verdict is another."""
    changed = {moved.was.id for moved in at_end if moved.changes_verdict()}
    if not changed:
        return end
    places = scored.places_of(changed)
    same, other = parameter.value, end
    for _ in range(HALVINGS):
        middle = parameter.between(same, other)
        if middle in (same, other):
            break
        is_same = not any(moved.changes_verdict() for moved in scored.moved(parameter, middle, places))
        same, other = (middle, other) if is_same else (same, middle)
    return same
