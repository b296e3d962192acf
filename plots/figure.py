"""Draws the figure of an experiment: our curves, lines fitted to them, and the paper's numbers as open marks.

As PNG, PDF and SVG, with a caption as text. The same results give the same bytes.
"""

import io
import textwrap
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import matplotlib as mpl
import numpy as np
from matplotlib import style
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager
from matplotlib.text import Text
from matplotlib.ticker import FuncFormatter

from experiments.changes import Changes
from experiments.comparison import in_bytes
from experiments.load import LoadedExperiment
from experiments.measures import fit_line
from experiments.results import Results
from experiments.schema import SIZE_UNITS, Panel
from experiments.schema import Axis as AxisTable
from experiments.schema import Figure as FigureTable
from experiments.uncertainty.bands import Band, Place
from experiments.units import factor, quantity_of_unit
from plots.ticks import set_powers_of_two, write_out_few_decades

STYLE = Path(__file__).with_name("hindcast.mplstyle")
WIDTH_MM = {"column": 85, "page": 176}
MM = 1 / 25.4

# A curve keeps its colour, dash and mark in all panels; each alone tells curves apart.
DASHES = ("-", (0, (5, 1.5)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5)), (0, (3, 1, 1, 1, 1, 1)))
MARKS = ("o", "s", "^", "D", "v", "P")
FILLS = ("full", "left", "right", "bottom", "top")  # of a mark alone, which no dash tells from others
NO_METADATA = {
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    "svg": {"Date": None, "Creator": None},
}
MINUS = "\N{MINUS SIGN}"
MARKS_ALL_MAX = 20
FITTED_MAX = 2  # of more lines the caption alone says that they were fitted
LEGEND_ROW_MM = 3.6
HALF_A_DECADE = 10**0.5
MARKS_MAX = 60  # more points than that are drawn as a line alone
WRAPPED_SHARE = 0.94  # of the room for a label: some lines have wider letters than others
WRAPPED_AT_MOST = 3  # times: a label that has more lines moves the others
NO_BANDS: Mapping[Place, Band] = {}
IN_WORDS = {"max": "maximum", "mean": "mean", "min": "minimum"}


@dataclass(frozen=True)
class Look:
    """Which colour, dash and mark of those that there are."""

    colour: int
    dash: int
    mark: int

    def moved(self, by: int) -> "Look":
        return Look(self.colour + by, self.dash + by, self.mark + by)

    def of_points(self, count: int) -> dict:
        return self.of_line() | ({"fillstyle": FILLS[self.dash % len(FILLS)]} if count == 1 else {})

    def of_line(self) -> dict:
        return {"color": _colour(self.colour), "ls": DASHES[self.dash % len(DASHES)], "marker": self.marker()}

    def marker(self) -> str:
        return MARKS[self.mark % len(MARKS)]


@dataclass(frozen=True)
class Drawn:
    """A line of a panel."""

    label: str
    look: "Look"
    x: np.ndarray
    y: np.ndarray


def draw(
    experiment: LoadedExperiment, results: Results, changes: Changes, bands: Mapping[Place, Band] = NO_BANDS
) -> dict[str, bytes]:
    """The files of the figure, by what is put to the experiment's name."""
    files = saved_as_files(lambda: _figure(experiment, results, changes, bands))
    return files | {".caption.txt": caption(experiment, changes, bands).encode()}


def lines_of(experiment: LoadedExperiment, results: Results) -> dict[Place, tuple[np.ndarray, np.ndarray]]:
    """What the figure shows of the experiment as its file has it."""
    panels = experiment.data.figure.panel if experiment.data.figure else []
    return {
        (index, line.label): (line.x, line.y)
        for index, panel in enumerate(panels)
        for line in _lines(experiment, results, Changes(), panel)
    }


def saved_as_files(make_figure: Callable[[], Figure]) -> dict[str, bytes]:
    """A figure in all formats, by what is put to its name."""
    with style.context(STYLE, after_reset=True):  # whatever the user has in a matplotlibrc
        _use_matplotlibs_own_fonts()
        figure = make_figure()
        take_texts_as_written(figure)
        _settle_layout(figure)
        return {f".{kind}": _saved(figure, kind) for kind in NO_METADATA}


def _use_matplotlibs_own_fonts() -> None:
    """Those of the system differ from one to the next."""
    fontManager.ttflist = [font for font in fontManager.ttflist if font.fname.startswith(mpl.get_data_path())]
    if not fontManager.ttflist:  # what matplotlib remembers of them was written where they had just been removed
        for file in sorted(Path(mpl.get_data_path(), "fonts", "ttf").glob("*.ttf")):
            fontManager.addfont(file)


def take_texts_as_written(figure: Figure) -> None:
    """A dollar sign in a name is no TeX. Numbers at the ticks of a logarithmic axis are."""
    every_axis = [axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)]
    ticks = [tick for axis in every_axis for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks())]
    numbers = {text for tick in ticks for text in tick.findobj(Text)}
    for text in figure.findobj(Text):
        if text not in numbers:
            text.set_parse_math(False)


def wrap_labels(figure: Figure) -> bool:
    """Those of axes that are longer than there is room for. Whether there are any."""
    labels = [(axes.xaxis.label, "intervalx", figure.bbox.width) for axes in figure.axes]
    labels += [(axes.yaxis.label, "intervaly", figure.bbox.height) for axes in figure.axes]
    wrapped = [_wrap(label, getattr(label.get_window_extent(), along), room) for label, along, room in labels]
    return any(wrapped)


def _wrap(label: Text, extent: Sequence[float], room: float) -> bool:
    low, high = extent
    if low >= 0 and high <= room:
        return False
    middle = (low + high) / 2
    share = WRAPPED_SHARE * 2 * min(middle, room - middle) / (high - low)
    longest = max(map(len, label.get_text().splitlines()))
    label.set_text(textwrap.fill(label.get_text(), max(1, int(share * longest))))
    return True


def _settle_layout(figure: Figure) -> None:
    """The layout's solver leaves the last bits of a place to chance, and names in a picture are made from them."""
    figure.draw_without_rendering()
    for _ in range(WRAPPED_AT_MOST):
        if not wrap_labels(figure):
            break
        figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        axes.set_position([round(part, 9) for part in axes.get_position(original=True).bounds])


def _saved(figure: Figure, kind: str) -> bytes:
    file = io.BytesIO()
    figure.savefig(file, format=kind, metadata=NO_METADATA[kind])
    return file.getvalue()


def caption(experiment: LoadedExperiment, changes: Changes, bands: Mapping[Place, Band] = NO_BANDS) -> str:
    data = experiment.data
    lines = [f"{data.title}. {data.figure.caption}", f"After {data.source}.", f"Measured: {data.rule}."]
    if changes.texts:
        lines.append(f"Changed: {', '.join(changes.texts)}.")
    for panel in data.figure.panel:
        for published in panel.published:
            of = f" of {published.curve}" if published.curve else ""
            lines.append(f"Open marks ({published.label}){of}: {published.source}.")
    if any(panel.fits for panel in data.figure.panel):
        lines.append("Lines through points are fitted by least squares.")
    if bands:
        draws = next(iter(bands.values())).draws
        lines.append(f"Shaded: where nine of ten of {draws} draws of the machine's uncertain parameters lie.")
        most = max(band.open_edges() for (panel, _), band in bands.items() if panel == 0)
        lines.append(f"So few leave the edges open by {most:.0%} at most, with 95 % confidence.")
    return "\n".join(lines) + "\n"


def _figure(
    experiment: LoadedExperiment, results: Results, changes: Changes, bands: Mapping[Place, Band] = NO_BANDS
) -> Figure:
    data = experiment.data.figure
    panels = data.panel
    figure = Figure(figsize=(WIDTH_MM[data.width] * MM, data.height_mm * MM), layout="constrained")
    figure.get_layout_engine().set(h_pad=0.02, w_pad=0.02, hspace=0.03)
    heights = [1.0] + [0.55] * (len(panels) - 1)
    grid = figure.subplots(len(panels), sharex=True, squeeze=False, height_ratios=heights)
    drawn = list(zip(grid[:, 0], panels, strict=True))
    for index, (axes, panel) in enumerate(drawn):
        lines = list(_lines(experiment, results, changes, panel))
        _draw_bands(axes, [(line, bands[index, line.label]) for line in lines if (index, line.label) in bands])
        _draw_panel(axes, panel, lines, _styles(experiment, changes), data.x)
        _set_axis(axes.yaxis, panel.y)
    _set_axis(grid[-1, 0].xaxis, data.x)
    for axis, wanted in ((grid[-1, 0].xaxis, data.x), *((axes.yaxis, panel.y) for axes, panel in drawn)):
        is_of_bytes = wanted is data.x and experiment.data.sizes.name == "bytes" and not wanted.unit
        _set_logarithmic_ticks(axis, wanted, _in_whole_bytes if is_of_bytes else "{:g}".format)
    _centre_what_is_alone(data, grid[:, 0])
    figure.align_ylabels()
    if changes.varied:
        _add_legend_above(figure, grid[0, 0], changes)
    else:
        _add_legends_inside(grid[:, 0])
    return figure


def _set_logarithmic_ticks(axis, wanted: AxisTable, written: Callable[[float], str]) -> None:
    if wanted.scale == "log2" or (wanted.is_logarithmic and wanted.unit in SIZE_UNITS):
        set_powers_of_two(axis, written)
    elif wanted.is_logarithmic:
        write_out_few_decades(axis)


def _in_whole_bytes(value: float) -> str:
    return in_bytes(round(value))


def _centre_what_is_alone(data: FigureTable, every_axes: Sequence[Axes]) -> None:
    """Of one size or value matplotlib shows the decade that it is in, at whose end it may be."""
    if data.x.is_logarithmic and not data.x.range:
        _centre(every_axes[-1].set_xlim, [axes.dataLim.intervalx for axes in every_axes])
    for axes, panel in zip(every_axes, data.panel, strict=True):
        if panel.y.is_logarithmic and not panel.y.range:
            _centre(axes.set_ylim, [axes.dataLim.intervaly])


def _centre(set_limits: Callable[[float, float], object], intervals: list[np.ndarray]) -> None:
    low, high = np.min(intervals), np.max(intervals)
    if 0 < low == high < np.inf:
        set_limits(low / HALF_A_DECADE, high * HALF_A_DECADE)


def _add_legends_inside(every_axes: Iterable[Axes]) -> None:
    for axes in every_axes:
        if len(axes.get_legend_handles_labels()[0]) > 1:
            axes.legend(loc="best")


def _add_legend_above(figure: Figure, axes: Axes, changes: Changes) -> None:
    """One for all panels: several values make more lines than there is room for inside."""
    handles, labels = axes.get_legend_handles_labels()
    rows = (len(handles) + 1) // 2
    figure.set_figheight(figure.get_figheight() + (rows + 1) * LEGEND_ROW_MM * MM)
    figure.legend(
        handles, labels, loc="outside upper center", ncols=2, title=", ".join(changes.varied), title_fontsize=6.5
    )


Styles = dict[tuple[tuple[str, ...], str], Look]


def _styles(experiment: LoadedExperiment, changes: Changes) -> Styles:
    """By the values of what is varied, and curve. Of several machines each has a colour and a mark, and what differs
    besides has a dash; else each curve has all three for itself."""
    pairs = [(values, curve.name) for values in changes.combinations for curve in experiment.data.curve]
    if "machine" not in changes.varied:
        return {pair: Look(index, index, index) for index, pair in enumerate(pairs)}
    place = changes.varied.index("machine")
    machines = list(dict.fromkeys(values[place] for values, _ in pairs))
    others = list(dict.fromkeys(_besides(place, pair) for pair in pairs))
    looks = {}
    for pair in pairs:
        machine = machines.index(pair[0][place])
        looks[pair] = Look(machine, others.index(_besides(place, pair)), machine)
    return looks


def _besides(place: int, pair: tuple[tuple[str, ...], str]) -> tuple[str, ...]:
    values, curve = pair
    return (*values[:place], *values[place + 1 :], curve)


def _lines(experiment: LoadedExperiment, results: Results, changes: Changes, panel: Panel) -> Iterator[Drawn]:
    """What a panel shows: each curve for each combination of the values of changed parameters."""
    unit = factor(quantity_of_unit(panel.y.unit), panel.y.unit)
    styles = _styles(experiment, changes)
    x_unit = experiment.data.figure.x.unit
    of_x = factor("size", x_unit) if x_unit in SIZE_UNITS else 1
    for values in changes.combinations:
        part = results.only(dict(zip(changes.varied, values, strict=True)))
        for over_index, over in enumerate(panel.over):
            over_word = IN_WORDS[over] if len(panel.over) > 1 else ""
            if panel.difference:
                (x, first), (_, second) = (part.points(curve, panel.quantity, over) for curve in panel.difference)
                label = _joined(f" {MINUS} ".join(panel.difference), *values, over_word)
                yield Drawn(label, styles[values, panel.difference[0]], x / of_x, (first - second) / unit)
                continue
            for curve in panel.curves or [curve.name for curve in experiment.data.curve]:
                x, y = part.points(curve, panel.quantity, over)
                label = _joined(curve, *values, over_word)
                yield Drawn(label, styles[values, curve].moved(over_index * len(styles)), x / of_x, y / unit)


def _joined(*words: str) -> str:
    return ", ".join(filter(None, words))


def _draw_bands(axes: Axes, bands: Iterable[tuple[Drawn, Band]]) -> None:
    for line, band in bands:
        axes.fill_between(band.x, band.low, band.high, color=_colour(line.look.colour), alpha=0.2, lw=0, zorder=1)


def _draw_panel(axes: Axes, panel: Panel, lines: list[Drawn], styles: Styles, x: AxisTable) -> None:
    fitted = "" if len(lines) > FITTED_MAX else ", simulated and fitted"
    for index, line in enumerate(lines):
        look, clip = line.look.of_points(len(line.x)), not _is_inside(line.x, line.y, x, panel.y)
        turns = len(lines) if len(line.x) > MARKS_ALL_MAX else 1  # curves that lie on one another take turns with marks
        if panel.fits and len(line.x) > 1:
            y = fit_line(line.x, line.y).at(line.x)
            points = slice(index % turns, None, turns)
            axes.plot(line.x[points], line.y[points], **(look | {"ls": ""}), zorder=3, clip_on=clip)
            axes.plot(line.x, y, **(look | {"marker": ""}), zorder=2)
            axes.plot([], [], **look, label=line.label + fitted)
        else:
            look["marker"] = look["marker"] if len(line.x) <= MARKS_MAX else ""
            axes.plot(line.x, line.y, **look, clip_on=clip, markevery=(index % turns, turns), label=line.label)
    _draw_published(axes, panel, styles, x)
    if panel.difference:
        axes.axhline(0, color="black", lw=0.6)


def _is_inside(x: Sequence[float], y: Sequence[float], x_axis: AxisTable, y_axis: AxisTable) -> bool:
    """Of the axes' ranges: marks on the frame are drawn whole, and what lies beyond it not at all."""

    def within(values: Sequence[float], wanted: list[float] | None) -> bool:
        return wanted is None or all(wanted[0] <= value <= wanted[1] for value in values)

    return within(x, x_axis.range) and within(y, y_axis.range)


def _draw_published(axes: Axes, panel: Panel, styles: Styles, x_axis: AxisTable) -> None:
    of_curve = {curve: look for (_, curve), look in reversed(styles.items())}
    of_x = factor("size", x_axis.unit) if x_axis.unit in SIZE_UNITS else 1
    for published in panel.published:
        known = of_curve.get(published.curve)
        x, y, errors = zip(*((*point, np.nan)[:3] for point in published.points), strict=True)
        x = [value / of_x for value in x]
        label = f"{published.curve}, {published.label}" if published.curve else published.label
        colour = _colour(known.colour) if known else "black"
        mark = known.marker() if known else "D"
        look = {"marker": mark, "ms": 5.5, "mfc": "none", "color": colour, "label": label}
        look |= {"ls": "", "lw": 0.7, "capsize": 2, "zorder": 4, "clip_on": not _is_inside(x, y, x_axis, panel.y)}
        axes.errorbar(x, y, errors if np.isfinite(errors).any() else None, **look)


def _colour(style: int) -> str:
    colours = mpl.rcParams["axes.prop_cycle"].by_key()["color"]
    return colours[style % len(colours)]


def _set_axis(axis, wanted: AxisTable) -> None:
    axis.set_label_text(f"{wanted.label} ({_written(wanted.unit)})" if wanted.unit else wanted.label)
    axes, name = axis.axes, axis.axis_name
    getattr(axes, f"set_{name}scale")("log" if wanted.is_logarithmic else "linear")
    if wanted.range:
        getattr(axes, f"set_{name}lim")(*wanted.range)
    if wanted.scale == "linear":
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}".replace("-", MINUS)))


def _written(unit: str) -> str:
    return "µs" if unit == "us" else unit
