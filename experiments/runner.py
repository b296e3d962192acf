"""Runs an experiment: compiles its programs, starts each at each size on all processors, and collects what they print.

A program prints a table as CSV: a line of names, then values; one row for each rank that has something to report. If a
claim counts steps of the simulation, the launcher is asked for them too.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from experiments.changes import Changes
from experiments.load import LoadedExperiment
from experiments.plan import Point, Run, origin, plan
from experiments.problems import Problem
from experiments.results import Results
from experiments.serving.processes import Processes
from experiments.shell.compilers import COMPILERS, compile_command

if TYPE_CHECKING:
    import polars as pl

WARNING = "hindcast: warning: "

Show = Callable[[int, int | None], object]  # how many there will be is not always known


@dataclass(frozen=True)
class Outcome:
    """Of a run."""

    status: int
    printed: str
    said: str  # on standard error
    steps: list[dict]  # of the launcher's --count

    def reason(self) -> str:
        return self.telling_line().removeprefix("hindcast: ")

    def telling_line(self) -> str:
        """The first line, unless the launcher warns in it: then the first of its lines that is no warning."""
        first = first_line(self.said)
        if not first.startswith(WARNING):
            return first
        lines = (line for line in self.said.splitlines() if line.startswith("hindcast: "))
        return next((line for line in lines if not line.startswith(WARNING)), first)


Programs = dict[Path, Path | str]  # what is started, by what it is compiled from


def measure(
    experiment: LoadedExperiment, changes: Changes, show: Show | None = None, programs: Programs | None = None
) -> Results:
    """Everything in the plan; `show(done, total)` is called as runs end. Programs are compiled unless given."""
    points = plan(experiment, changes)
    size = experiment.data.sizes.name
    runs = [point.run for point in points]
    outcomes = run_all(runs, show, counts_steps=experiment.data.counts_steps(), programs=programs)
    for point in points:
        refuse_failure(outcomes.get(point.run), f"{experiment.data.name}: {point}, {size} = {point.size}")
    steps = _steps_table(size, changes, points, outcomes) if experiment.data.counts_steps() else None
    return Results(_table(size, changes, points, outcomes), size, origin(experiment, changes), steps)


@contextmanager
def compiled(sources: Iterable[Path]) -> Iterator[Programs]:
    """For as long as runs may want them."""
    with tempfile.TemporaryDirectory(prefix="hindcast-") as folder:
        yield {source: _compile(source, Path(folder)) for source in dict.fromkeys(sources)}


def run_all(
    wanted: Iterable[Run],
    show: Show | None = None,
    *,
    counts_steps: bool = False,
    may_fail: bool = False,
    programs: Programs | None = None,
    ended: Callable[[Run, Outcome], object] | None = None,
) -> dict[Run, Outcome]:
    """Runs on all processors, after compiling what is not given. After a failure no more are started, unless a run may
    fail. `ended` is called with each run as soon as it is over."""
    runs = list(dict.fromkeys(wanted))
    if programs is None:
        with compiled(run.program for run in runs) as programs:
            return run_all(runs, show, counts_steps=counts_steps, may_fail=may_fail, programs=programs, ended=ended)
    with tempfile.TemporaryDirectory(prefix="hindcast-") as folder:
        counts = {run: Path(folder) / f"{index}.json" if counts_steps else None for index, run in enumerate(runs)}

        def start(run: Run, processes: Processes) -> Outcome:
            return _start(run, programs[run.program], counts[run], processes)

        return _start_all(runs, start, show, may_fail, ended)


def refuse_failure(outcome: Outcome | None, where: str) -> None:
    """Of several that failed, the first in the plan is told; None is of a run that was not started any more."""
    if outcome is not None and outcome.status != 0:
        raise Problem(f"{where}: failed with status {outcome.status}: {outcome.reason()}")


def _compile(source: Path, folder: Path) -> Path:
    program = folder / f"{source.stem}-{len(list(folder.iterdir()))}"
    command = compile_command(source, program)
    if COMPILERS[source.suffix] == "fc":
        command += ["-J", str(folder)]  # or files of the source's modules would be left in the working directory
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise Problem(f"{source.name} does not compile: {first_line(done.stderr, 'undefined reference', 'error')}")
    return program


def first_line(text: str, *words: str) -> str:
    """The one that says most: the first with the first word in it, or with the next one, and so on, or the first."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = (line for word in words for line in lines if word in line)
    return next(told, lines[0] if lines else "it said nothing")


def _start(run: Run, program: Path | str, counts: Path | None, processes: Processes) -> Outcome:
    _, *words = run.command(program, *(["--count", str(counts)] if counts else []))
    done = processes.run(words)
    steps = json.loads(counts.read_text()) if counts and counts.exists() else []
    return Outcome(done.returncode, done.stdout, done.stderr, steps)


def _start_all(
    runs: list[Run],
    start: Callable[[Run, Processes], Outcome],
    show: Show | None,
    may_fail: bool,
    ended: Callable[[Run, Outcome], object] | None,
) -> dict[Run, Outcome]:
    outcomes: dict[Run, Outcome] = {}
    with ThreadPoolExecutor(os.cpu_count()) as pool, Processes() as processes:
        waiting = {pool.submit(start, run, processes): run for run in runs}
        for future in as_completed(waiting):
            if future.cancelled():
                continue
            outcomes[waiting[future]] = outcome = future.result()
            if ended:
                ended(waiting[future], outcome)
            if outcome.status != 0 and not may_fail:
                for other in waiting:
                    other.cancel()
            if show:
                show(len(outcomes), len(runs))
    return outcomes


def _table(size: str, changes: Changes, points: list[Point], outcomes: dict[Run, Outcome]) -> "pl.DataFrame":
    """All that was printed, as texts: what a program printed is what the results say."""
    import polars as pl

    frames, columns = [], None
    for point in points:
        program = point.curve.program
        try:
            frame = pl.read_csv(with_names_first(outcomes[point.run].printed, size).encode(), infer_schema=False)
        except pl.exceptions.PolarsError as error:
            raise Problem(f"{program} printed no table: {_in_words(error)}") from error
        if size not in frame.columns:
            raise Problem(f"{program}: its table has no column '{size}', but {', '.join(frame.columns)}")
        frame = frame.drop(_said_again(frame, changes, point))
        if taken := {"curve", *changes.varied} & set(frame.columns):
            raise Problem(
                f"{program}: its column '{min(taken)}' is one that the results have besides: name it otherwise"
            )
        columns = columns or frame.columns
        if frame.columns != columns:
            raise Problem(f"{program}: its columns are {','.join(frame.columns)}; others print {','.join(columns)}")
        frames.append(frame.select(*_first_columns(changes, point), *columns))
    table = pl.concat(frames)
    try:
        return table.with_columns(pl.col(size).cast(pl.Int64))
    except pl.exceptions.PolarsError as error:
        raise Problem(f"{table['curve'][0]}: its column '{size}' holds what is no whole number") from error


def _said_again(frame: "pl.DataFrame", changes: Changes, point: Point) -> list[str]:
    """What is varied and the program prints too, as ranks: the results have it once."""
    values = zip(changes.varied, point.variant.values, strict=True)
    return [key for key, value in values if key in frame.columns and (frame[key] == value).all()]


def _in_words(error: Exception) -> str:
    text = first_line(str(error))
    return "a row has more values than there are names" if "more fields than" in text else text


def with_names_first(printed: str, size: str) -> str:
    """Lines come in the order of simulated time: rank 0's line of names may come after another rank's row."""
    lines = printed.splitlines()
    names = next((line for line in lines if size in line.split(",")), None)
    return printed if names is None else "\n".join([names, *(line for line in lines if line != names)])


def _steps_table(size: str, changes: Changes, points: list[Point], outcomes: dict[Run, Outcome]) -> "pl.DataFrame":
    import polars as pl

    columns = {"name": pl.String, "parameter": pl.String, "rank": pl.Int64}
    columns |= {"count": pl.Int64, "time_ps": pl.Int64, "amount": pl.Int64}
    frames = []
    for point in points:
        frame = pl.DataFrame(outcomes[point.run].steps, schema=columns)
        frames.append(frame.select(*_first_columns(changes, point), pl.lit(point.size).alias(size), *columns))
    return pl.concat(frames)


def _first_columns(changes: Changes, point: Point) -> list:
    import polars as pl

    values = zip(changes.varied, point.variant.values, strict=True)
    return [pl.lit(point.curve.name).alias("curve"), *(pl.lit(value).alias(key) for key, value in values)]


IN_A_PIPE_EVERY_S = 60
_started_s = _last_line_s = time.monotonic()


@contextmanager
def progress(title: str) -> Iterator[Show]:
    """A bar on a terminal; in a pipe nothing, unless who called wants a line a minute over all that is run."""
    if not sys.stderr.isatty():
        wants_lines = os.environ.get("HINDCAST_PROGRESS") == "lines"
        yield lambda done, total: _tell_in_a_pipe(f"{title}: {_out_of(done, total)} runs") if wants_lines else None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _out_of(done: int, total: int | None) -> str:
    return f"{done} of {total}" if total else str(done)


def _tell_in_a_pipe(where: str) -> None:
    global _last_line_s
    now_s = time.monotonic()
    if now_s - _last_line_s >= IN_A_PIPE_EVERY_S:
        _last_line_s = now_s
        print(f"hindcast: {where}, after {(now_s - _started_s) / 60:.0f} min", file=sys.stderr, flush=True)
