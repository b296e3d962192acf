"""The books: which claims predict, how far each is from failing, and which must hold."""

import json
import re
import tomllib

import pytest

from experiments.load import load, names
from experiments.machines import machine_paths
from experiments.schema import Check
from experiments.score import Score, closest, margin_of, missing, score_experiment
from experiments.uncertainty.followers import origin_of
from experiments.uncertainty.parameters import entries_of
from tests.experiments.test_scores import line, made_up

CLAIM = re.compile(r"[A-Z][A-Z0-9]*-\d\d\b")


def cited_in(table):
    """Claims that the sources of a machine's parameters name, and those that some were fitted to."""
    found = set()
    for inner in table.values():
        for one in inner if isinstance(inner, list) else [inner]:
            if isinstance(one, dict) and "value" in one and "kind" in one:
                found |= set(CLAIM.findall(one.get("source", "") + " " + one.get("fits", "")))
            elif isinstance(one, dict):
                found |= cited_in(one)
    return found


def kinds():
    return {claim.id: claim.kind for path in names().values() for claim in load(path).data.claim}


@pytest.mark.parametrize("machine", sorted(machine_paths()))
def test_a_claim_that_a_parameter_cites_predicts_nothing(machine):
    known = kinds()
    cited = cited_in(tomllib.loads(machine_paths()[machine].read_text())) & known.keys()
    assert {claim for claim in cited if known[claim] == "predicts"} == set()


@pytest.mark.parametrize("machine", sorted(machine_paths()))
def test_what_follows_a_guess_is_tied_to_it_and_not_derived(machine):
    entries = entries_of(machine)
    guesses = {key for key, entry in entries.items() if entry["kind"] in ("fitted", "assumed")}
    following = {key for key in entries if origin_of(key, entries) in guesses - {key}}
    assert {key for key in following if entries[key]["kind"] == "derived"} == set()
    tied = {key for key, entry in entries.items() if entry["kind"] == "tied"}
    of_another_machine = {key for key in tied if "the T3E's" in entries[key]["source"]}
    assert tied - of_another_machine == following


def test_arithmetic_on_claims_that_calibrate_predicts_nothing():
    known = kinds()
    claims = [claim for path in names().values() for claim in load(path).data.claim if claim.arithmetic_on]
    assert {claim.id for claim in claims} >= {"AP1000-08", "T3E-03"}
    assert {other for claim in claims for other in claim.arithmetic_on} <= known.keys()
    wrong = [c.id for c in claims if c.kind == "predicts" and "calibrates" in {known[o] for o in c.arithmetic_on}]
    assert wrong == []


def test_what_is_arithmetic_by_its_source_says_on_which_claims():
    claims = [claim for path in names().values() for claim in load(path).data.claim if "arithmetic on" in claim.source]
    assert len(claims) > 20
    assert [claim.id for claim in claims if not claim.arithmetic_on] == []


def test_required_claims_exist_and_each_is_named_once(root):
    lines = (root / "experiments" / "required.txt").read_text().splitlines()
    required = [line.partition("#")[0].strip() for line in lines if line.partition("#")[0].strip()]
    assert len(required) > 50
    assert len(set(required)) == len(required)
    assert set(required) <= kinds().keys()


def checked(**bounds):
    measure = {"how": "value", "curve": "a", "at": 1}
    return Check.model_validate({"published": 10.0, "unit": "us", "measure": measure, **bounds})


@pytest.mark.parametrize(
    "bounds, simulated, margin",
    [
        ({"tolerance": 0.1}, 10, 1),
        ({"tolerance": 0.1}, 10.5, 0.5),
        ({"tolerance": 0.1}, 12, -1),
        ({"factor": 2.0}, 20, 0),
        ({"factor": 2.0}, 5, 0),
        ({"between": [9, 11]}, 10, 1),
        ({"between": [9, 11]}, 11, 0),
        ({"between": [9, 11]}, 12, -1),
        ({"between": [9.99, 100]}, 10, 1),
        ({"between": [9.99, 110]}, 60, 0.5),
        ({"between": [0, 10.001]}, 5, 0.5),
        ({"between": [10, 100]}, 10, 0),
        ({"between": [10, 100]}, 20, 0.5),
        ({"between": [0, 10]}, 7.5, 0.25),
        ({"between": [0, 10]}, 20, -0.5),
    ],
)
def test_a_margin_is_the_share_of_what_is_allowed_that_is_left(bounds, simulated, margin):
    assert margin_of(checked(**bounds), simulated) == pytest.approx(margin)


def test_of_what_has_to_be_exact_all_is_left_or_nothing():
    assert margin_of(checked(exact=True), 10) == 1
    assert margin_of(checked(exact=True), 12) == pytest.approx(-0.2)
    assert margin_of(checked(tolerance=0), 10) == 1


def test_every_claim_that_has_a_value_says_how_far_it_is_from_failing(small, in_folder, tmp_path):
    shape = 'published = "flat"\ntolerance = 0.5\nmeasure = { how = "flat", curves = ["MPI"] }\n'
    head = '\n[[claim]]\nid = "SMALL-02"\nkind = "predicts"\nstates = "flat"\nsource = "nowhere"\n'
    small.path.write_text(small.path.read_text() + head + shape)
    assert in_folder("experiment", "run", "small.toml").returncode == 0
    done = in_folder("score", "small.toml")
    claims = {claim["id"]: claim for claim in json.loads((tmp_path / "out" / "scoreboard.json").read_text())["claims"]}
    assert claims["SMALL-02"]["holds"] is False and claims["SMALL-02"]["margin"] < 0
    (row,) = [line for line in done.stdout.splitlines() if line.split()[:1] == ["SMALL-02"]]
    assert f"{claims['SMALL-02']['margin']:.0%}" in row


def test_an_experiment_that_claims_nothing_is_told_to(small, in_folder):
    small.path.write_text(small.path.read_text().partition("[[claim]]")[0])
    done = in_folder("score", "small.toml")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("small: no claims\nWhat was fitted, and what follows")


def test_a_claim_that_fails_as_one_of_its_checks_has_no_value_has_no_margin(small):
    never = '{ published = 5, tolerance = 0.1, measure = { how = "overtakes", curves = ["MPI", "slow MPI"] } }'
    small.path.write_text(small.path.read_text() + f"also = [{never}]\n")
    (score,) = score_experiment(
        load(small.path), made_up({"MPI": line(50, 1 / 171.4), "slow MPI": line(40, 1 / 171.4)})
    )
    assert (score.holds, score.margin) == (False, None)


def test_nothing_is_so_many_times_off_a_number_above_0():
    assert margin_of(checked(factor=2.0), 0) is None


def scored(claim, holds, margin):
    return Score(claim, "x", "predicts", 1.0, 2.0, "us", 0.0, 0.1, holds, "", margin=margin)


def test_the_closest_are_those_that_hold_with_the_least_left():
    scores = [scored("a", True, 0.5), scored("b", True, 0.1), scored("c", False, -0.2), scored("d", True, None)]
    assert [score.id for score in closest(scores, 5)] == ["b", "a"]
    assert [score.id for score in closest(scores, 1)] == ["b"]


def test_required_claims_that_fail_are_told_with_what_they_came_to():
    scores = [scored("a", True, 0.5), scored("b", False, -1.0), scored("c", None, None)]
    assert missing(scores, ["a"]) == []
    assert missing(scores, ["a", "b", "c", "d"]) == [
        "b: does not hold: 2.0 us",
        "c: not run yet",
        "d: there is no such claim",
    ]


def test_score_fails_if_what_is_required_does_not_hold(small, in_folder, tmp_path):
    assert in_folder("experiment", "run", "small.toml").returncode == 0
    (tmp_path / "must.txt").write_text("# all of it\nSMALL-01 # a rate\n")
    assert in_folder("score", "small.toml", "--require", "must.txt").returncode == 0
    small.change("published = 171.4", "published = 151.4")
    done = in_folder("score", "small.toml", "--require", "must.txt")
    assert done.returncode == 1
    assert "must.txt: SMALL-01: does not hold: 171.4" in done.stderr
    done = in_folder("score", "small.toml", "--require", "nothing.txt")
    assert done.returncode == 1
    assert "nothing.txt: No such file or directory" in done.stderr
