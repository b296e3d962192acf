"""Runs an experiment with many draws of a machine's parameters. Each draw's results are a file of their own, so that
what was interrupted goes on where it was."""

import hashlib
import json
import shutil
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from experiments.changes import Changes
from experiments.load import LoadedExperiment
from experiments.plan import COMMAND, origin
from experiments.problems import Problem
from experiments.results import Results, read_results, write_whole
from experiments.runner import Programs, compiled, measure
from experiments.uncertainty.limits import Limits
from experiments.uncertainty.parameters import Parameter, limits_of

Show = Callable[[int, int], object]


@dataclass(frozen=True)
class Draw:
    """Values of some parameters; the others are as the machine's file has them."""

    values: tuple[tuple[Parameter, float], ...]

    def settings(self) -> dict[str, str]:
        """What is given goes before what follows from something else that is."""
        settings: dict[str, str] = {}
        given: dict[str, str] = {}
        for parameter, value in self.values:
            after = parameter.settings(value)
            settings |= after
            given[parameter.key] = after[parameter.key]
        return settings | given

    def name(self) -> str:
        """Of its files: the same for the same values."""
        texts = " ".join(f"{key}={value}" for key, value in self.settings().items())
        return hashlib.sha256(texts.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Samples:
    """A folder of results, a file a draw, of one experiment as it is now, on its own machine or on another."""

    experiment: LoadedExperiment
    machine: str
    folder: Path
    programs: Programs
    limits: Limits

    def open(self) -> None:
        """What was made of another machine file, experiment or program goes."""
        marks = [line for line in origin(self.experiment, self._changes(Draw(()))) if not line.startswith(COMMAND)]
        mark = self.folder / "origin.json"
        if self.folder.exists() and (not mark.exists() or json.loads(mark.read_text()) != marks):
            shutil.rmtree(self.folder)
        write_whole({mark: (json.dumps(marks, indent=1) + "\n").encode()})

    def take(self, draws: Iterable[Draw], show: Show | None = None) -> None:
        """Runs those that there are no results of yet."""
        draws = list(dict.fromkeys(draws))
        for done, draw in enumerate(draws, start=1):
            if not self._path(draw).exists() and not self._failure(draw).exists():
                self._run(draw)
            if show:
                show(done, len(draws))

    def _changes(self, draw: Draw) -> Changes:
        is_its_own = self.experiment.data.machine.names == [self.machine]
        machine = () if is_its_own else (("machine", self.machine),)
        return Changes(machine, of_machine=tuple(self.limits.kept(draw.settings()).items()))

    def _run(self, draw: Draw) -> None:
        try:
            results = measure(self.experiment, self._changes(draw), programs=self.programs)
        except Problem as problem:
            write_whole({self._failure(draw): f"{problem}\n".encode()})
            return
        write_whole(dict(reversed(results.files(self._path(draw)).items())))

    def results(self, draw: Draw) -> Results | None:
        """None of a draw whose runs failed."""
        if not self._path(draw).exists():
            return None
        return read_results(self._path(draw), self.experiment.data.sizes.name)

    def failure(self, draw: Draw) -> str:
        path = self._failure(draw)
        return path.read_text().strip() if path.exists() else ""

    def differs(self, one: Draw, other: Draw) -> bool:
        """Whether anything that was measured does, or only one of the two failed."""
        first, second = self.results(one), self.results(other)
        if first is None or second is None:
            return first is not second
        if not first.table.equals(second.table):
            return True
        return first.steps is not None and second.steps is not None and not first.steps.equals(second.steps)

    def _path(self, draw: Draw) -> Path:
        return self.folder / f"{draw.name()}.csv"

    def _failure(self, draw: Draw) -> Path:
        return self.folder / f"{draw.name()}.failed.txt"


def opened_samples(
    experiments: Iterable[LoadedExperiment], machine: str, folder: Path, stack: ExitStack
) -> list[Samples]:
    """Of several experiments, each in a folder of its own, with programs that are there as long as the stack is."""
    every, limits = [], limits_of(machine)
    for experiment in experiments:
        programs = stack.enter_context(compiled([experiment.path.parent / one for one in experiment.programs()]))
        samples = Samples(experiment, machine, folder / "samples" / experiment.results_name, programs, limits)
        samples.open()
        every.append(samples)
    return every
