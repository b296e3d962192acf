"""Claims that are held to models fitted anew: the measures, and what a file may not say of them."""

import json

import numpy as np
import polars as pl
import pytest

from experiments.measures import NoValue
from experiments.results import Results
from experiments.schema import Check
from experiments.score import judge

LENGTHS = (0, 1024, 65536)


def steps(p):
    return float(np.ceil(np.log2(p)))


OPERATIONS = {
    "tree": (lambda p: 69 * steps(p), lambda p: 0.0162 * steps(p)),
    "one by one": (lambda p: 22 * p, lambda p: 0.0110 * p),
    "sum": (lambda p: 90 * steps(p) - 15, lambda p: 0.0222 * steps(p)),
    "no sum": (lambda p: 90 * steps(p) - 20, lambda p: 0.0171 * steps(p) + 0.0037),
}


@pytest.fixture(scope="module")
def results():
    """With a rank that is done before the others, and whose times therefore do not count."""
    rows = [
        {"curve": name, "processors": p, "bytes": n, "rank": rank, "time_us": (t_s(p) + t_b(p) * n) * (1 - rank / 10)}
        for name, (t_s, t_b) in OPERATIONS.items()
        for p in [*range(2, 13), 16, 32, 64]
        for n in LENGTHS
        for rank in (0, 1)
    ]
    return Results(pl.DataFrame(rows), "processors")


def taken(results, **measure):
    return Check.model_validate({"published": 1, "tolerance": 0.1, "measure": measure}).measure.take(results, {}, 0.0)


POWERS = {"at": [2, 4, 8]}


def test_a_coefficient_is_of_the_form_over_the_points_as_asked(results):
    tree = {"how": "fitted", "curve": "tree", "coefficient": "a"}
    assert taken(results, **tree, t_s="a log2 p", **POWERS) == pytest.approx(69)
    assert taken(results, **tree, t_b="a log2 p", **POWERS) == pytest.approx(0.0162)
    assert taken(results, **tree, t_s="a log2 p", at=[2, 3, 4]) > 70
    assert taken(results, **tree, t_s="a log2 p", over="min", **POWERS) == pytest.approx(0.9 * 69)


def test_the_value_of_a_form_is_for_any_number_of_processors(results):
    one_by_one = {"how": "fitted", "curve": "one by one", "t_s": "a p", **POWERS}
    assert taken(results, **one_by_one, p=100) == pytest.approx(2200)


def test_arithmetic_is_told_by_the_curve_without(results):
    summed = {"how": "fitted", "curve": "sum", "without": "no sum", "coefficient": "b", **POWERS}
    assert taken(results, **summed, t_s="a log2 p + b") == pytest.approx(-15)  # of the whole operation
    assert taken(results, **summed, t_b="a log2 p + b") == pytest.approx(0.0037)
    assert taken(results, **summed, t_c="a log2 p + b") == pytest.approx(-0.0037)


def test_lengths_outside_of_what_is_asked_do_not_count(results):
    fitted = {"how": "fitted", "curve": "tree", "t_s": "a log2 p", "coefficient": "a"}
    with pytest.raises(NoValue, match="tree, p = 2: a line needs two lengths or more, and all points have 0 bytes"):
        taken(results, **fitted, bytes_to=1000.0)
    assert taken(results, **fitted, bytes_from=1.0, **POWERS) == pytest.approx(69)


BOTH = {"t_s": "a log2 p", "t_b": "a log2 p", **POWERS}


def test_metrics_come_in_the_units_of_the_paper(results):
    def simulated(unit, **measure):
        check = {
            "published": 1.0,
            "unit": unit,
            "tolerance": 0.1,
            "measure": {"how": "metric", "curve": "tree"} | measure,
        }
        return judge(Check.model_validate(check), results, {}).simulated

    aggregated = {"metric": "aggregated specific performance", "up_to": 12} | BOTH
    assert simulated("KiB/s", **aggregated) == pytest.approx(43.43, rel=1e-3)
    assert simulated("MiB/s", **aggregated | {"metric": "aggregated bandwidth"}) == pytest.approx(180.63, rel=1e-3)
    assert simulated("B", **aggregated | {"metric": "half-peak length"}) == pytest.approx(4260, rel=1e-3)
    assert simulated("MiB/s", metric="bandwidth", p=8, **BOTH) == pytest.approx(58.87 / 3, rel=1e-3)


def test_without_forms_the_processors_themselves_count(results):
    tree = {"how": "metric", "curve": "tree", "metric": "half-peak length"}
    assert taken(results, **tree, p=3) == pytest.approx(4259.26)
    aggregated = {"how": "metric", "curve": "tree", "metric": "aggregated specific performance"}
    assert taken(results, **aggregated, up_to=12) == pytest.approx(11 / (69 * 4))  # 8 would give 7 / (69 * 3)
    with pytest.raises(NoValue, match="tree: nothing was measured at p = 13, but at 2, 3"):
        taken(results, **aggregated, up_to=13)


def test_r_cc_is_a_number(results):
    form = "a log2 p + b"
    measure = {"how": "metric", "metric": "r_cc", "curve": "sum", "without": "no sum", "p": 8, **POWERS}
    expected = (3 * 0.0171 + 0.0037) / (3 * 0.0051 - 0.0037)
    assert taken(results, **measure, t_s=form, t_b=form, t_c=form) == pytest.approx(expected)
    assert taken(results, **measure) == pytest.approx(expected)


def test_a_metric_may_hardly_change(results):
    flat = {"how": "metric-flat", "metric": "half-peak length", "p": [3, 5, 12]}
    spread = (345 / 4) / (165 / 2) - 1  # of 90 s - 15 by s, of which 0.0222 cancels out
    for curve, tolerance, holds in (("tree", 1e-9, True), ("sum", spread - 1e-6, False), ("sum", spread + 1e-6, True)):
        measure = {"published": "flat", "tolerance": tolerance, "measure": flat | {"curve": curve}}
        assert judge(Check.model_validate(measure), results, {}).holds == holds


def two(metric, forms=True, **keys):
    fitted = {"at": [2, 4, 8]} if forms else {}
    tree = {"curve": "tree"} | (BOTH if forms else {})
    other = {"curve": "one by one"} | ({"t_s": "a p", "t_b": "a p"} if forms else {}) | fitted
    return {"metric": metric, "models": [tree, other], **keys}


def test_one_model_overtakes_another(results):
    """69 log2 p is below 22 p from 10.7 on."""
    metric = "aggregated specific performance"
    assert taken(results, how="metric-overtakes", **two(metric, up_to=16)) == 11
    with pytest.raises(NoValue, match="'tree' is never below 'one by one'"):
        taken(results, how="metric-overtakes", **two("aggregated bandwidth", up_to=12))
    with pytest.raises(NoValue, match="'tree' is below at p = 8 'one by one'"):
        taken(results, how="metric-overtakes", **two(metric, up_to=8))


def test_one_model_gains_on_another(results):
    def holds(metric, p):
        measure = {"how": "metric-gains", **two(metric, forms=False, p=p)}
        check = {"published": "gains", "tolerance": 0.0, "measure": measure}
        return judge(Check.model_validate(check), results, {}).holds

    assert holds("aggregated bandwidth", [8, 16, 32, 64])
    assert not holds("aggregated bandwidth", [64, 32])
    assert not holds("half-peak length", [2, 4, 8, 9])


def test_messages_between_two_need_no_column_of_processors():
    results = Results(
        pl.DataFrame({"curve": ["a"] * 3, "bytes": LENGTHS, "time_us": [69 + 0.0162 * n for n in LENGTHS]}), "bytes"
    )
    metric = {"how": "metric", "curve": "a", "t_s": "a", "t_b": "a", "p": 2}
    assert taken(results, **metric, metric="half-peak length") == pytest.approx(4259.26)
    assert taken(results, **metric, metric="specific performance") == pytest.approx(1 / 69)


CLAIM = """
[[claim]]
id = "SMALL-02"
kind = "predicts"
states = "model"
source = "nowhere"
published = 1
tolerance = 0.1
measure = { %s }
"""


@pytest.mark.parametrize(
    ("measure", "said"),
    [
        ('how = "fitted", curve = "MPI", coefficient = "a"', "t_s: needs one of 't_s', 't_b', 't_c'"),
        ('how = "fitted", curve = "MPI", t_s = "a", t_b = "a", p = 2', "t_s: needs one of 't_s', 't_b', 't_c'"),
        ('how = "fitted", curve = "MPI", t_s = "a log p", p = 2', "t_s: 'a log p': not understood from 'log p' on"),
        ('how = "fitted", curve = "MPI", t_s = "a", coefficient = "b"', "coefficient: 'a' has no coefficient 'b'"),
        ('how = "fitted", curve = "MPI", t_s = "a"', "coefficient: needs either 'coefficient' or 'p'"),
        ('how = "fitted", curve = "MPI", t_c = "a", p = 2', "t_c: needs 'without', the curve without arithmetic"),
        ('how = "fitted", curve = "MPJ", t_s = "a", p = 2', "curve: no curve 'MPJ', did you mean 'MPI'?"),
        ('how = "fitted", curve = "MPI", t_s = "a", eror = 2', "eror: unknown key, did you mean 'errors'?"),
        ('how = "metric", curve = "MPI", metric = "speed", p = 2', "'speed' is not one of 'specific performance'"),
        ('how = "metric", curve = "MPI", metric = "bandwidth"', "p: needs either 'p' or 'up_to'"),
        ('how = "metric", curve = "MPI", metric = "bandwidth", p = 2, t_s = "a"', "t_b: missing: a metric needs both"),
        ('how = "metric", curve = "MPI", metric = "r_cc", p = 2', "without: missing: r_cc needs the curve without"),
        ('how = "metric", curve = "MPI", metric = "bandwidth", p = 2, carries = "q"', "carries: 'q' has a letter"),
        ('how = "metric-gains", metric = "bandwidth", p = [2, 4], models = [{ curve = "MPI" }, { curve = "MPJ" }]',
         "models: no curve 'MPJ', did you mean 'MPI'?"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_measure_is_named_with_its_place(small, in_folder, measure, said):
    small.path.write_text(small.path.read_text() + CLAIM % measure)
    done = in_folder("experiment", "run", "small.toml", "-n")
    assert done.returncode == 1
    assert done.stderr.startswith("hindcast: small.toml:")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_claims_of_an_experiment_are_scored_by_refitting(small, in_folder):
    small.change('unit = "MB/s"', 'unit = "B"')
    model = '{ how = "metric", curve = "MPI", metric = "half-peak length", p = 2, t_s = "a", t_b = "a" }'
    small.change('{ how = "rate", curve = "MPI" }', model)
    assert in_folder("experiment", "run", "small.toml").returncode == 0
    assert in_folder("score", "small.toml").returncode == 0
    claims = json.loads((small.folder / "out" / "scoreboard.json").read_text())["claims"]
    (scored,) = (claim for claim in claims if claim["id"] == "SMALL-01")
    table = pl.read_csv(small.folder / "out" / "small" / "small.csv", comment_prefix="#").filter(
        pl.col("curve") == "MPI"
    )
    slope, intercept = np.polyfit(table["bytes"], table["time_us"], 1)
    assert scored["simulated"] == pytest.approx(intercept / slope, rel=1e-5)
    assert scored["unit"] == "B"
    assert scored["holds"] is False  # 171.4 were MB/s
