"""Several operations compared by what their algorithms are built on: who wins where, and that the picture says so."""

import json

import pytest
from matplotlib import style

from experiments.comparison import Compared, Contest, Panel
from experiments.strategies import (
    BROADCAST,
    MESSAGES,
    TREES,
    WHOLE_MACHINE,
    crossovers,
    in_words,
    strategies_csv,
    strategies_of,
    winners,
)
from plots.figure import STYLE
from plots.strategies import _figure, _looks

MEANS = {
    "ring": MESSAGES,
    "tree:radix=3": TREES,
    "tree_broadcast:radix=3": BROADCAST,
    "native": WHOLE_MACHINE,
}
RANKS = (2, 4, 8, 16)


@pytest.fixture(autouse=True)
def drawn_in_our_style():
    with style.context(STYLE):
        yield


def compared(ring=(1, 3, 9, 9), tree=(1, 2, 3, 4), broadcast=(5, 4, 3, 3), native=(1, 1, 1, 1)):
    times = zip(ring, tree, broadcast, native, strict=True)
    contests = tuple(
        Contest(ranks, 8, dict(zip(MEANS, map(float, at), strict=True)), "native")
        for ranks, at in zip(RANKS, times, strict=True)
    )
    panels = (Panel("ranks", contests, 0.1),)
    return Compared("allreduce", "ap1000", tuple(MEANS), MEANS, contests, panels, (), 0.1, ("here", "allreduce"))


def test_means_are_those_that_the_registry_tells(hindcast):
    algorithms = json.loads(hindcast("collectives", "--json").stdout)["algorithms"]
    means = {
        algorithm["choice"]: algorithm["means"] for algorithm in algorithms if algorithm["operation"] == "allreduce"
    }
    assert set(means.values()) == {BROADCAST, WHOLE_MACHINE, TREES, MESSAGES}
    assert (means["tree_broadcast:radix=3"], means["reduce_bcast"]) == (BROADCAST, TREES)


def test_means_of_a_library_have_a_look_of_their_own():
    other = compared()
    own = Compared(**{**vars(other), "sorts": {**MEANS, "ring": "the machine's ferry"}})
    assert strategies_of([own]) == [BROADCAST, WHOLE_MACHINE, "the machine's ferry", TREES]
    looks = _looks(strategies_of([own, other]))
    assert len({look.colour for look in looks.values()}) == len({look.mark for look in looks.values()}) == 5
    named = [text.get_text() for text in _figure([own]).legends[0].get_texts()]
    assert named == [BROADCAST, WHOLE_MACHINE, "the machine's ferry", TREES, "taken by the table"]


def test_what_serves_all_ranks_only_does_not_win_and_of_equals_nothing_changes():
    won = [winner.algorithm for winner in winners(compared())]
    assert won == ["ring", "tree:radix=3", "tree:radix=3", "tree_broadcast:radix=3"]
    assert crossovers(compared()) == [4, 16]
    assert crossovers(compared(tree=(1, 3, 9, 9), broadcast=(9, 9, 9, 9))) == []
    assert in_words(compared()) == (
        "allreduce of 8 B, quickest: ring from 2, tree:radix=3 from 4, tree_broadcast:radix=3 from 16"
    )


def test_the_panel_marks_the_crossovers_and_the_legend_names_the_strategies():
    figure = _figure([compared(), compared()])
    panels = [axes for axes in figure.axes if axes.lines]
    assert len(panels) == 2
    assert [text.get_text() for text in panels[0].texts] == ["4", "16"]
    named = [text.get_text() for text in figure.legends[0].get_texts()]
    assert named == [BROADCAST, WHOLE_MACHINE, TREES, MESSAGES, "taken by the table"]


def test_the_table_has_operation_and_strategy_and_only_the_common_head():
    other = compared()
    lines = strategies_csv([compared(), Compared(**{**vars(other), "operation": "scan", "head": ("here", "scan")})])
    first, names, *rows = lines.decode().splitlines()
    assert first == "# here"
    assert names == "operation,strategy,algorithm,bytes,ranks,time_us,is_best,is_chosen"
    assert rows[0] == "allreduce,other messages,ring,8,2,1.000000,true,false"
    assert len(rows) == 2 * len(MEANS) * len(RANKS)
