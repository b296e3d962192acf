"""Figures: what is drawn of results, and that all of it can be told apart without colour."""

from dataclasses import replace

import matplotlib.font_manager as fonts
import polars as pl
import pytest
from matplotlib import style

from experiments.changes import Changes, parse_changes
from experiments.load import LoadedExperiment
from experiments.results import Results
from experiments.schema import Experiment
from plots.figure import (
    STYLE,
    _figure,
    _settle_layout,
    _use_matplotlibs_own_fonts,
    caption,
    draw,
    take_texts_as_written,
    wrap_labels,
)

EXPERIMENT = {
    "name": "made-up",
    "title": "Groups",
    "source": "nowhere",
    "rule": "by hand",
    "machine": {"name": "ideal", "ranks": 8},
    "sizes": {"name": "members", "label": "members", "values": [2, 4, 8]},
    "curve": [{"name": "barrier", "program": "b.c"}, {"name": "tree", "program": "t.c"}],
}


def experiment_with(**figure):
    data = EXPERIMENT | {"figure": {"caption": "Words.", "x": {"label": "Members", "scale": "log"}} | figure}
    return LoadedExperiment(None, Experiment.model_validate(data))


def results_with(values=("",), varied=""):
    rows = [
        {
            "curve": curve,
            **({varied: value} if varied else {}),
            "members": size,
            "rank": rank,
            "time_us": 10.0 * size + rank,
        }
        for value in values
        for curve in ("barrier", "tree")
        for size in (2, 4, 8)
        for rank in range(3)
    ]
    return Results(pl.DataFrame(rows), "members")


def looks(axes):
    """Of the lines that curves are drawn with: dash and mark."""
    handles, _ = axes.get_legend_handles_labels()
    return [(str(handle.get_linestyle()), handle.get_marker()) for handle in handles if hasattr(handle, "get_marker")]


def test_maximum_mean_and_minimum_over_ranks_are_curves_of_their_own():
    panel = {"y": {"label": "Time", "unit": "ms", "scale": "log"}, "over": ["max", "mean", "min"], "curves": ["tree"]}
    figure = _figure(experiment_with(panel=[panel]), results_with(), Changes())
    (axes,) = figure.axes
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    handles, labels = axes.get_legend_handles_labels()
    assert labels == ["tree, maximum", "tree, mean", "tree, minimum"]
    assert [list(handle.get_ydata()) for handle in handles] == [
        pytest.approx([(10 * size + rank) / 1000 for size in (2, 4, 8)]) for rank in (2, 1, 0)
    ]
    assert len(set(looks(axes))) == 3


def test_several_values_are_told_apart_without_colour():
    changes = parse_changes(["network=wormhole,fluid"])
    panels = [
        {"y": {"label": "Time", "unit": "us"}},
        {"y": {"label": "More", "unit": "us"}, "difference": ["tree", "barrier"]},
    ]
    figure = _figure(experiment_with(panel=panels), results_with(dict(changes.grid)["network"], "network"), changes)
    above, below = figure.axes
    _, labels = above.get_legend_handles_labels()
    assert labels == ["barrier, wormhole", "tree, wormhole", "barrier, fluid", "tree, fluid"]
    assert len(set(looks(above))) == 4
    assert len(set(looks(below))) == 2
    assert [text.get_text() for text in figure.legends[0].get_texts()] == labels


MACHINES_AND_NETWORKS = parse_changes(["machine=ideal,t3d", "network=wormhole,fluid"])


def figure_of_machines_and_networks(sizes=(2, 4, 8)):
    rows = [results_with(("a",), "x").table.drop("x").with_columns(machine=pl.lit(m), network=pl.lit(n))
            for m, n in MACHINES_AND_NETWORKS.combinations]  # fmt: skip
    results = Results(pl.concat(rows).filter(pl.col("members").is_in(sizes)), "members")
    panel = {"y": {"label": "Time", "unit": "us"}, "curves": ["tree"]}
    return _figure(experiment_with(panel=[panel]), results, MACHINES_AND_NETWORKS)


def test_machines_have_colours_and_what_differs_besides_has_dashes():
    (axes,) = figure_of_machines_and_networks().axes
    handles, labels = axes.get_legend_handles_labels()
    assert labels == ["tree, ideal, wormhole", "tree, ideal, fluid", "tree, t3d, wormhole", "tree, t3d, fluid"]
    colours = [handle.get_color() for handle in handles]
    dashes = [handle._unscaled_dash_pattern for handle in handles]
    marks = [mark for _, mark in looks(axes)]
    assert colours[0] == colours[1] != colours[2] == colours[3]
    assert dashes[0] == dashes[2] != dashes[1] == dashes[3]
    assert marks[0] == marks[1] != marks[2] == marks[3]
    assert all(handle.get_fillstyle() == "full" for handle in handles)


def test_marks_that_are_alone_are_told_apart_by_what_is_filled_of_them():
    (axes,) = figure_of_machines_and_networks(sizes=[4]).axes
    handles, _ = axes.get_legend_handles_labels()
    fills = [handle.get_fillstyle() for handle in handles]
    assert fills[0] == fills[2] != fills[1] == fills[3]


def test_nothing_is_drawn_beyond_the_axes():
    x = {"label": "Members", "range": [2, 4]}
    (axes,) = _figure(
        experiment_with(x=x, panel=[{"y": {"label": "Time", "unit": "us"}}]), results_with(), Changes()
    ).axes
    assert all(line.get_clip_on() for line in axes.lines)
    x = {"label": "Members", "range": [2, 8]}
    (axes,) = _figure(
        experiment_with(x=x, panel=[{"y": {"label": "Time", "unit": "us"}}]), results_with(), Changes()
    ).axes
    assert not any(line.get_clip_on() for line in axes.lines)


def test_sizes_are_shown_in_the_axis_unit():
    experiment = experiment_with(x={"label": "Block", "unit": "KiB", "scale": "log"}, panel=[{"y": {"label": "Time"}}])
    (axes,) = _figure(experiment, results_with(), Changes()).axes
    assert list(axes.lines[0].get_xdata()) == [2 / 1024, 4 / 1024, 8 / 1024]
    assert axes.get_xlabel() == "Block (KiB)"
    assert axes.xaxis.get_major_formatter()(0.5) == "0.5"


def tick_texts(axis):
    """Of the ticks that are within the axis."""
    low, high = axis.get_view_interval()
    return [axis.get_major_formatter()(place) for place in axis.get_major_locator()() if low <= place <= high]


def test_powers_of_two_are_written_out():
    experiment = experiment_with(x={"label": "Members", "scale": "log2"}, panel=[{"y": {"label": "Time"}}])
    (axes,) = _figure(experiment, results_with(), Changes()).axes
    assert tick_texts(axes.xaxis) == ["2", "4", "8"]


def test_bytes_at_powers_of_two_have_units():
    experiment = experiment_with(x={"label": "Bytes", "scale": "log2"}, panel=[{"y": {"label": "Time"}}])
    sizes = experiment.data.sizes.model_copy(update={"name": "bytes"})
    experiment = replace(experiment, data=experiment.data.model_copy(update={"sizes": sizes}))
    table = results_with().table.with_columns((pl.col("members") * 256).alias("bytes")).drop("members")
    (axes,) = _figure(experiment, Results(table, "bytes"), Changes()).axes
    assert tick_texts(axes.xaxis) == ["512 B", "1 KiB", "2 KiB"]


def test_numbers_of_few_decades_are_written_out():
    (axes,) = _figure(experiment_with(panel=[{"y": {"label": "Time"}}]), results_with(), Changes()).axes
    assert tick_texts(axes.xaxis) == ["2", "5"]
    assert not any(axes.xaxis.get_minor_formatter()(place) for place in (3, 4, 6))


def test_published_points_are_drawn_where_the_paper_has_them_and_named_in_the_caption():
    published = {"curve": "tree", "label": "published", "points": [[2, 0.5], [8, 0.7, 0.1]], "source": "its Table 9"}
    experiment = experiment_with(panel=[{"y": {"label": "Time", "unit": "ms"}, "published": [published], "fits": True}])
    (axes,) = _figure(experiment, results_with(), Changes()).axes
    (container,) = axes.containers
    assert list(container[0].get_xdata()) == [2, 8]
    assert list(container[0].get_ydata()) == [0.5, 0.7]
    assert container[0].get_markerfacecolor() == "none"
    text = caption(experiment, Changes())
    assert "Open marks (published) of tree: its Table 9." in text
    assert "fitted by least squares" in text


def test_fonts_are_found_though_matplotlib_remembers_none_of_its_own(monkeypatch):
    monkeypatch.setattr(fonts.fontManager, "ttflist", [])
    _use_matplotlibs_own_fonts()
    assert {"DejaVu Sans", "DejaVu Serif"} <= {font.name for font in fonts.fontManager.ttflist}


def with_names(experiment, *names):
    curves = [curve.model_copy(update={"name": name}) for curve, name in zip(experiment.data.curve, names, strict=True)]
    return replace(experiment, data=experiment.data.model_copy(update={"curve": curves}))


def test_texts_are_drawn_as_they_are_written():
    """A dollar sign begins no formula; numbers of a logarithmic axis are still powers of ten."""
    names = {"barrier": "5 $ and $", "tree": r"MPI $\alpha_{$"}
    y = {"label": "Time $t_", "unit": "us", "scale": "log"}
    experiment = with_names(experiment_with(panel=[{"y": y}]), *names.values())
    results = results_with()
    results = Results(results.table.with_columns(pl.col("curve").replace(names)), results.size)
    assert draw(experiment, results, Changes())[".svg"]
    figure = _figure(experiment, results, Changes())
    take_texts_as_written(figure)
    (axes,) = figure.axes
    assert [text.get_parse_math() for text in (*axes.get_legend().get_texts(), axes.yaxis.label)] == [False] * 3
    assert all(label.get_parse_math() for label in axes.get_yticklabels())


def test_a_size_that_is_alone_is_in_the_middle():
    panel = {"y": {"label": "Time", "unit": "us", "scale": "log"}, "curves": ["tree"]}
    results = results_with()
    alone = Results(results.table.filter(pl.col("members") == 8), results.size)
    (axes,) = _figure(experiment_with(panel=[panel]), alone, Changes()).axes
    (place,) = axes.transAxes.inverted().transform(axes.transData.transform(axes.lines[0].get_xydata()))
    assert list(place) == pytest.approx([0.5, 0.5])


def test_a_label_that_is_too_long_is_wrapped():
    label = " ".join(["Members of a group that all take part in it"] * 4)
    panel = {"y": {"label": f"{label}, upright"}}
    with style.context(STYLE, after_reset=True):
        figure = _figure(experiment_with(x={"label": label}, panel=[panel]), results_with(), Changes())
        _settle_layout(figure)
    (axes,) = figure.axes
    assert not wrap_labels(figure)
    assert axes.get_xlabel().replace("\n", " ") == label
    assert axes.get_xlabel().count("\n") == 3
