"""Draws which strategy serves groups, or blocks, of which size best: a small panel for each operation, times against
ranks or bytes, a colour for each strategy, and a mark where the quickest strategy changes."""

from itertools import cycle
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter, NullLocator

from experiments.changes import Changes
from experiments.comparison import ONE_LEVEL, TWO_LEVELS, Compared, Panel, in_bytes, in_ranks
from experiments.schema import Comparison
from experiments.strategies import (
    BROADCAST,
    MESSAGES,
    TREES,
    WHOLE_MACHINE,
    best_of,
    crossovers,
    in_words,
    panel_of,
    strategies_of,
    strategy_of,
)
from plots.figure import MM, saved_as_files

WIDTH_MM, ROW_MM, LEGEND_MM = 176, 52, 10
COLUMNS = LEGEND_COLUMNS = 3
MS = 1000  # us
COLOURS = {BROADCAST: "#d55e00", WHOLE_MACHINE: "#009e73", TREES: "#0072b2", MESSAGES: "#7f7f7f"}
COLOURS |= {TWO_LEVELS: "#d55e00", ONE_LEVEL: "#0072b2"}
MARKS = {BROADCAST: "o", WHOLE_MACHINE: "D", TREES: "^", MESSAGES: "s", TWO_LEVELS: "o", ONE_LEVEL: "^"}
COLOURS_OF_LIBRARIES, MARKS_OF_LIBRARIES = ("#cc79a7", "#e69f00", "#56b4e9"), ("P", "X", "*")
WHAT_IS_SORTED = {"means": "each strategy", "levels": "one level and of two"}
WHAT_IS_QUICKER = {
    "means": "another strategy is the quickest, of those that serve a part of the machine as well",
    "levels": "the other number of levels is quicker",
}
FEW_PLACES = 8
FLAT = 40  # longest to shortest time; up to that there are numbers within a decade too


class Look(NamedTuple):
    colour: str
    mark: str


def draw_strategies(data: Comparison, every: list[Compared], changes: Changes) -> dict[str, bytes]:
    """The files of the figure, by what is put to the experiment's name."""
    files = saved_as_files(lambda: _figure(every))
    return files | {".caption.txt": _caption(data, every, changes).encode()}


def _caption(data: Comparison, every: list[Compared], changes: Changes) -> str:
    sorts = data.algorithms.sorts
    lines = [
        f"{data.title}, on {every[0].machine}.",
        f"Thick: the quickest algorithm of {WHAT_IS_SORTED[sorts]}; thin: the others. Black dots: what the machine's "
        f"table takes. Dotted: from there on {WHAT_IS_QUICKER[sorts]}.",
        f"Measured: {data.rule}.",
        *([f"Changed: {', '.join(changes.texts)}."] if changes.texts else []),
        *(in_words(compared) + "." for compared in every),
    ]
    if sorts == "levels":
        lines += [line for compared in every for line in compared.verdict()]
    return "\n".join(lines) + "\n"


def _figure(every: list[Compared]) -> Figure:
    rows = -(-len(every) // COLUMNS)
    figure = Figure(figsize=(WIDTH_MM * MM, (rows * ROW_MM + LEGEND_MM) * MM), layout="constrained")
    figure.get_layout_engine().set(h_pad=0.03, w_pad=0.03, hspace=0.03, wspace=0.03)
    grid = figure.subplots(rows, COLUMNS, squeeze=False)
    looks = _looks(strategies_of(every))
    drawn = set()
    for index, axes in enumerate(grid.flat):
        if index >= len(every):
            axes.set_axis_off()
            continue
        drawn |= _draw_panel(axes, every[index], looks)
        is_lowest = index + COLUMNS >= len(every)
        if is_lowest or panel_of(every[index]).over != panel_of(every[-1]).over:
            axes.set_xlabel("Ranks" if panel_of(every[index]).over == "ranks" else "Bytes of a block")
        if index % COLUMNS == 0:
            axes.set_ylabel("Time (ms)")
    figure.legend(handles=_handles(looks, drawn), loc="outside lower center", ncols=LEGEND_COLUMNS, handlelength=2.6)
    return figure


def _looks(strategies: list[str]) -> dict[str, Look]:
    """In their order; those of libraries take their looks in turn."""
    of_libraries = cycle(zip(COLOURS_OF_LIBRARIES, MARKS_OF_LIBRARIES, strict=True))
    known = {strategy: (COLOURS[strategy], MARKS[strategy]) for strategy in COLOURS}
    return {strategy: Look(*(known.get(strategy) or next(of_libraries))) for strategy in strategies}


def _handles(looks: dict[str, Look], drawn: set[str]) -> list[Line2D]:
    handles = [
        Line2D([], [], color=look.colour, lw=1.3, marker=look.mark, ms=3.2, label=strategy)
        for strategy, look in looks.items()
        if strategy in drawn
    ]
    return [*handles, Line2D([], [], color="black", ls="", marker="o", ms=1.6, label="taken by the table")]


def _draw_panel(axes: Axes, compared: Compared, looks: dict[str, Look]) -> set[str]:
    """Returns the strategies in it."""
    panel = panel_of(compared)
    for algorithm in compared.algorithms:
        points = [
            (panel.place(contest), contest.times[algorithm]) for contest in panel.contests if algorithm in contest.times
        ]
        colour = looks[strategy_of(compared, algorithm)].colour
        axes.plot(*_columns(points), color=colour, lw=0.5, alpha=0.55, zorder=1)
    drawn = set()
    for strategy, look in looks.items():
        bests = [(panel.place(contest), best_of(compared, contest, strategy)) for contest in panel.contests]
        points = [(place, time) for place, time in bests if time is not None]
        if points:
            drawn.add(strategy)
            axes.plot(*_columns(points), lw=1.3, zorder=2, color=look.colour, marker=look.mark, ms=3.2, mew=0)
    taken = [(panel.place(contest), contest.times[contest.chosen]) for contest in panel.contests]
    axes.plot(*_columns(taken), color="black", ls="", marker="o", ms=1.6, mew=0, zorder=4)
    _mark_crossovers(axes, compared)
    _set_axes(axes, compared.operation, panel)
    return drawn


def _columns(points: list[tuple[int, float]]) -> tuple[list[int], list[float]]:
    return [place for place, _ in points], [time / MS for _, time in points]


def _mark_crossovers(axes: Axes, compared: Compared) -> None:
    panel = panel_of(compared)
    for index, place in enumerate(crossovers(compared)):
        axes.axvline(place, color="black", lw=0.7, ls=(0, (1, 1.5)), zorder=0)
        box = {"facecolor": "white", "edgecolor": "none", "pad": 0.8}
        look = {"transform": axes.get_xaxis_transform(), "fontsize": 6.5, "ha": "center", "va": "top", "bbox": box}
        height = 0.97 if panel.over == "ranks" or index % 2 == 0 else 0.89  # sizes with units are longer than ranks
        axes.text(place, height, panel.shown(place), **look)


def _title(operation: str, panel: Panel) -> str:
    first = panel.contests[0]
    if panel.over == "bytes":
        return f"{operation}, {in_ranks(first.ranks)}"
    return f"{operation}, {in_bytes(first.bytes)}" if first.bytes else operation


def _set_axes(axes: Axes, operation: str, panel: Panel) -> None:
    axes.set_title(_title(operation, panel), loc="left", fontweight="bold")
    places = [panel.place(contest) for contest in panel.contests]
    powers = [place for place in places if place & (place - 1) == 0]
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.set_xlim(places[0] / 2**0.4, places[-1] * 2**0.4)
    shown = powers[::-2][::-1] if len(places) > FEW_PLACES or len(powers) > len(places) / 2 else places
    axes.xaxis.set_major_locator(FixedLocator(shown))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: panel.shown(round(value))))
    low, high = axes.get_ylim()
    axes.yaxis.set_major_locator(LogLocator(10, (1, 2, 5) if high < FLAT * low else (1,)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())
