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
from experiments.plan import COMMAND, machine_files, origin, program_files
from experiments.problems import Problem
from experiments.results import Results, read_results, write_whole
from experiments.runner import Programs, compiled, measure
from experiments.serving.simulator import current_simulator
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


def files_now(experiment: LoadedExperiment, machine: str) -> tuple[str, ...]:
    """What is in the files that results are made of, the machine's, the programs' and the simulator's, a line each."""
    return (
        *machine_files(experiment, changes_of(experiment, machine, {})),
        *program_files(experiment),
        current_simulator(),
    )


def changes_of(experiment: LoadedExperiment, machine: str, settings: dict[str, str]) -> Changes:
    is_its_own = experiment.data.machine.is_only(machine)
    return Changes(() if is_its_own else (("machine", machine),), of_machine=tuple(settings.items()))


@dataclass(frozen=True)
class Samples:
    """A folder of results, a file a draw, of one experiment as it is now, on its own machine or on another."""

    experiment: LoadedExperiment
    machine: str
    folder: Path
    programs: Programs
    limits: Limits
    files: tuple[str, ...]  # as they were before anything else was read of them

    def open(self) -> None:
        """What was made of another machine file, experiment, program or simulator goes."""
        nothing = changes_of(self.experiment, self.machine, {})
        of_files = dict.fromkeys((*origin(self.experiment, nothing), *files_now(self.experiment, self.machine)))
        marks = [line for line in of_files if not line.startswith(COMMAND)]
        mark = self.folder / "origin.json"
        if self.folder.exists() and (not mark.exists() or json.loads(mark.read_text()) != marks):
            shutil.rmtree(self.folder)
        self._refuse_change()
        write_whole({mark: (json.dumps(marks, indent=1) + "\n").encode()})

    def take(self, draws: Iterable[Draw], show: Show | None = None) -> None:
        """Runs those that there are no results of yet."""
        draws = list(dict.fromkeys(draws))
        for done, draw in enumerate(draws, start=1):
            if not self._path(draw).exists() and not self._failure(draw).exists():
                self._run(draw)
            if show:
                show(done, len(draws))

    def _run(self, draw: Draw) -> None:
        changes = changes_of(self.experiment, self.machine, self.limits.kept(draw.settings()))
        try:
            results = measure(self.experiment, changes, programs=self.programs)
            files = dict(reversed(results.files(self._path(draw)).items()))
        except Problem as problem:
            files = {self._failure(draw): f"{problem}\n".encode()}
        self._refuse_change()
        write_whole(files)

    def _refuse_change(self) -> None:
        """What changed while a draw ran may be in its results or not, and is not in those of earlier ones."""
        for line in files_now(self.experiment, self.machine):
            if line not in self.files:
                file = line.partition(",")[0]
                raise Problem(f"{file} has changed since its draws began: start again, and all are of what it is now")

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
    found = [(experiment, files_now(experiment, machine)) for experiment in experiments]
    every, limits = [], limits_of(machine)
    for experiment, files in found:
        programs = stack.enter_context(compiled([experiment.path.parent / one for one in experiment.programs()]))
        place = folder / "samples" / experiment.results_name
        samples = Samples(experiment, machine, place, programs, limits, files)
        samples.open()
        every.append(samples)
    return every
