"""hindcast uncertainty: which values are drawn, what is counted, and that what was interrupted goes on."""

import base64
import csv
import json
import math
import re
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from experiments.serving.simulator import simulator_file
from experiments.uncertainty.bands import bands
from experiments.uncertainty.design import make_design
from experiments.uncertainty.effects import total_effects
from experiments.uncertainty.followers import Follower, followers_of
from experiments.uncertainty.parameters import Parameter, uncertain_parameters
from experiments.uncertainty.quantiles import quantile_errors
from experiments.uncertainty.samples import Draw
from experiments.uncertainty.shares import wilson
from tests.experiments.uncertain import write_machine

FEW = ("--samples", "8")


def rows_of(path):
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    return list(csv.DictReader(lines))


@pytest.fixture
def studied(small, in_folder, tmp_path, root):
    """studied(*words): the small experiment, on a machine of which two numbers could be otherwise."""
    write_machine(tmp_path, root)

    def study(*words, experiment="small.toml"):
        return in_folder("uncertainty", "./mine.toml", experiment, *words, timeout=120)

    return study


def test_assumed_numbers_are_drawn_from_their_ranges_and_fitted_ones_as_their_claims_allow(tmp_path, root):
    path = write_machine(tmp_path, root)
    assumed, fitted = uncertain_parameters(str(path), {"SMALL-01": 0.01})[::-1]
    assert {assumed.key, fitted.key} == {"processor.send_overhead", "processor.copy_bandwidth"}
    assert (assumed.low, assumed.high) == (1, 3)
    assert (fitted.low, fitted.high) == pytest.approx((396, 404))


def test_what_was_fitted_is_drawn_from_where_claims_hold(tmp_path, root):
    path = write_machine(tmp_path, root)
    text = path.read_text()
    assert text.count('fits = "SMALL-01", ') == 1
    path.write_text(text.replace('fits = "SMALL-01", ', 'fits = "SMALL-01", range = [200, 800], holds = [300, 405], '))
    (fitted,) = [one for one in uncertain_parameters(str(path), {"SMALL-01": 0.01}) if one.kind == "fitted"]
    assert (fitted.low, fitted.high) == (300, 405)


def test_what_its_claim_leaves_nothing_of_is_not_drawn(tmp_path, root):
    path = write_machine(tmp_path, root)
    text = path.read_text()
    path.write_text(text.replace('fits = "SMALL-01", ', 'fits = "SMALL-01", range = [200, 800], holds = [400, 400], '))
    assert [one.kind for one in uncertain_parameters(str(path), {})] == ["assumed"]


def test_a_range_of_several_orders_of_magnitude_is_drawn_by_its_logarithm():
    wide = Parameter("a.b", "ns", "assumed", 100, 10, 1000)
    narrow = Parameter("a.b", "ns", "assumed", 100, 200, 1000)
    assert [wide.at(share) for share in (0, 0.5, 1)] == pytest.approx([10, 100, 1000])
    assert [narrow.at(share) for share in (0, 0.5, 1)] == pytest.approx([200, 600, 1000])


def test_what_is_derived_from_a_number_follows_it():
    followed = Parameter(
        "processor.copy", "ns/B", "fitted", 100, 90, 110, followers=(Follower("host.copy", "ns/B", 50.0),)
    )
    assert followed.settings(110.0) == {"processor.copy": "110 ns/B", "host.copy": "55 ns/B"}


def test_a_rate_follows_a_time_the_other_way_and_the_name_alone_is_one_of_the_same_table():
    entries = {
        "processor.copy": {"value": 5.0, "unit": "ns/B", "kind": "fitted"},
        "processor.sum": {"value": 25.0, "unit": "Mop/s", "kind": "tied", "source": "copy: of one of 8 bytes"},
        "host.sum": {"value": 50.0, "unit": "Mop/s", "kind": "tied", "source": "twice processor.sum"},
        "host.other": {"value": 1.0, "unit": "us", "kind": "derived", "source": "copy: no number of this table"},
    }
    (followers,) = followers_of(entries).values()
    assert [(one.key, one.after(10.0, 5.0)) for one in followers] == [("processor.sum", 12.5), ("host.sum", 25.0)]


def test_what_is_drawn_goes_before_what_follows_from_another_number():
    origin = Parameter("a.copy", "us", "fitted", 10, 9, 11, followers=(Follower("b.copy", "us", 10.0),))
    follower = Parameter("b.copy", "us", "tied", 10, 5, 20)
    assert Draw(((follower, 7.0), (origin, 11.0))).settings() == {"a.copy": "11 us", "b.copy": "7 us"}


def test_sizes_are_drawn_in_whole_bytes_and_lines_of_a_cache_in_powers_of_two(build, monkeypatch):
    monkeypatch.setenv("HINDCAST_LAUNCHER", str(build / "bin" / "hindcast"))
    assert Parameter("a.size", "KiB", "assumed", 4, 1, 8).settings(1.3) == {"a.size": "1331 B"}
    line = next(one for one in uncertain_parameters("ap1000", {}) if one.key == "cellos.cache_line")
    assert {line.at(share / 10) for share in range(11)} == {16.0, 32.0, 64.0}


def test_the_same_seed_draws_the_same():
    first, again, other = (make_design("sobol", ["a", "b"], 64, seed) for seed in (1, 1, 2))
    assert np.array_equal(first.draws, again.draws)
    assert not np.array_equal(first.draws, other.draws)
    assert len(first.draws) == 64
    assert len(first.independent()) == 32


def test_a_latin_hypercube_has_every_draw_in_a_stratum_of_its_own():
    design = make_design("latin", ["a", "b", "c"], 10, 1)
    for column in design.draws.T:
        assert sorted(int(10 * share) for share in column) == list(range(10))


def test_total_effects_are_those_of_a_function_that_is_known():
    design = make_design("sobol", ["a", "b", "c"], 5120, 1)
    values = [float(3 * row[0] + row[1]) for row in design.draws]  # variances 9 to 1 to 0
    effects = {one.parameter: one for one in total_effects(design, {"y": values})}
    assert effects["a"].total == pytest.approx(0.9, abs=0.05)
    assert effects["b"].total == pytest.approx(0.1, abs=0.02)
    assert effects["c"].total == 0
    assert effects["a"].error < 0.2


def test_of_few_draws_a_total_effect_is_as_sure_as_is_said():
    names = [f"p{index}" for index in range(11)]
    covered = []
    for seed in range(30):
        design = make_design("sobol", names, 16 * 13, seed)
        values = [float(2 * row[0] + row[3]) for row in design.draws]  # variances 4 to 1
        effects = {one.parameter: one for one in total_effects(design, {"y": values})}
        covered.append(abs(effects["p0"].total - 0.8) <= effects["p0"].error)
    assert sum(covered) >= 25


def test_a_sobol_design_is_in_blocks_that_differ_in_one_parameter_each():
    design = make_design("sobol", ["a", "b", "c"], 20, 1)
    assert len(design.draws) == 20 and design.independent() == [0, 4, 5, 9, 10, 14, 15, 19]
    for block in np.split(design.draws, 4):
        for index in range(3):
            assert np.flatnonzero(block[1 + index] != block[0]).tolist() == [index]
            assert block[1 + index][index] == block[4][index]


def test_what_does_not_vary_among_independent_draws_has_no_effects_and_nothing_is_warned_of(recwarn):
    design = make_design("sobol", ["a", "b"], 64, 1)
    apart = set(range(64)) - set(design.independent())
    assert total_effects(design, {"y": [float(index in apart) for index in range(64)]}) == []
    (effect, _) = total_effects(design, {"y": [float(index == 0) for index in range(64)]})  # in many a resample neither
    assert effect.error > 0.5
    assert list(recwarn) == []


def test_draws_that_failed_count_for_no_effect():
    design = make_design("sobol", ["a", "b"], 256, 1)
    values = [None if index == 5 else float(row[0]) for index, row in enumerate(design.draws)]
    effects = {one.parameter: one.total for one in total_effects(design, {"y": values, "flat": [1.0] * len(values)})}
    assert effects["a"] == pytest.approx(1, abs=0.1)
    assert effects["b"] == 0


def test_the_interval_of_a_share_is_wilsons():
    assert wilson(8, 10) == pytest.approx((0.4902, 0.9433), abs=1e-4)
    assert wilson(0, 10) == pytest.approx((0, 0.2775), abs=1e-4)


def test_a_band_lies_between_its_quantiles():
    x = np.array([1.0, 2.0])
    drawn = [{(0, "a"): (x, np.array([value, 10 * value]))} for value in range(101)]
    band = bands(drawn)[0, "a"]
    assert band.errors.shape == (3, 2)
    assert band.open_edges() == pytest.approx(max(band.errors[0] / band.low))  # the lower edge is the less sure
    assert band.low.tolist() == [5, 50] and band.high.tolist() == [95, 950] and band.middle.tolist() == [50, 500]


def test_what_a_quantile_may_be_off_falls_with_the_draws():
    uniform = np.random.default_rng(3).random(1600)
    few, many = (quantile_errors(uniform[:count].reshape(-1, 1))[:, 0] for count in (100, 1600))
    assert many[1] == pytest.approx(1.96 * 0.5 / math.sqrt(1600), rel=0.3)  # that of a uniform's median
    assert 2.5 < few[1] / many[1] < 6
    assert quantile_errors(np.ones((10, 1))).tolist() == [[0], [0], [0]]


def test_a_study_tells_shares_bands_and_effects(studied, tmp_path):
    done = studied(*FEW)
    assert done.returncode == 0, done.stderr
    folder = tmp_path / "out" / "uncertainty" / "small.mine"
    (claim,) = rows_of(folder / "small.claims.csv")
    assert claim["claim"] == "SMALL-01"
    assert float(claim["share"]) == 1
    assert float(claim["p05"]) < 171.4 < float(claim["p95"])
    assert {row["parameter"] for row in rows_of(folder / "small.parameters.csv") if row["noticed"] == "True"} == {
        "processor.send_overhead",
        "processor.copy_bandwidth",
    }
    effects = {
        (row["result"], row["parameter"]): float(row["total_effect"]) for row in rows_of(folder / "small.effects.csv")
    }
    assert effects["SMALL-01", "processor.copy_bandwidth"] > 0.1  # a rate does not depend on what a start takes
    assert math.isclose(effects["SMALL-01", "processor.send_overhead"], 0, abs_tol=1e-6)
    lows = [row for row in rows_of(folder / "small.bands.csv") if row["line"] == "MPI"]
    assert [int(float(row["x"])) for row in lows] == [0, 1000, 2000, 3000, 4000]
    assert all(float(row["p05"]) < float(row["p95"]) for row in lows)
    # What a curve sets itself stays so, whatever is drawn: 9 us for a start of 1 to 3.
    slow = [row for row in rows_of(folder / "small.bands.csv") if row["line"] == "slow MPI"]
    assert float(slow[0]["p05"]) > float(lows[0]["p95"]) + 5
    assert (folder / "small.png").stat().st_size > 0
    assert "4 independent draws of 2 parameters" in done.stdout


def test_of_what_claims_nothing_it_is_told_where_the_lines_lie(studied, small, tmp_path):
    small.path.write_text(small.path.read_text().partition("[[claim]]")[0])
    done = studied(*FEW)
    assert done.returncode == 0, done.stderr
    words = [line.split() for line in done.stdout.splitlines()]
    bands = rows_of(tmp_path / "out" / "uncertainty" / "small.mine" / "small.bands.csv")
    of_mpi = [f"{float(row['p50']):.4g}" for row in bands if row["line"] == "MPI"]
    first = next(index for index, line in enumerate(words) if line[:2] == ["MPI", "0"])
    assert [words[first][2], *(line[1] for line in words[first + 1 : first + 5])] == of_mpi


def test_what_was_interrupted_goes_on_and_gives_the_same(studied, tmp_path):
    whole = studied(*FEW)
    folder = tmp_path / "out" / "uncertainty" / "small.mine"
    tables = {path.name: path.read_bytes() for path in folder.glob("*.csv")}
    samples = sorted((folder / "samples").glob("*.csv"))
    kept = {path: path.stat().st_mtime_ns for path in samples[3:]}
    for path in samples[:3]:
        path.unlink()
    again = studied(*FEW)
    assert again.stdout == whole.stdout
    assert {path.name: path.read_bytes() for path in folder.glob("*.csv")} == tables
    assert {path: path.stat().st_mtime_ns for path in kept} == kept


def test_draws_of_another_machine_file_are_made_anew(studied, tmp_path):
    studied(*FEW)
    path = tmp_path / "mine.toml"
    path.write_text(path.read_text().replace("range = [1, 3]", "range = [1, 1.5]"))
    before = (tmp_path / "out" / "uncertainty" / "small.mine" / "small.bands.csv").read_bytes()
    assert studied(*FEW).returncode == 0
    assert (tmp_path / "out" / "uncertainty" / "small.mine" / "small.bands.csv").read_bytes() != before


def test_draws_of_another_build_of_the_simulator_are_made_anew(studied, tmp_path):
    studied(*FEW)
    folder = tmp_path / "out" / "uncertainty" / "small.mine" / "samples"
    made = {path: path.stat().st_mtime_ns for path in folder.glob("*.csv")}
    mark = folder / "origin.json"
    marks = json.loads(mark.read_text())
    (simulator,) = [line for line in marks if line.startswith("simulator libhindcast.so, SHA-256 ")]
    mark.write_text(json.dumps([line for line in marks if line != simulator] + [simulator[:-1]]))
    assert studied(*FEW).returncode == 0
    assert json.loads(mark.read_text()) == marks
    again = {path: path.stat().st_mtime_ns for path in folder.glob("*.csv")}
    assert again.keys() == made.keys()
    assert all(again[path] > made[path] for path in made)


def test_the_simulator_is_its_library_as_it_is_now(tmp_path):
    found = tmp_path / "bin" / "hindcast"
    library = tmp_path / "lib" / "libhindcast.so"
    for file in (found, library):
        file.parent.mkdir()
        file.write_bytes(b"one")
    before = simulator_file(found)
    library.write_bytes(b"another")
    assert simulator_file(found) != before
    library.unlink()
    assert simulator_file(found).startswith("simulator hindcast, ")


@pytest.mark.parametrize(
    "file, old, new, what",
    [
        ("mine.toml", "range = [1, 3]", "range = [1, 2]", "machine mine"),
        ("there.c", "return 0;", "return 1;", "program there.c"),
    ],
)
def test_a_study_ends_when_a_file_that_its_draws_are_made_of_changes(studied, tmp_path, file, old, new, what):
    samples = tmp_path / "out" / "uncertainty" / "small.mine" / "samples"
    with ThreadPoolExecutor(1) as beside:
        study = beside.submit(studied, "--samples", "4096")
        wait_for(lambda: len(list(samples.glob("*.csv"))) >= 3)
        changed = tmp_path / f"{file}.new"
        changed.write_text((tmp_path / file).read_text().replace(old, new))
        changed.replace(tmp_path / file)
        done = study.result()
    assert done.returncode == 1
    (said,) = done.stderr.splitlines()
    assert f"{what} has changed since its draws began: start again" in said
    assert 3 <= len(list(samples.glob("*.csv"))) < 4096
    assert not list(samples.parent.glob("*.csv"))  # it told nothing


def wait_for(happened):
    ends_s = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < ends_s
        time.sleep(0.01)


def test_a_parameter_that_changes_nothing_is_left_out_and_told(studied, tmp_path):
    path = tmp_path / "mine.toml"
    text = path.read_text()
    line = next(line for line in text.splitlines() if line.startswith("combine_rate"))
    path.write_text(text.replace(line, line.replace('kind = "invented"', 'kind = "assumed", range = [1, 900]')))
    done = studied(*FEW)
    assert done.returncode == 0, done.stderr
    assert "Nothing changes at either end of processor.combine_rate." in done.stdout


def test_the_scoreboard_and_the_figure_tell_it_on_request(small, in_folder, tmp_path, root, monkeypatch):
    write_machine(tmp_path, root)
    monkeypatch.setenv("HINDCAST_PLATFORMS", str(tmp_path))
    small.change('name = "ideal"', 'name = "mine"')
    assert in_folder("experiment", "run", "small.toml").returncode == 0
    plain = (tmp_path / "out" / "small" / "small.png").read_bytes()
    assert in_folder("score", "small.toml", timeout=180).returncode == 0
    without = (tmp_path / "out" / "report.html").read_text()
    assert picture(tmp_path / "out" / "small" / "small.png") in without
    assert "hindcast uncertainty mine small" in without
    refused = in_folder("experiment", "run", "small.toml", "--bands")
    assert refused.returncode == 1
    assert "first run hindcast uncertainty mine small.toml" in refused.stderr
    assert in_folder("uncertainty", "mine", "small.toml", *FEW, timeout=120).returncode == 0
    assert in_folder("experiment", "run", "small.toml", "--bands").returncode == 0
    assert (tmp_path / "out" / "small" / "small.png").read_bytes() != plain
    caption = (tmp_path / "out" / "small" / "small.caption.txt").read_text()
    assert "Shaded: where nine of ten of 4 draws" in caption
    assert re.search(r"So few leave the edges open by \d+% at most", caption)
    done = in_folder("score", "small.toml", timeout=180)
    assert "of draws" in done.stdout and "100% (51 to 100)" in done.stdout  # of 4 draws
    claims = json.loads((tmp_path / "out" / "scoreboard.json").read_text())["claims"]
    assert next(claim for claim in claims if claim["id"] == "SMALL-01")["share"] == 1
    report = (tmp_path / "out" / "report.html").read_text()
    assert picture(tmp_path / "out" / "uncertainty" / "small" / "small.png") in report
    assert "hindcast uncertainty mine" not in report
    assert "<td>SMALL-01</td>" in report and "<td>100% (51 to 100)</td>" in report


def picture(path):
    return base64.b64encode(path.read_bytes()).decode()


@pytest.mark.parametrize(
    "words, said",
    [
        (("--samples", "3"), "--samples 3: the effects of 2 parameters need 8 or more"),
        (("--samples", "0"), "--samples 0: has to be 1 or more"),
        (("--seed", "-1"), "hindcast: --seed -1: has to be 0 or more\n"),
        (("--only", "processor.nothing"), "--only processor.nothing: no number that could be otherwise"),
    ],
)
def test_what_cannot_be_drawn_is_refused(studied, words, said):
    done = studied(*words)
    assert done.returncode == 1
    assert said in done.stderr


@pytest.mark.parametrize(
    "machine, said",
    [
        ("there.c", "no machine 'there.c' (hindcast machines)"),
        ("./there.c", "there.c:6:5: Error while parsing"),
        ("./no.toml", "no machine"),
    ],
)
def test_what_is_no_machine_is_refused(small, in_folder, machine, said):
    done = in_folder("uncertainty", machine, "small.toml")
    assert done.returncode == 1
    assert done.stderr.startswith(f"hindcast: {said}")
    assert done.stderr.count("\n") == 1


def test_machines_without_claims_want_an_experiment(in_folder):
    done = in_folder("uncertainty", "ideal")
    assert done.returncode == 1
    assert "no experiment has claims about ideal: name one" in done.stderr
    done = in_folder("uncertainty", "nowhere")
    assert done.returncode == 1
    assert "no machine 'nowhere'" in done.stderr
