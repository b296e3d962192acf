"""What an experiment will run, and where its results will say they come from."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from shlex import quote

from experiments.changes import Changes, Variant
from experiments.load import LoadedExperiment
from experiments.machines import check_settings, free_arithmetic, machine_sha256, refusal_of
from experiments.schema import Curve, Experiment
from experiments.serving.servers import ask, launcher

COMMAND = "command: "


@dataclass(frozen=True)
class Run:
    """One start of a program; equal ones are run once."""

    program: Path
    machine: str
    ranks: int
    map: str
    settings: tuple[str, ...]
    arguments: tuple[str, ...]
    collectives: str = ""  # chosen by name, as --coll has them
    compute: str = ""  # what computation takes, as --compute has it
    limits: tuple[str, ...] = ()  # of time, as words of the launcher's

    def command(self, program: object, *options: str) -> list[str]:
        ways = {"--coll": self.collectives, "--compute": self.compute}
        chosen = [word for option, way in ways.items() if way for word in (option, way)]
        machine = ["-m", self.machine, *self._placed]
        return [launcher(), "run", *machine, *chosen, *self.limits, *options, "--", str(program), *self.arguments]

    def question(self) -> tuple[str, ...]:
        """By which the launcher says whether it could begin."""
        return ("check", self.machine, *self._placed)

    @property
    def _placed(self) -> list[str]:
        changes = [word for setting in self.settings for word in ("--set", setting)]
        return ["-n", str(self.ranks), *([] if self.map == "slot" else ["--map", self.map]), *changes]


def first_refusal(runs: Iterable[Run], show: Callable[[int, int], object] | None = None) -> str:
    """What the launcher says against the first of some runs that could not begin; nothing if all could. `show(done,
    total)` is called as it answers."""
    questions = list(dict.fromkeys(run.question() for run in runs))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done, refusal in enumerate(pool.map(refusal_of, questions), start=1):
            if refusal:
                pool.shutdown(cancel_futures=True)
                return refusal
            if show:
                show(done, len(questions))
    return ""


@dataclass(frozen=True)
class Point:
    """A run seen as what it is for: a curve at a size."""

    variant: Variant
    curve: Curve
    size: int
    run: Run

    def __str__(self) -> str:
        return f"curve '{self.curve.name}'{f' with {self.variant}' if self.variant.values else ''}"


def plan(experiment: LoadedExperiment, changes: Changes) -> list[Point]:
    data = experiment.data
    points = []
    for variant in changes.variants(data):
        for curve in data.curve:
            for size in sizes_of(curve, data):
                own = tuple(_at_size(text, data.sizes.name, size) for text in curve.set)
                free = free_arithmetic(variant.machine) if curve.arithmetic == "free" else ()
                settings = (*variant.of_machine, *data.machine.set, *own, *variant.settings, *free)
                check_settings(variant.machine, settings)
                ranks = size if variant.ranks == data.sizes.name else int(variant.ranks)
                lengths = tuple(map(str, data.models.all_bytes() if data.models else ()))
                given = curve.arguments or ([] if lengths else [f"{{{data.sizes.name}}}"])
                arguments = tuple(_at_size(argument, data.sizes.name, size) for argument in given)
                arguments += lengths
                run = Run(
                    experiment.program(curve), variant.machine, ranks, variant.map, settings, arguments, curve.coll
                )
                points.append(Point(variant, curve, size, run))
    return points


def sizes_of(curve: Curve, data: Experiment) -> list[int]:
    return (curve.model.ranks if curve.model else []) or data.sizes.all()


def _at_size(text: str, name: str, size: int) -> str:
    return text.replace(f"{{{name}}}", str(size))


def origin(experiment: LoadedExperiment, changes: Changes) -> tuple[str, ...]:
    """The head of the results: what is needed to make them again, and nothing of this computer or day."""
    settings = (f"--set '{text}'" for text in changes.texts)
    command = experiment.command or " ".join([f"hindcast experiment run {quote(experiment.given)}", *settings])
    return (
        ask(["--version"]).stdout.strip(),
        f"experiment {experiment.data.name}, SHA-256 of machine, sizes and curves {experiment.runs_sha256()}",
        *machine_files(experiment, changes),
        f"changed parameters: {' '.join(changes.texts) or 'none'}",
        *program_files(experiment),
        f"{COMMAND}{command}",
    )


def machine_files(experiment: LoadedExperiment, changes: Changes) -> list[str]:
    """What they are now, a line each."""
    return machine_lines(variant.machine for variant in changes.variants(experiment.data))


def machine_lines(machines: Iterable[str]) -> list[str]:
    return [f"machine {Path(machine).stem}, SHA-256 {machine_sha256(machine)}" for machine in dict.fromkeys(machines)]


def program_files(experiment: LoadedExperiment) -> list[str]:
    return [program_line(program, experiment.path.parent / program) for program in experiment.programs()]


def program_line(name: str, file: Path) -> str:
    return f"program {name}, SHA-256 {sha256(file.read_bytes()).hexdigest()}"
