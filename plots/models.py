"""Draws fitted models: times over lengths and over processors, and the aggregated metrics over processors; points are
simulated, curves are the model's."""

from collections.abc import Iterable
from dataclasses import dataclass

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter, NullLocator

from experiments.changes import Changes
from experiments.comparison import in_bytes
from experiments.fits.names import GIVES, Metric
from experiments.modelled import Modelled, ModelSet
from experiments.schema import Experiment
from experiments.units import factor
from plots.figure import DASHES, MM, saved_as_files

WIDTH_MM, ROW_MM, LEGEND_ROW_MM, TITLE_MM = 176, 56, 4, 4
LEGEND_COLUMNS = 6
MARKS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p")
COLOURS_OF_STYLE = 7  # its last one, yellow, is too pale for lines
MORE_COLOURS = ("#8c510a", "#7f7f7f", "#762a83")
SMOOTH = 60  # points of a model's curve
PLACES_MAX = 7  # numbers along an axis
METRICS: tuple[tuple[Metric, str, str], ...] = (
    ("aggregated specific performance", "KiB/s", "Ag. specific performance (KB/s)"),
    ("aggregated bandwidth", "MiB/s", "Ag. bandwidth (MB/s)"),
)


@dataclass(frozen=True)
class Look:
    colour: str
    dash: object
    mark: str


def draw_models(data: Experiment, models: ModelSet, changes: Changes) -> dict[str, bytes]:
    """The files of one set's figure, by what is put to its name."""
    files = saved_as_files(lambda: _figure(data, models))
    return files | {".caption.txt": _caption(data, models, changes).encode()}


def _caption(data: Experiment, models: ModelSet, changes: Changes) -> str:
    lines = [
        f"{data.title}, on {models.machine}. Points: simulated; of the aggregated metrics, by the line that is fitted "
        "over the lengths for each number of processors. Curves: the models.",
        *(f"{one.name}: t_s = {one.model.start_up.written()} us, t_b = {one.model.per_byte.written()} us/B."
          for one in models.modelled),
        f"After {data.source}.",
        f"Measured: {data.rule}.",
        *([f"Changed: {', '.join(changes.texts)}."] if changes.texts else []),
        *(f"No model: {failure}." for failure in models.failures),
    ]  # fmt: skip
    return "\n".join(lines) + "\n"


def _figure(data: Experiment, models: ModelSet) -> Figure:
    looks = _looks(models.modelled)
    over_ranks = [one for one in models.modelled if len(one.every.with_all) > 1]
    rows = 2 if over_ranks else 1
    legend_rows = -(-len(looks) // LEGEND_COLUMNS)
    height = rows * ROW_MM + legend_rows * LEGEND_ROW_MM + TITLE_MM
    figure = Figure(figsize=(WIDTH_MM * MM, height * MM), layout="constrained")
    figure.get_layout_engine().set(h_pad=0.03, w_pad=0.03, hspace=0.03, wspace=0.03)
    grid = figure.subplots(rows, 2 if over_ranks else 1, squeeze=False)
    _draw_over_bytes(grid[0, 0], data, models, looks)
    if over_ranks:
        _draw_over_ranks(grid[0, 1], data, over_ranks, looks)
        for axes, (metric, unit, label) in zip(grid[1], METRICS, strict=True):
            _draw_metric(axes, over_ranks, looks, (metric, unit, label))
    handles = [
        Line2D([], [], color=look.colour, ls=look.dash, marker=look.mark, mfc="white", label=name)
        for name, look in looks.items()
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=LEGEND_COLUMNS, handlelength=3)
    return figure


def _looks(modelled: Iterable[Modelled]) -> dict[str, Look]:
    colours = (*mpl.rcParams["axes.prop_cycle"].by_key()["color"][:COLOURS_OF_STYLE], *MORE_COLOURS)
    names = [one.name for one in modelled]
    return {
        name: Look(colours[i % len(colours)], DASHES[i % len(DASHES)], MARKS[i % len(MARKS)])
        for i, name in enumerate(names)
    }


def _nearest(wanted: float, there: Iterable[float]) -> float:
    return min(there, key=lambda value: (abs(value - wanted), value))


def _draw_over_bytes(axes: Axes, data: Experiment, models: ModelSet, looks: dict[str, Look]) -> None:
    common = [p for one in models.modelled for p in one.every.with_all if len(one.every.with_all) > 1]
    p = int(_nearest(data.models.shown_ranks, common or [2]))
    for one in models.modelled:
        of = p if p in one.every.with_all else int(_nearest(p, one.every.with_all))
        line = one.every.with_all[of]
        some = line.lengths > 0  # an axis of logarithms has no 0
        n = np.geomspace(line.lengths[some].min(), line.lengths.max(), SMOOTH)
        _draw(
            axes, looks[one.name], (line.lengths[some], line.times[some]), (n, one.model.time(n, np.full(SMOOTH, of)))
        )
    _title(axes, f"{models.machine}, p = {p}" + (", a message between 2" if _has_message(models) else ""))
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: in_bytes(round(value))))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.set_xlabel("Bytes")
    _set_times(axes)


def _has_message(models: ModelSet) -> bool:
    lone = [one for one in models.modelled if len(one.every.with_all) == 1]
    return 0 < len(lone) < len(models.modelled)


def _draw_over_ranks(axes: Axes, data: Experiment, modelled: list[Modelled], looks: dict[str, Look]) -> None:
    lengths = {float(n) for one in modelled for line in one.every.with_all.values() for n in line.lengths}
    n = _nearest(data.models.shown_bytes, lengths)
    for one in modelled:
        there = {p: line.times[line.lengths == n] for p, line in one.every.with_all.items()}
        there = {p: float(times[0]) for p, times in there.items() if len(times)}
        if there:
            p = _smooth_ranks(there)
            _draw(axes, looks[one.name], (list(there), list(there.values())), (p, one.model.time(n, p)))
    _title(axes, in_bytes(round(n)))
    _set_ranks(axes, modelled)
    _set_times(axes)


def _draw_metric(axes: Axes, modelled: list[Modelled], looks: dict[str, Look], shown: tuple[Metric, str, str]) -> None:
    metric, unit, label = shown
    in_unit = factor(GIVES[metric], unit)
    for one in modelled:
        ranks = [p for p, line in one.every.with_all.items() if _is_above_0(one, metric, p)]
        if not ranks:
            continue
        p = _smooth_ranks(ranks)
        points = (ranks, one.of_measured.values(metric, ranks) / in_unit)
        _draw(axes, looks[one.name], points, (p, one.metrics.values(metric, p) / in_unit))
    axes.set_ylabel(label)
    axes.set_yscale("log")
    _set_numbers(axes)
    _set_ranks(axes, modelled)


def _is_above_0(one: Modelled, metric: Metric, p: int) -> bool:
    """Whether the line at this number of processors has the metric at all."""
    of = one.every.start_ups() if "specific" in metric else one.every.per_byte()
    return bool(of[list(one.every.with_all).index(p)] > 0)


def _smooth_ranks(ranks: Iterable[float]) -> np.ndarray:
    every = list(ranks)
    return np.geomspace(min(every), max(every), SMOOTH) if len(every) > 1 else np.array(every, dtype=float)


def _draw(axes: Axes, look: Look, points: tuple, curve: tuple) -> None:
    axes.plot(*points, color=look.colour, ls="", marker=look.mark, mfc="white", ms=3.2, mew=0.8, zorder=3)
    x, y = map(np.asarray, curve)
    axes.plot(x[y > 0], y[y > 0], color=look.colour, ls=look.dash, lw=0.8, zorder=2)


def _title(axes: Axes, text: str) -> None:
    axes.set_title(text, loc="left", fontweight="bold")


def _set_times(axes: Axes) -> None:
    axes.set_yscale("log")
    axes.set_ylabel("Time (µs)")
    _set_numbers(axes)


def _set_numbers(axes: Axes) -> None:
    low, high = axes.get_ylim()
    axes.yaxis.set_major_locator(LogLocator(10, (1, 2, 5) if high < 100 * low else (1,)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.10g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def _set_ranks(axes: Axes, modelled: list[Modelled]) -> None:
    every = sorted({p for one in modelled for p in one.every.with_all})
    powers = [p for p in every if p & (p - 1) == 0]
    shown = every if len(every) <= PLACES_MAX else powers or every
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(FixedLocator(shown[:: -(-len(shown) // PLACES_MAX)]))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.set_xlabel("Processors")
