"""Which sort of algorithm serves groups or blocks of which size best: comparisons of several operations together.

What an algorithm moves its data by makes its strategy: what the machine does for all ranks at once, or messages, along
trees or in other ways. Its row says which, in words; a library may have means of its own. Or its strategy is the number
of its levels.
"""

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from experiments.changes import Changes
from experiments.comparison import COLUMNS, ONE_LEVEL, TWO_LEVELS, Compared, Contest, Panel, compare, in_bytes
from experiments.load import LoadedExperiment
from experiments.runner import Show

BROADCAST, WHOLE_MACHINE = "the machine's broadcast", "the machine's barrier or reduction"
TREES, MESSAGES = "messages along trees", "other messages"


@dataclass(frozen=True)
class Winner:
    place: int  # a number of ranks or bytes
    algorithm: str
    strategy: str


def strategy_of(compared: Compared, algorithm: str) -> str:
    return compared.sorts[algorithm]


def panel_of(compared: Compared) -> Panel:
    """The only one of each operation."""
    return compared.panels[0]


def strategies_of(every: list[Compared]) -> list[str]:
    """In the order of a legend: the machine's own first, libraries' own among them."""
    found = dict.fromkeys(strategy for compared in every for strategy in compared.sorts.values())
    last = (TREES, MESSAGES, TWO_LEVELS, ONE_LEVEL)
    of_libraries = [strategy for strategy in found if strategy not in (BROADCAST, WHOLE_MACHINE, *last)]
    return [strategy for strategy in (BROADCAST, WHOLE_MACHINE, *of_libraries, *last) if strategy in found]


def best_of(compared: Compared, contest: Contest, strategy: str) -> float | None:
    """The time of the strategy's quickest algorithm."""
    times = [time for name, time in contest.times.items() if strategy_of(compared, name) == strategy]
    return min(times, default=None)


def winners(compared: Compared) -> list[Winner]:
    """The quickest at each place, of those that serve a part of the machine as well. Of equal ones that which
    was it before, or is of its strategy."""
    found: list[Winner] = []
    panel = panel_of(compared)
    for contest in panel.contests:
        times = {name: time for name, time in contest.times.items() if strategy_of(compared, name) != WHOLE_MACHINE}
        before = found[-1] if found else None

        def is_new(name: str, before: Winner | None = before) -> tuple[bool, bool]:
            return (
                before is not None and strategy_of(compared, name) != before.strategy,
                before is not None and name != before.algorithm,
            )

        name = min(times, key=lambda name: (times[name], is_new(name)))
        found.append(Winner(panel.place(contest), name, strategy_of(compared, name)))
    return found


def crossovers(compared: Compared) -> list[int]:
    """The places from which on the quickest is of another strategy than before."""
    return [here.place for before, here in pairwise(winners(compared)) if here.strategy != before.strategy]


def in_words(compared: Compared) -> str:
    """Which algorithm is the quickest, from how many ranks or bytes on."""
    panel = panel_of(compared)
    size = panel.contests[0].bytes
    what = f"{compared.operation} of {in_bytes(size)}" if panel.over == "ranks" and size else compared.operation
    won = winners(compared)
    changes = [here for before, here in pairwise(won) if here.algorithm != before.algorithm]
    return f"{what}, quickest: " + ", ".join(
        f"{one.algorithm} from {panel.shown(one.place)}" for one in [won[0], *changes]
    )


def compare_together(experiment: LoadedExperiment, changes: Changes, show: Show | None) -> list[Compared]:
    """All operations of the experiment, each with one panel."""
    return [
        compare(experiment, Changes((*changes.fixed, ("operation", operation))), show)
        for operation in experiment.data.algorithms.operations
    ]


def strategies_csv(every: list[Compared]) -> bytes:
    text = io.StringIO()
    text.writelines(f"# {line}\n" for line in _common_head(every))
    table = csv.writer(text, lineterminator="\n")
    table.writerow(("operation", "strategy", *COLUMNS))
    for compared in every:
        table.writerows((compared.operation, strategy_of(compared, row[0]), *row) for row in compared.rows())
    return text.getvalue().encode()


def _common_head(every: list[Compared]) -> Iterator[str]:
    """The lines that do not name an operation."""
    return (line for line in every[0].head if all(line in compared.head for compared in every))
