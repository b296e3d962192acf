"""Pictures of compared algorithms: that as many as there may be can be told apart, and what the rows of marks say."""

import pytest
from matplotlib import style

from experiments.comparison import Compared, Contest, Panel
from plots.comparison import BEST_ROW, CHOSEN_ROW, OFF_COLOUR, _draw_strip, _figure, _looks, _shaded
from plots.figure import STYLE

NAMES = tuple(f"algorithm_{i}" for i in range(14))


@pytest.fixture(autouse=True)
def drawn_in_our_style():
    with style.context(STYLE):
        yield


def contest(size, chosen, quickest):
    times = {name: 20.0 + i for i, name in enumerate(NAMES)} | {chosen: 12.0} | {quickest: 10.0}
    return Contest(8, size, times, chosen)


def compared():
    contests = (contest(8, NAMES[3], NAMES[3]), contest(64, NAMES[3], NAMES[5]), contest(512, NAMES[5], NAMES[5]))
    means = dict.fromkeys(NAMES, "other messages")
    return Compared("bcast", "ideal", NAMES, means, contests, (Panel("bytes", contests, 0.1),), (), 0.1, ())


def test_all_curves_look_different_even_without_colour():
    looks = _looks(compared()).values()
    assert len({look.mark for look in looks}) == len(NAMES)
    assert len({(look.colour, str(look.dash)) for look in looks}) == len(NAMES)
    assert len({look.colour for look in looks}) >= 11


def test_the_rows_of_marks_are_the_quickest_and_the_tables():
    from matplotlib.figure import Figure

    result = compared()
    looks = _looks(result)
    strip = Figure().add_subplot()
    strip.set_xscale("log", base=2)
    _draw_strip(strip, result.panels[0], looks)
    marks = {(line.get_xdata()[0], line.get_ydata()[0]): line.get_marker() for line in strip.lines}
    tables, quickest = (NAMES[3], NAMES[3], NAMES[5]), (NAMES[3], NAMES[5], NAMES[5])
    for size, chosen, best in zip((8, 64, 512), tables, quickest, strict=True):
        assert marks[size, CHOSEN_ROW] == looks[chosen].mark
        assert marks[size, BEST_ROW] == looks[best].mark


def test_only_where_the_table_is_off_there_is_a_shade():
    (span,) = _shaded(compared().panels[0])
    assert span == pytest.approx(((8 * 64) ** 0.5, (64 * 512) ** 0.5))
    assert OFF_COLOUR not in ("white", "#ffffff")


def test_every_algorithm_is_named_beside_the_panels():
    figure = _figure(compared())
    assert [text.get_text() for text in figure.legends[0].get_texts()] == list(NAMES)
    assert figure.axes[0].get_title(loc="left") == "bcast on ideal, 8 ranks"
