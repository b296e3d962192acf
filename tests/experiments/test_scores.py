"""Scores: the arithmetic of measures on made-up results, verdicts, and the scoreboard."""

import json

import polars as pl
import pytest

from experiments.load import load
from experiments.measures import NoValue, Shape
from experiments.results import Results
from experiments.schema import Check
from experiments.score import Score, is_near, judge, score_experiment


def made_up(curves, quantity="time_us"):
    """Results with these curves: {name: {size: [value of rank 0, of rank 1, ...]}}."""
    rows = [
        {"curve": name, "n": size, "rank": rank, quantity: value}
        for name, points in curves.items()
        for size, values in points.items()
        for rank, value in enumerate(values)
    ]
    return Results(pl.DataFrame(rows), "n")


def line(intercept, slope, sizes=range(0, 1001, 100)):
    return {size: [intercept + slope * size] for size in sizes}


def check(measure, published=1, **bounds):
    return Check.model_validate({"published": published, "measure": measure, **(bounds or {"tolerance": 0.05})})


def take(measure, results, tolerance=0.0, claims=None):
    return check(measure).measure.take(results, claims or {}, tolerance)


def test_intercept_and_rate_are_those_of_the_fitted_line():
    results = made_up({"a": line(492.0, 8 / 2.76)})
    assert take({"how": "intercept", "curve": "a", "times": 0.5}, results) == pytest.approx(246)
    assert take({"how": "rate", "curve": "a", "bytes": 8.0}, results) == pytest.approx(2.76)


def test_the_line_is_the_one_of_least_squares():
    results = made_up({"a": {0: [0.0], 1: [0.0], 2: [3.0]}})  # by hand: y = -0.5 + 1.5 n
    assert take({"how": "intercept", "curve": "a"}, results) == pytest.approx(-0.5)
    assert take({"how": "rate", "curve": "a"}, results) == pytest.approx(1 / 1.5)


def test_a_value_is_of_one_size_and_of_the_ranks_as_asked():
    results = made_up({"a": {1: [2.0, 4.0, 9.0], 2: [7.0]}}, quantity="time_ms")
    for over, value in (("max", 9000), ("mean", 5000), ("min", 2000)):
        measure = {"how": "value", "curve": "a", "at": 1, "over": over, "quantity": "time_ms"}
        assert take(measure, results) == pytest.approx(value)  # in us
    with pytest.raises(NoValue, match="not measured at 3"):
        take({"how": "value", "curve": "a", "at": 3, "quantity": "time_ms"}, results)


def test_a_ratio_is_of_earlier_claims():
    measure = {"how": "ratio", "of": ["X-2", "X-1"]}
    assert take(measure, made_up({}), claims={"X-1": 246.0, "X-2": 318.0}) == pytest.approx(1.2927, rel=1e-4)
    with pytest.raises(NoValue, match="X-1 has no value"):
        take(measure, made_up({}), claims={"X-2": 318.0})


def test_a_crossing_is_where_the_lines_meet_and_only_the_right_way_round():
    results = made_up({"a": line(10, 1), "b": line(4, 1.5)})
    assert take({"how": "crossing", "curves": ["a", "b"]}, results) == pytest.approx(12)
    with pytest.raises(NoValue, match="no such crossing"):
        take({"how": "crossing", "curves": ["b", "a"]}, results)


def test_shapes_hold_within_their_tolerance():
    bent = line(10, 1) | {1000: [1111.0]}
    results = made_up({"line": line(10, 1), "bent": bent, "level": {1: [100.0], 2: [101.5]}, "less": line(9.8, 0.98)})

    def holds(measure, tolerance):
        found = take(measure, results, tolerance)
        assert isinstance(found, Shape)
        return found.holds

    assert holds({"how": "straight", "curves": ["line"]}, 0.0001)
    assert not holds({"how": "straight", "curves": ["line", "bent"]}, 0.05)
    assert holds({"how": "flat", "curves": ["level"]}, 0.02)
    assert not holds({"how": "flat", "curves": ["level"]}, 0.01)
    assert holds({"how": "no-gain", "curves": ["less", "line"]}, 0.03)
    assert not holds({"how": "no-gain", "curves": ["less", "line"]}, 0.01)
    assert holds({"how": "no-gain", "curves": ["line", "less"]}, 0.0)


def test_the_largest_value_is_that_of_any_size_and_curve():
    results = made_up({"a": {1: [0, 0], 2: [0, 0]}, "b": {1: [0, 3], 2: [0, 0]}}, quantity="wrong")
    assert take({"how": "largest", "curves": ["a"], "quantity": "wrong"}, results) == 0
    assert take({"how": "largest", "curves": ["a", "b"], "quantity": "wrong"}, results) == 3


@pytest.mark.parametrize(
    ("bounds", "inside", "outside"),
    [
        ({"tolerance": 0.05}, [95.0, 105.0], [94.9, 105.1]),
        ({"factor": 2.0}, [50.0, 200.0], [49.9, 200.1]),
        ({"between": [99.0, 103.0]}, [99.1, 102.9], [99.0, 103.0]),
        ({"exact": True}, [100.0], [100.001, 99.999]),
    ],
)
def test_a_number_holds_only_as_near_as_its_claim_asks(bounds, inside, outside):
    claim = check({"how": "rate", "curve": "a"}, published=100, **bounds)
    assert all(is_near(claim, value) for value in inside)
    assert not any(is_near(claim, value) for value in outside)


def test_a_wrong_result_makes_the_claim_fail_with_its_error():
    claim = check({"how": "intercept", "curve": "a"}, published=0.2, unit="ms", tolerance=0.05)
    right, wrong = (judge(claim, made_up({"a": line(value, 1)}), {}) for value in (201, 220))
    assert (right.holds, right.simulated, right.error) == (True, pytest.approx(0.201), pytest.approx(0.005))
    assert (wrong.holds, wrong.simulated, wrong.error) == (False, pytest.approx(0.22), pytest.approx(0.1))


def test_a_claim_holds_only_if_its_further_checks_do(small):
    small.change(
        'measure = { how = "rate", curve = "MPI" }',
        'measure = { how = "rate", curve = "MPI" }\n'
        'also = [{ published = 50, unit = "us", tolerance = 0.1, measure = { how = "intercept", curve = "MPI" } }]',
    )
    experiment = load(small.path)
    for intercept, holds in ((50, True), (60, False)):
        results = made_up({"MPI": line(intercept, 1 / 171.4)})
        (score,) = score_experiment(experiment, Results(results.table, "n"))
        assert (score.simulated, score.holds) == (pytest.approx(171.4), holds)
        assert f"{'' if holds else 'fails: '}{intercept} us against 50" in score.note


def test_results_that_have_no_such_value_fail_the_claim(small):
    (score,) = score_experiment(load(small.path), made_up({"MPI": line(5, 0)}))
    assert (score.simulated, score.error, score.holds) == (None, None, False)
    assert score.note == "curve 'MPI' does not rise"


def scoreboard(folder):
    return json.loads((folder / "out" / "scoreboard.json").read_text())["claims"]


def test_the_scoreboard_has_every_claim_run_or_not(small, in_folder):
    done = in_folder("score", "small.toml")
    assert done.returncode == 0, done.stderr
    claims = scoreboard(small.folder)
    keys = [
        "id",
        "experiment",
        "kind",
        "published",
        "simulated",
        "unit",
        "error",
        "tolerance",
        "holds",
        "note",
        "share",
        "share_within",
        "margin",
        "checks",
    ]
    assert all(list(claim) == keys for claim in claims)
    by_id = {claim["id"]: claim for claim in claims}
    assert len(by_id) == len(claims)
    assert {f"AP1000-{n:02}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 40, 42, 43, 44)} <= set(by_id)
    assert (by_id["SMALL-01"]["simulated"], by_id["SMALL-01"]["holds"]) == (None, None)

    assert in_folder("experiment", "run", "small.toml").returncode == 0
    assert in_folder("score", "small.toml").returncode == 0
    by_id = {claim["id"]: claim for claim in scoreboard(small.folder)}
    score = by_id["SMALL-01"]
    assert score["holds"] is True
    assert score["error"] == pytest.approx(score["simulated"] / 171.4 - 1, abs=1e-5)
    assert by_id["AP1000-01"]["holds"] is None


def test_scores_are_of_the_unchanged_experiment(small, in_folder):
    assert in_folder("experiment", "run", "small.toml", "--set", "network.link_bandwidth=1 MB/s").returncode == 0
    assert in_folder("score", "small.toml").returncode == 0
    (score,) = (claim for claim in scoreboard(small.folder) if claim["id"] == "SMALL-01")
    assert score["holds"] is None


def test_results_that_are_no_text_are_named(small, in_folder):
    path = small.folder / "out" / "small" / "small.csv"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"\xff\xfe")
    done = in_folder("score", "small.toml")
    said = "hindcast: out/small/small.csv: not a table of results: not UTF-8: invalid start byte\n"
    assert (done.returncode, done.stderr) == (1, said)


def test_a_list_of_required_claims_that_is_no_text_is_named(small, in_folder):
    (small.folder / "required.txt").write_bytes(b"\xff\xfe")
    done = in_folder("score", "small.toml", "--require", "required.txt")
    assert (done.returncode, done.stderr) == (1, "hindcast: required.txt: not UTF-8: invalid start byte\n")


def test_score_run_runs_first_and_counts_what_was_fitted(small, in_folder):
    done = in_folder("score", "--run", "small.toml")
    assert done.returncode == 0, done.stderr
    (score,) = (claim for claim in scoreboard(small.folder) if claim["id"] == "SMALL-01")
    assert score["holds"] is True
    counted = [line.split() for line in done.stdout.splitlines() if line.split()[:1] == ["ideal"]]
    assert counted == [["ideal", "17", "0", "1:", "1", "hold", "0", "0"]]  # all numbers of a machine that nobody built


def test_fitted_parameters_are_counted_by_entries(tmp_path):
    from experiments.machines import fitted_parameters

    machine = tmp_path / "m.toml"
    machine.write_text(
        "[machine]\nname = 'm'\n[a]\n"
        "one = { value = 1, kind = 'fitted', fits = 'X-1', source = 's' }\n"
        "table = { value = [1, 2, 3], kind = 'fitted', fits = 'X-2', source = 's' }\n"
        "guessed = { value = 1, kind = 'assumed', source = 's' }\n"
        "harmless = { value = 1, kind = 'assumed', range = [0, 2], source = 's' }\n"
        "choice = { value = 'x', kind = 'assumed', one_of = ['x', 'y'], source = 's' }\n"
        "stated = { value = 1, kind = 'stated', source = 's' }\n"
        "invented = { value = 1, kind = 'invented' }\n"
        "taste = { value = 'x', kind = 'invented', one_of = ['x', 'y'] }\n"
    )
    assert fitted_parameters(str(machine)) == 1 + 3 + 1 + 1


def test_steps_are_counted_at_a_size_on_a_rank_or_all():
    steps = pl.DataFrame(
        [
            {
                "curve": curve,
                "n": size,
                "name": name,
                "parameter": "p",
                "rank": rank,
                "count": count,
                "amount": 8 * count,
            }
            for curve, size, name, rank, count in [
                ("a", 8, "copies", 0, 4),
                ("a", 8, "copies", 1, 6),
                ("a", 8, "waits", 0, 100),
                ("a", 16, "copies", 0, 1000),
                ("b", 8, "copies", 0, 10000),
            ]
        ]
    )
    results = Results(pl.DataFrame({"curve": ["a"], "n": [8]}), "n", steps=steps)
    measure = {"how": "steps", "curve": "a", "step": "copies", "at": 8}
    assert take(measure, results) == 10
    assert take(measure | {"rank": 0, "per": "waits"}, results) == pytest.approx(0.04)
    assert take(measure | {"per": "waits"}, results) == pytest.approx(0.1)
    with pytest.raises(NoValue, match="no step 'swaps' was taken"):
        take(measure | {"per": "swaps"}, results)
    assert take(measure | {"step": "swaps"}, results) == 0
    assert take(measure | {"count": "amount"}, results) == 80
    assert take(measure | {"count": "amount", "per": "waits"}, results) == pytest.approx(0.8)
    assert take(measure | {"curve": "b", "less": "a"}, results) == 10000 - 10
    with pytest.raises(NoValue, match="no steps recorded"):
        take(measure | {"at": 9}, results)
    with pytest.raises(NoValue, match="run it again"):
        take(measure, made_up({"a": line(1, 1)}))


@pytest.mark.parametrize("width", [80, 150])
def test_the_table_of_claims_fits_where_it_is_shown(width, monkeypatch, capsys):
    from rich.console import Console

    from experiments import tables

    score = Score(
        "AP1000-01", "ap1000-fig03", "calibrates", 2.76, 2.7579, "MB/s", -0.0001, 0.05, True, "a note of mine"
    )
    monkeypatch.setattr(tables, "console", lambda: Console(width=width))
    tables.print_claims([score])
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= width
    for part in ("AP1000-01", "calibrates", "2.76 MB/s", "2.7579 MB/s", "-0.01%", "5%", "yes", "a note of mine"):
        assert part in shown
