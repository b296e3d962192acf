"""Compares all algorithms of a collective: over sizes, over ranks, and with what the machine's table takes."""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from experiments.changes import Changes, Variant
from experiments.load import LoadedExperiment
from experiments.machines import check_settings
from experiments.plan import Run, origin
from experiments.problems import Problem
from experiments.registry import Registry, ask_registry, name_of
from experiments.runner import Show, first_line, refuse_failure, run_all
from experiments.schema import Algorithms, Comparison

ONE_LEVEL, TWO_LEVELS = "one level", "two levels"
COLUMNS = ("algorithm", "bytes", "ranks", "time_us", "is_best", "is_chosen")


@dataclass(frozen=True)
class Measured:
    """An algorithm's time: the largest of all ranks'."""

    algorithm: str
    bytes: int
    ranks: int
    time_us: float


@dataclass(frozen=True)
class Contest:
    """All that was measured for some number of ranks and bytes."""

    ranks: int
    bytes: int
    times: dict[str, float]
    chosen: str  # by the machine's table

    @property
    def best(self) -> str:
        """The quickest; of equal ones the table's choice, or the first."""
        least = min(self.times.values())
        if self.times[self.chosen] == least:
            return self.chosen
        return next(name for name, time in self.times.items() if time == least)

    @property
    def loss(self) -> float:
        """By how much of the best time the table's choice is slower."""
        return self.times[self.chosen] / self.times[self.best] - 1


@dataclass(frozen=True)
class Panel:
    """Contests over sizes at one number of ranks, or over ranks at one size."""

    over: str  # "bytes" or "ranks"
    contests: tuple[Contest, ...]
    slack: float

    def is_off(self, contest: Contest) -> bool:
        return contest.loss > self.slack

    def place(self, contest: Contest) -> int:
        return getattr(contest, self.over)

    def shown(self, place: int) -> str:
        return in_bytes(place) if self.over == "bytes" else str(place)

    def title(self) -> str:
        """What all of them have in common; nothing of operations that move nothing."""
        first = self.contests[0]
        if self.over == "bytes":
            return in_ranks(first.ranks)
        return in_bytes(first.bytes) if first.bytes else ""


@dataclass(frozen=True)
class Compared:
    """A finished comparison."""

    operation: str
    machine: str
    algorithms: tuple[str, ...]  # in the registry's order
    sorts: dict[str, str]  # of each, in words: what it moves its data by, or how many levels it has
    contests: tuple[Contest, ...]
    panels: tuple[Panel, ...]
    failures: tuple[str, ...]
    slack: float
    head: tuple[str, ...]

    def csv(self) -> bytes:
        text = io.StringIO()
        text.writelines(f"# {line}\n" for line in self.head)
        table = csv.writer(text, lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerows(self.rows())
        return text.getvalue().encode()

    def rows(self) -> Iterator[tuple]:
        for algorithm in self.algorithms:
            for contest in self.contests:
                if algorithm in contest.times:
                    time = contest.times[algorithm]
                    is_best = time == contest.times[contest.best]
                    row = (algorithm, contest.bytes, contest.ranks, f"{time:.6f}")
                    yield (*row, str(is_best).lower(), str(algorithm == contest.chosen).lower())

    def verdict(self) -> list[str]:
        """Where the table's choice is too far off the best; and which algorithms failed."""
        return self._shortfalls() + [f"  left out: {failure}" for failure in self.failures]

    def _shortfalls(self) -> list[str]:
        of = f"{self.operation} on {self.machine}: the table's choice is"
        if not (shortfalls := [line for panel in self.panels for line in _stretches(panel)]):
            return [f"{of} within {in_percent(self.slack)} of the best everywhere"]
        off = sum(contest.loss > self.slack for contest in self.contests)
        return [
            f"{of} more than {in_percent(self.slack)} off the best in {off} of {len(self.contests)} cases",
            *shortfalls,
        ]


def in_bytes(size: int) -> str:
    for factor, unit in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= factor and size % factor == 0:
            return f"{size // factor} {unit}"
    return f"{size} B"


def in_percent(part: float) -> str:
    return f"{part * 100:.0f} %"


def in_ranks(ranks: int) -> str:
    return f"{ranks} rank{'' if ranks == 1 else 's'}"


def separate(experiment: LoadedExperiment, changes: Changes) -> list[Changes]:
    """The changes for each picture: one operation, and one value of whatever has several."""
    every = changes.each()
    if any(one.value("operation") for one in every):
        return every
    operations = experiment.data.algorithms.operations
    return [Changes((*one.fixed, ("operation", operation))) for one in every for operation in operations]


@dataclass(frozen=True)
class Plan:
    operation: str
    variant: Variant
    registry: Registry
    algorithms: tuple[str, ...]  # the registry's, and those of the experiment
    sizes: dict[int, list[int]]  # for each number of ranks
    runs: dict[tuple[str, int], Run]  # by algorithm and ranks


def plan_comparison(experiment: LoadedExperiment, changes: Changes) -> Plan:
    data: Comparison = experiment.data
    operation = changes.value("operation")
    variant = changes.without("operation").variants(data)[0]
    settings = (*data.machine.set, *variant.settings)
    check_settings(variant.machine, settings)
    sizes = _sizes(data, operation, int(variant.ranks))
    every_size = sorted({size for some in sizes.values() for size in some})
    registry = ask_registry(variant, settings, operation, list(sizes), every_size)
    program = experiment.path.parent / data.algorithms.program
    also = data.algorithms.also.get(operation, [])
    known = {name_of(choice) for choice in registry.algorithms}
    for choice in also:
        if name_of(choice) not in known:
            raise Problem(f"{data.name}: algorithms.also: {operation} has no algorithm '{name_of(choice)}'")
    algorithms = tuple(dict.fromkeys((*registry.algorithms, *also)))
    runs = {}
    for ranks, some in sizes.items():
        able = {name_of(choice) for choice in registry.situations[ranks, some[0]].able}
        for algorithm in (choice for choice in algorithms if name_of(choice) in able):
            arguments = (operation, *map(str, some))
            chosen = f"{operation}={algorithm}"
            runs[algorithm, ranks] = Run(program, variant.machine, ranks, variant.map, settings, arguments, chosen)
    return Plan(operation, variant, registry, algorithms, sizes, runs)


def _sizes(data: Comparison, operation: str, ranks: int) -> dict[int, list[int]]:
    if ranks < 2:
        raise Problem(f"--set ranks={ranks}: algorithms are compared among two ranks or more")
    few = sorted(data.algorithms.bytes)
    sizes = {fewer: few for fewer in data.algorithms.all_ranks() if fewer < ranks}
    sizes[ranks] = sorted({*data.sizes.all(), *few})
    return {some: [0] for some in sizes} if operation == "barrier" else sizes  # which moves nothing


def compare(experiment: LoadedExperiment, changes: Changes, show: Show | None = None) -> Compared:
    """One operation on one machine. Algorithms may fail, as buffers are finite; those that the table takes may not."""
    plan = plan_comparison(experiment, changes)
    outcomes = run_all(plan.runs.values(), show, may_fail=True)
    measured, failures = [], []
    for (algorithm, ranks), run in plan.runs.items():
        where = f"{experiment.data.name}: {run.collectives}, {in_ranks(ranks)}"
        found = list(_read(algorithm, outcomes[run].printed, where))
        measured += found
        if outcomes[run].status == 0:
            continue
        size = plan.sizes[ranks][len(found)]
        if any(
            plan.registry.situations[ranks, larger].taken == algorithm for larger in plan.sizes[ranks][len(found) :]
        ):
            refuse_failure(outcomes[run], where)
        failures.append(f"{algorithm} at {in_ranks(ranks)} from {in_bytes(size)} on: {outcomes[run].reason()}")
    contests = tuple(_contests(plan, measured))
    return Compared(
        plan.operation,
        Path(plan.variant.machine).stem,
        plan.algorithms,
        {choice: _sort_of(plan.registry, choice, experiment.data.algorithms) for choice in plan.algorithms},
        contests,
        tuple(_panels(plan, contests, experiment.data.algorithms)),
        tuple(failures),
        experiment.data.algorithms.slack,
        origin(experiment, changes),
    )


def _sort_of(registry: Registry, choice: str, data: Algorithms) -> str:
    if data.sorts == "means":
        return registry.means_of(choice)
    return TWO_LEVELS if registry.has_two_levels(choice) else ONE_LEVEL


def _read(algorithm: str, printed: str, where: str) -> Iterator[Measured]:
    """Sizes rise, and what a run printed before it failed counts."""
    try:
        for row in csv.DictReader(printed.splitlines()):
            yield Measured(algorithm, int(row["bytes"]), int(row["ranks"]), float(row["time_us"]))
    except (KeyError, TypeError, ValueError) as error:
        raise Problem(f"{where}: its table has not bytes, ranks and time_us: {first_line(printed)}") from error


def _contests(plan: Plan, measured: list[Measured]) -> Iterator[Contest]:
    for (ranks, size), situation in sorted(plan.registry.situations.items()):
        times = {one.algorithm: one.time_us for one in measured if (one.ranks, one.bytes) == (ranks, size)}
        if times:  # else the program left the size out, as too large
            yield Contest(ranks, size, times, situation.taken)


def _panels(plan: Plan, contests: tuple[Contest, ...], data: Algorithms) -> Iterator[Panel]:
    most = max(plan.sizes)
    over_bytes = tuple(contest for contest in contests if contest.ranks == most)
    over_ranks = [
        tuple(contest for contest in contests if contest.bytes == size)
        for size in ([0] if plan.operation == "barrier" else sorted(data.bytes))
    ]
    if data.together:
        is_over_bytes = data.over == "bytes" and plan.operation != "barrier"
        yield Panel("bytes", over_bytes, data.slack) if is_over_bytes else Panel("ranks", over_ranks[0], data.slack)
        return
    if len(over_bytes) > 1:
        yield Panel("bytes", over_bytes, data.slack)
    yield from (Panel("ranks", panel, data.slack) for panel in over_ranks if len(panel) > 1)


def _stretches(panel: Panel) -> Iterator[str]:
    """A line for each row of places next to each other at which the table's choice is off."""
    shown = in_bytes if panel.over == "bytes" else in_ranks
    for is_off, neighbours in groupby(panel.contests, panel.is_off):
        if not is_off:
            continue
        several = list(neighbours)
        worst = max(several, key=lambda contest: contest.loss)
        ends = " to ".join(dict.fromkeys(shown(panel.place(at)) for at in (several[0], several[-1])))
        where = ", ".join(filter(None, (panel.title(), ends)))
        most = f"up to {in_percent(worst.loss)} slower, at {shown(panel.place(worst))}"
        loss = most if len(several) > 1 else f"{in_percent(worst.loss)} slower"
        yield f"  {where}: {loss} ({worst.chosen}, not {worst.best})"
