"""Draws a comparison of algorithms: a curve for each over sizes and over ranks, and below each panel two rows of marks,
the quickest algorithm at each place and the one that the machine's table takes."""

from dataclasses import dataclass

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.gridspec import GridSpecFromSubplotSpec, SubplotSpec
from matplotlib.lines import Line2D
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullFormatter, NullLocator

from experiments.changes import Changes
from experiments.comparison import Compared, Panel, in_bytes, in_percent
from experiments.schema import Comparison
from plots.figure import DASHES, MM, saved_as_files

WIDTH_MM, HEIGHT_MM, LEGEND_ROW_MM = 176, 92, 3.4
LEGEND_COLUMNS = 4
STRIP = 0.095  # height of the rows of marks, of a column's
MARKS = ("o", "s", "^", "D", "v", "P", "X", "<", ">", "p", "*", "h", "d", "8")
COLOURS_OF_STYLE = 7  # its last one, yellow, is too pale for lines
MORE_COLOURS = ("#8c510a", "#7f7f7f", "#762a83", "#808000")  # so that the eighth curve is told from the first
OFF_COLOUR = "#f6c9bd"
BEST_ROW, CHOSEN_ROW = 1, 0
PLACES_MAX = 8  # numbers along an axis
MS_FROM = 200  # us; shorter times than that are given in us
SHORT_AXIS = 30  # longest to shortest time; up to that there are numbers within a decade too


@dataclass(frozen=True)
class Look:
    colour: str
    dash: object
    mark: str


def draw_comparison(data: Comparison, compared: Compared, changes: Changes) -> dict[str, bytes]:
    """The files of the figure, by what is put to the experiment's name."""
    files = saved_as_files(lambda: _figure(compared))
    return files | {".caption.txt": _caption(data, compared, changes).encode()}


def _caption(data: Comparison, compared: Compared, changes: Changes) -> str:
    lines = [
        f"{data.title}: {compared.operation} on {compared.machine}.",
        "Curves: each algorithm with its parameters. Filled marks: the quickest at its place. Below each panel, above: "
        "the quickest algorithm; below: the one that the machine's table takes; shaded where it is more than "
        f"{in_percent(compared.slack)} slower.",
        f"Measured: {data.rule}.",
    ]
    others = changes.without("operation").without("machine")
    if others.texts:
        lines.append(f"Changed: {', '.join(others.texts)}.")
    return "\n".join([*lines, *compared.verdict()]) + "\n"


def _figure(compared: Compared) -> Figure:
    looks = _looks(compared)
    rows = -(-len(looks) // LEGEND_COLUMNS)
    height = HEIGHT_MM + rows * LEGEND_ROW_MM
    figure = Figure(figsize=(WIDTH_MM * MM, height * MM), layout="constrained")
    figure.get_layout_engine().set(h_pad=0.02, w_pad=0.03, hspace=0.02, wspace=0.03)
    name = f"{compared.operation} on {compared.machine}"
    for panel, place in zip(compared.panels, _places(figure, compared.panels), strict=True):
        title = ", ".join(filter(None, (name, panel.title())))
        _draw_panel(figure, place, title, panel, looks)
        name = compared.operation
    handles = [
        Line2D([], [], color=look.colour, ls=look.dash, marker=look.mark, mfc="white", label=name)
        for name, look in looks.items()
    ]
    figure.legend(handles=handles, loc="outside lower center", ncols=LEGEND_COLUMNS, handlelength=3.2)
    return figure


def _looks(compared: Compared) -> dict[str, Look]:
    colours = (*mpl.rcParams["axes.prop_cycle"].by_key()["color"][:COLOURS_OF_STYLE], *MORE_COLOURS)
    drawn = {name for contest in compared.contests for name in contest.times}
    names = [name for name in compared.algorithms if name in drawn]
    return {
        name: Look(colours[i % len(colours)], DASHES[i % len(DASHES)], MARKS[i % len(MARKS)])
        for i, name in enumerate(names)
    }


def _places(figure: Figure, panels: tuple[Panel, ...]) -> list[SubplotSpec]:
    """Panels over sizes to the left, those over ranks to the right, one above the other."""
    sides = [[panel for panel in panels if panel.over == over] for over in ("bytes", "ranks")]
    sides = [side for side in sides if side]
    widths = [1.3, 1] if len(sides) == 2 else [1]
    grid = figure.add_gridspec(1, len(sides), width_ratios=widths)
    return [
        place
        for side, column in zip(sides, grid, strict=True)
        for place in GridSpecFromSubplotSpec(len(side), 1, subplot_spec=column)
    ]


def _draw_panel(figure: Figure, place: SubplotSpec, title: str, panel: Panel, looks: dict[str, Look]) -> None:
    strip_share = STRIP * place.get_gridspec().nrows
    inner = GridSpecFromSubplotSpec(2, 1, subplot_spec=place, height_ratios=[1, strip_share], hspace=0.02)
    axes = figure.add_subplot(inner[0])
    strip = figure.add_subplot(inner[1], sharex=axes)
    for name, look in looks.items():
        _draw_curve(axes, panel, name, look)
    _draw_strip(strip, panel, looks)
    axes.set_title(title, loc="left", fontweight="bold")
    axes.set_yscale("log")
    _set_times(axes, panel)
    _set_places(axes, strip, panel)


def _draw_curve(axes: Axes, panel: Panel, name: str, look: Look) -> None:
    took_part = [contest for contest in panel.contests if name in contest.times]
    if not took_part:
        return
    x = [panel.place(contest) for contest in took_part]
    y = [contest.times[name] for contest in took_part]
    axes.plot(x, y, color=look.colour, ls=look.dash, lw=0.8, marker=look.mark, mfc="white", ms=2.6, mew=0.6, zorder=2)
    won = [i for i, contest in enumerate(took_part) if contest.best == name]
    marks = {"color": look.colour, "ls": "", "marker": look.mark, "ms": 3.6, "zorder": 3}
    axes.plot([x[i] for i in won], [y[i] for i in won], **marks)


def _draw_strip(strip: Axes, panel: Panel, looks: dict[str, Look]) -> None:
    for left, right in _shaded(panel):
        strip.axvspan(left, right, color=OFF_COLOUR, lw=0)
    for contest in panel.contests:
        for row, name in ((BEST_ROW, contest.best), (CHOSEN_ROW, contest.chosen)):
            look = looks[name]
            strip.plot(panel.place(contest), row, color=look.colour, ls="", marker=look.mark, ms=3.4)
    strip.set_ylim(CHOSEN_ROW - 0.6, BEST_ROW + 0.6)
    strip.set_yticks([CHOSEN_ROW, BEST_ROW], ["table", "quickest"])
    strip.tick_params(axis="y", length=0)
    strip.grid(visible=False)


def _shaded(panel: Panel) -> list[tuple[float, float]]:
    """From half way to the place before to half way to the place behind, as a logarithmic axis has it."""
    places = [panel.place(contest) for contest in panel.contests]
    before = [places[0] ** 2 / places[1], *places[:-1]]
    behind = [*places[1:], places[-1] ** 2 / places[-2]]
    return [
        ((low * here) ** 0.5, (here * high) ** 0.5)
        for low, here, high, contest in zip(before, places, behind, panel.contests, strict=True)
        if panel.is_off(contest)
    ]


def _set_times(axes: Axes, panel: Panel) -> None:
    times = [time for contest in panel.contests for time in contest.times.values()]
    unit, factor = ("ms", 1000) if min(times) >= MS_FROM else ("µs", 1)
    is_short = max(times) < SHORT_AXIS * min(times)
    axes.set_ylabel(f"Time ({unit})")
    axes.yaxis.set_major_locator(LogLocator(10, (1, 2, 5) if is_short else (1,)))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value / factor:,.10g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def _set_places(axes: Axes, strip: Axes, panel: Panel) -> None:
    places = [panel.place(contest) for contest in panel.contests]
    powers = [place for place in places if place & (place - 1) == 0]
    step = -(-len(powers) // PLACES_MAX)
    axes.set_xscale("log", base=2)
    axes.set_xlim(places[0] / 2**0.5, places[-1] * 2**0.5)
    axes.xaxis.set_major_locator(FixedLocator(powers[::step]))
    axes.xaxis.set_minor_locator(NullLocator())
    shown = in_bytes if panel.over == "bytes" else str
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: shown(round(value))))
    axes.tick_params(axis="x", labelbottom=False)
    strip.set_xlabel("Bytes of a block" if panel.over == "bytes" else "Ranks")
