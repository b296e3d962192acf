"""Runs an experiment: compiles its programs, starts each at each size on all processors, and collects what they print.

A program prints a table as CSV: a line of names, then values; one row for each rank that has something to report.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from experiments.changes import Changes, Variant
from experiments.load import LoadedExperiment
from experiments.machines import check_settings, launcher, machine_sha256
from experiments.problems import Problem
from experiments.results import Results
from experiments.schema import Curve


@dataclass(frozen=True)
class Run:
    """One start of a program; equal ones are run once."""

    program: Path
    machine: str
    ranks: int
    map: str
    settings: tuple[str, ...]
    arguments: tuple[str, ...]

    def command(self, program: object) -> list[str]:
        changes = [word for setting in self.settings for word in ("--set", setting)]
        placed = [] if self.map == "block" else ["--map", self.map]
        machine = ["-m", self.machine, "-n", str(self.ranks)]
        return [launcher(), "run", *machine, *placed, *changes, "--", str(program), *self.arguments]


@dataclass(frozen=True)
class Point:
    """A run seen as what it is for: a curve at a size."""

    variant: Variant
    curve: Curve
    size: int
    run: Run

    def __str__(self) -> str:
        return f"curve '{self.curve.name}'{' with ' + self.variant.value if self.variant.value else ''}"


def plan(experiment: LoadedExperiment, changes: Changes) -> list[Point]:
    data = experiment.data
    points = []
    for variant in changes.variants(data):
        for curve in data.curve:
            settings = (*data.machine.set, *curve.set, *variant.settings)
            check_settings(variant.machine, settings)
            for size in data.sizes.all():
                ranks = size if variant.ranks == data.sizes.name else int(variant.ranks)
                given = curve.arguments or [f"{{{data.sizes.name}}}"]
                arguments = tuple(argument.replace(f"{{{data.sizes.name}}}", str(size)) for argument in given)
                run = Run(experiment.program(curve), variant.machine, ranks, variant.map, settings, arguments)
                points.append(Point(variant, curve, size, run))
    return points


def measure(experiment: LoadedExperiment, changes: Changes, show: Callable[..., object] | None = None) -> Results:
    """Everything in the plan; `show(done, total)` is called as runs end."""
    points = plan(experiment, changes)
    runs = list(dict.fromkeys(point.run for point in points))
    with tempfile.TemporaryDirectory(prefix="hindcast-") as folder:
        programs = {source: _compile(source, Path(folder)) for source in dict.fromkeys(run.program for run in runs)}
        printed = _run_all(experiment, points, runs, programs, show)
    return Results(
        _table(experiment, changes, points, printed), experiment.data.sizes.name, origin(experiment, changes)
    )


def origin(experiment: LoadedExperiment, changes: Changes) -> tuple[str, ...]:
    """The head of the results: what is needed to make them again, and nothing of this machine or day."""
    data = experiment.data
    variants = changes.variants(data)
    lines = [_version(), f"experiment {data.name}, SHA-256 of machine, sizes and curves {experiment.runs_sha256()}"]
    for machine in dict.fromkeys(variant.machine for variant in variants):
        lines.append(f"machine {Path(machine).stem}, SHA-256 {machine_sha256(machine)}")
    lines.append(f"changed parameters: {' '.join(changes.texts) or 'none'}")
    for program in dict.fromkeys(curve.program for curve in data.curve):
        content = (experiment.path.parent / program).read_bytes()
        lines.append(f"program {program}, SHA-256 {sha256(content).hexdigest()}")
    lines.append(
        f"command: hindcast experiment run {data.name}" + "".join(f" --set '{text}'" for text in changes.texts)
    )
    return tuple(lines)


def _version() -> str:
    done = subprocess.run([launcher(), "--version"], capture_output=True, text=True, check=False)
    return done.stdout.strip()


def _compile(source: Path, folder: Path) -> Path:
    program = folder / f"{source.stem}-{len(list(folder.iterdir()))}"
    language = "cc" if source.suffix == ".c" else "c++"
    command = [launcher(), language, "-O2", "-o", str(program), str(source)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Problem(f"{source.name} does not compile: {_first_line(done.stderr, 'error')}")
    return program


def _first_line(text: str, word: str = "") -> str:
    """The one that says most: the first with the word in it, or the first."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if word in line), lines[0] if lines else "it said nothing")


def _run_all(experiment, points, runs, programs, show) -> dict[Run, str]:
    reasons = {point.run: point for point in reversed(points)}
    printed: dict[Run, str] = {}
    failure: tuple[int, str] | None = None
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = {pool.submit(_start, run, programs[run.program]): index for index, run in enumerate(runs)}
        for future in as_completed(waiting):
            if future.cancelled():
                continue
            run = runs[waiting[future]]
            done = future.result()
            if done.returncode != 0:
                point = reasons[run]
                where = f"{experiment.data.name}: {point}, {experiment.data.sizes.name} = {point.size}"
                reason = _first_line(done.stderr).removeprefix("hindcast: ")
                text = f"{where}: failed with status {done.returncode}: {reason}"
                failure = min(failure or (waiting[future], text), (waiting[future], text))
                for other in waiting:
                    other.cancel()
            printed[run] = done.stdout
            if show:
                show(len(printed), len(runs))
    if failure:
        raise Problem(failure[1])
    return printed


def _start(run: Run, program: Path) -> subprocess.CompletedProcess:
    return subprocess.run(
        run.command(program), stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False
    )


def _table(experiment: LoadedExperiment, changes: Changes, points: list[Point], printed: dict[Run, str]):
    """All that was printed, as texts: what a program printed is what the results say."""
    import polars as pl

    name = experiment.data.sizes.name
    frames, columns = [], None
    for point in points:
        text = printed[point.run]
        try:
            frame = pl.read_csv(text.encode(), infer_schema=False)
        except pl.exceptions.PolarsError as error:
            raise Problem(f"{point.curve.program} printed no table: {_first_line(str(error))}") from error
        if name not in frame.columns:
            raise Problem(f"{point.curve.program}: its table has no column '{name}', but {', '.join(frame.columns)}")
        if columns is not None and frame.columns != columns:
            raise Problem(
                f"{point.curve.program}: its columns are {','.join(frame.columns)}; others print {','.join(columns)}"
            )
        columns = frame.columns
        varied = [pl.lit(point.variant.value).alias(changes.varied)] if changes.varied else []
        frames.append(frame.select(pl.lit(point.curve.name).alias("curve"), *varied, *columns))
    table = pl.concat(frames)
    return table.with_columns(pl.col(name).cast(pl.Int64))


@contextmanager
def progress(title: str) -> Iterator[Callable[[int, int], None] | None]:
    """A bar on a terminal; in a pipe, silence."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
