"""Models of messages and collectives out of made-up points, and the metrics that they give: those of a published table
come out of points that lie on its formulas."""

import numpy as np
import polars as pl
import pytest

from experiments.fits.collective import FittedCollective, Forms, fit_collective, fit_lines
from experiments.fits.expressions import parse
from experiments.fits.forms import form_of
from experiments.fits.hockney import fit_hockney
from experiments.fits.metrics import Metrics
from experiments.fits.problems import NoFit
from experiments.fits.rows import points_of

LENGTHS = np.array([0.0, 1024, 4096, 16384, 65536])
K1, K2 = 1e6 / 2**10, 1e6 / 2**20  # KB/s and MB/s of a byte a us
EVERY = range(2, 13)


def points(t_s, t_b, ranks=EVERY):
    """Without errors, as functions of p say."""
    return {p: (LENGTHS, t_s(p) + t_b(p) * LENGTHS) for p in ranks}


def model_of(t_s, t_b, forms, at=(), **options):
    lines = fit_lines(points(t_s, t_b), "it", at=at, **options)
    return fit_collective(lines, Forms(*map(form_of, forms)), "it")


def test_a_message_takes_its_start_up_and_its_bytes():
    fitted = fit_hockney(LENGTHS, 69 + 0.0162 * LENGTHS, "a message")
    assert (fitted.model.start_up, fitted.model.per_byte) == pytest.approx((69, 0.0162))
    assert fitted.model.at(1000) == pytest.approx(85.2)
    assert fitted.squares.half_widths == pytest.approx([0, 0], abs=1e-9)


@pytest.mark.parametrize(
    ("lengths", "times", "said"),
    [
        ([], [], "a message: there are no points"),
        ([8], [1], "a message: a line needs two lengths or more, and all points have 8 bytes"),
        ([8, 8, 8], [1, 2, 3], "a message: a line needs two lengths or more, and all points have 8 bytes"),
        ([0, 8], [1, 0], "a message: a time has to be above 0, and at 8 bytes it is 0 us"),
        ([0, 8], [-1, 2], "a message: a time has to be above 0, and at 0 bytes it is -1 us"),
    ],
)
def test_messages_that_make_no_line_are_refused(lengths, times, said):
    with pytest.raises(NoFit) as problem:
        fit_hockney(lengths, times, "a message")
    assert str(problem.value) == said


# Of the three libraries of a published table: t_s(p), t_b(p), their forms, and the three metrics over p up to 12.
TABLE = [
    (lambda p: 69 * np.log2(p), lambda p: 0.0162 * np.log2(p), ("a log2 p", "a log2 p"), (43.43, 180.63, 4260)),
    (lambda p: 22 * p, lambda p: 0.0110 * p, ("a p", "a p"), (40.69, 79.47, 2000)),
    (
        lambda p: 46 + 25 * (p - 2),
        lambda p: 0.0162 + 0.0110 * (p - 2),
        ("a + b (p - 2)", "a + b (p - 2)"),
        (36.29, 83.13, 2346),
    ),
]


@pytest.mark.parametrize(("t_s", "t_b", "forms", "published"), TABLE)
@pytest.mark.parametrize("at", [(), (2, 4, 8)])
def test_the_metrics_of_a_published_table_come_out(t_s, t_b, forms, published, at):
    metrics = Metrics(model_of(t_s, t_b, forms, at), parse("p - 1"), "it")
    found = (
        K1 * metrics.extreme("aggregated specific performance", EVERY).value,
        K2 * metrics.extreme("aggregated bandwidth", EVERY).value,
        metrics.extreme("half-peak length", EVERY).value,
    )
    # The table's digits were found before t_s and t_b were rounded for it.
    assert found == pytest.approx(published, rel=3e-3)


def test_peaks_are_at_the_right_number_of_processors():
    t_s, t_b, forms, _ = TABLE[2]
    metrics = Metrics(model_of(t_s, t_b, forms), parse("p - 1"), "it")
    assert metrics.extreme("aggregated specific performance", EVERY).ranks == 12
    assert metrics.extreme("specific performance", EVERY).ranks == 2
    assert metrics.extreme("half-peak length", EVERY).ranks == 12
    assert metrics.value("half-peak length", 2) == pytest.approx(46 / 0.0162)


def test_points_that_are_left_out_do_not_count():
    """Steps between the powers of two, as a tree makes them."""

    def t_s(p):
        return 69 * np.ceil(np.log2(p))

    form = ("a log2 p", "a log2 p")
    assert model_of(t_s, t_s, form, at=(2, 4, 8)).start_up.coefficient("a") == pytest.approx(69)
    assert model_of(t_s, t_s, form).start_up.coefficient("a") > 1.05 * 69


def test_arithmetic_is_what_a_run_without_it_lacks():
    lacking = points(lambda p: 90 * np.log2(p) - 15, lambda p: 0.0171 * np.log2(p) + 0.0037)
    whole = {p: (n, t + (0.0051 * np.log2(p) - 0.0037) * n) for p, (n, t) in lacking.items()}
    lines = fit_lines(whole, "a reduction", lacking)
    form = form_of("a log2 p + b")
    model = fit_collective(lines, Forms(form, form, form), "a reduction")
    assert list(model.computing.coefficients.values()) == pytest.approx([0.0051, -0.0037])
    assert list(model.per_byte.coefficients.values()) == pytest.approx([0.0171, 0.0037])
    assert model.time(65536, [8]) == pytest.approx(whole[8][1][-1:])
    metrics = Metrics(model, parse("p - 1"), "a reduction")
    assert metrics.value("r_cc", 2) == pytest.approx(14.86, rel=1e-3)
    assert metrics.value("r_cc", 12) == pytest.approx(4.46, rel=1e-3)
    assert K1 * metrics.extreme("aggregated specific performance", EVERY).value == pytest.approx(34.92, rel=1e-3)
    assert K2 * metrics.extreme("aggregated bandwidth", EVERY).value == pytest.approx(161.38, rel=1e-3)


def test_without_forms_the_lines_themselves_count():
    t_s, t_b, _, _ = TABLE[1]
    metrics = Metrics(FittedCollective.of_lines(fit_lines(points(t_s, t_b), "it")), parse("p (p - 1)"), "it")
    assert metrics.value("aggregated bandwidth", 5) == pytest.approx(20 / 0.055)
    with pytest.raises(NoFit, match="nothing was measured at p = 16, and there is no form to say it by"):
        metrics.value("bandwidth", 16)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"at": (2, 3, 16)}, "it: nothing was measured at p = 16, but at 2, 3, 4"),
        ({"points": {}}, "it: there are no points"),
        ({"points": {4: (LENGTHS[:1], LENGTHS[:1] + 1)}}, "it, p = 4: a line needs two lengths or more"),
        ({"without": {2: (LENGTHS, LENGTHS + 1)}, "at": (2, 3)}, "it: nothing was measured at p = 3, but at 2"),
    ],
)
def test_points_that_make_no_lines_are_refused(change, said):
    given = {"points": points(lambda p: p, lambda p: p, (2, 3, 4)), "what": "it"} | change
    with pytest.raises(NoFit) as problem:
        fit_lines(**given)
    assert str(problem.value).startswith(said)


@pytest.mark.parametrize(
    ("t_s", "t_b", "metric", "p", "said"),
    [
        (lambda p: p, lambda p: 0.0, "bandwidth", 3, "it: the fitted t_b is 0 us at p = 3, not above 0"),
        (lambda p: 10 - 2 * p, lambda p: p, "half-peak length", 6, "it: the fitted t_s is -2 us at p = 6, not above 0"),
        (lambda p: p, lambda p: p, "r_cc", 3, "it: r_cc needs t_c, and arithmetic was not told from carrying"),
        (lambda p: p, lambda p: p, "bandwidth", 0, "it: the fitted t_b is 0 us at p = 0, not above 0"),
    ],
)  # fmt: skip
def test_metrics_of_models_that_have_none_are_refused(t_s, t_b, metric, p, said):
    lines = fit_lines(points(t_s, t_b, (2, 3, 4)), "it")
    model = fit_collective(lines, Forms(form_of("a + b p"), form_of("a p")), "it")
    model.per_byte.squares.coefficients[abs(model.per_byte.squares.coefficients) < 1e-9] = 0
    with pytest.raises(NoFit) as problem:
        Metrics(model, parse("p - 1"), "it").value(metric, p)
    assert str(problem.value) == said


def test_rows_of_a_table_become_points():
    table = pl.DataFrame(
        {"curve": ["a"] * 5 + ["b"], "ranks": [4, 2, 2, 2, 2, 2], "bytes": ["0", "8", "0", "0", "8", "0"],
         "rank": [0, 0, 0, 1, 1, 0], "time_ms": ["9", "3", "1", "2", "4", "7"]}
    )  # fmt: skip
    found = points_of(table, "a", quantity="time_ms")
    assert list(found) == [2, 4]
    assert [part.tolist() for part in found[2]] == [[0, 8], [2000, 4000]]
    assert points_of(table, "a", quantity="time_ms", over="min")[2][1].tolist() == [1000, 3000]
    with pytest.raises(NoFit, match="the results have no column 'time_us', but curve, ranks"):
        points_of(table, "a")
