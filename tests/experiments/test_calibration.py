"""hindcast calibrate: parameters that were changed on purpose are found again, and how sure they are is told."""

import csv
import math
import re
import tomllib
from dataclasses import replace

import numpy as np
import pytest

from experiments.calibration.fit import fit, left_out, profiles
from experiments.calibration.machine_text import with_values
from experiments.calibration.targets import NoNumber, PublishedNumbers, Wanted
from experiments.load import load, names
from experiments.problems import Problem
from experiments.uncertainty.followers import Follower
from experiments.uncertainty.parameters import Parameter, limits_of, uncertain_parameters
from experiments.uncertainty.samples import Samples, files_now
from tests.experiments.uncertain import write_machine


def rows_of(path):
    return list(csv.DictReader(path.read_text().splitlines()))


SECOND_CLAIM = """
[[claim]]
id = "SMALL-02"
kind = "calibrates"
states = "a message"
source = "nowhere"
published = 27.9
unit = "us"
tolerance = 0.05
measure = { how = "value", curve = "MPI", at = 4000 }
"""


class Lines:
    """A simulation that is known: latency and time per byte make a line, and `spare` does nothing."""

    def __init__(self, latency, per_byte, sizes):
        self.sizes = sizes
        self.wanted = [Wanted(f"{size} B", latency + per_byte * size, "us", 0.05) for size in sizes]

    def simulated(self, draw):
        values = {parameter.key: value for parameter, value in draw.values}
        latency = values["latency"] + values.get("more", 0)
        return np.array([latency + values["per_byte"] * size for size in self.sizes])

    def one(self, index, draw):
        return float(self.simulated(draw)[index])

    def learn(self, base, moved):
        """Of a simulation that takes no time nothing needs to be left out."""


def parameter(key, value):
    return Parameter(key, "us", "fitted", value, value, value)


def test_a_fit_finds_the_parameters_of_a_line_again():
    target = Lines(10.0, 0.5, [0, 10, 20, 40])
    found = fit(target, [parameter("latency", 8.0), parameter("per_byte", 0.8)])
    assert [found.value(0), found.value(1)] == pytest.approx([10, 0.5], rel=1e-4)
    assert found.before[0] == 8 and found.after[0] == pytest.approx(10, rel=1e-4)
    assert not found.alike()
    assert left_out(target, found) == pytest.approx([10, 15, 20, 30], rel=1e-3)
    for profile in profiles(target, found):
        assert profile.below == pytest.approx(4, rel=0.01) and profile.above == pytest.approx(4, rel=0.01)


def test_where_a_number_is_none_a_profile_has_no_end_and_what_is_left_out_no_value():
    target = Lines(10.0, 0.5, [0, 10, 20, 40])
    found = fit(target, [parameter("latency", 8.0), parameter("per_byte", 0.8)])
    everywhere, most = target.simulated, 10.5

    def simulated(draw):
        values = everywhere(draw)
        if values[0] > most:
            raise NoNumber("no such crossing")
        return values

    target.simulated = simulated
    latency, _ = profiles(target, found)
    assert latency.below == pytest.approx(4, rel=0.01) and latency.above == math.inf
    most = 9
    assert all(map(math.isnan, left_out(target, found)))


@pytest.mark.parametrize(
    ("wanted", "most"),
    [(3.0, 3.3), (0.5, 1.001)],
    ids=["a fit that would go farther goes a shorter way", "and one that begins near looks away from it"],
)
def test_where_a_number_is_none_no_fit_goes(wanted, most):
    target = Lines(wanted**3, 0, [0])

    def simulated(draw):
        value = draw.values[0][1]
        if value > most:
            raise NoNumber("no such crossing")
        return np.array([value**3])  # so steep that a first fit of 3 leads to 3.6, where there is no number

    target.simulated = simulated
    assert fit(target, [parameter("latency", 1.0)]).value(0) == pytest.approx(wanted, rel=1e-3)


def test_a_number_known_to_within_a_twentieth_determines_its_parameter_to_that():
    target = Lines(10.0, 0.5, [0])
    target.simulated = lambda draw: np.array([draw.values[0][1]])
    found = fit(target, [parameter("latency", 8.0)])
    assert found.deviations()[0] * 8.0 == pytest.approx(0.05 * 10.0, rel=1e-3)


def test_two_parameters_that_do_the_same_cannot_be_told_apart():
    found = fit(
        Lines(10.0, 0.5, [0, 10, 20, 40]),
        [parameter("latency", 4.0), parameter("more", 4.0), parameter("per_byte", 0.5)],
    )
    assert np.isinf(found.deviations()[:2]).all()
    assert np.isfinite(found.deviations()[2])
    assert [pair[:2] for pair in found.alike()] == [("latency", "more")]
    assert found.alike()[0][2] < -0.95


def test_what_moves_no_number_stays_as_it_is():
    found = fit(Lines(10.0, 0.5, [0, 10, 20, 40]), [parameter(key, 4.0) for key in ("latency", "spare", "per_byte")])
    assert found.value(1) == 4 and np.isinf(found.deviations()[1])
    assert [found.value(0), found.value(2)] == pytest.approx([10, 0.5], rel=1e-4)
    assert np.isfinite(found.deviations()[[0, 2]]).all()
    target = Lines(10.0, 0.5, [0])
    target.simulated = lambda draw: np.array([9.0])
    with pytest.raises(Problem, match="no parameter moves any of the numbers"):
        fit(target, [parameter("spare", 4.0)])


def test_a_parameter_that_would_go_too_far_is_told():
    found = fit(Lines(1000.0, 0.5, [0, 10, 20, 40]), [parameter("latency", 4.0), parameter("per_byte", 0.5)])
    assert found.is_at_its_bound(0)
    assert found.value(0) == pytest.approx(40, rel=1e-3)


def test_more_parameters_than_numbers_are_refused():
    with pytest.raises(Problem, match="2 parameters cannot be fitted to 1 numbers"):
        fit(Lines(10.0, 0.5, [0]), [parameter("latency", 4.0), parameter("per_byte", 0.5)])


def samples_of(experiment, folder):
    machine = experiment.data.machine.name
    return Samples(experiment, machine, folder, {}, limits_of(machine), files_now(experiment, machine))


def test_a_fit_asks_only_for_the_curves_that_numbers_are_of_and_allows_what_their_claims_do(
    tmp_path, build, monkeypatch
):
    monkeypatch.setenv("HINDCAST_LAUNCHER", str(build / "bin" / "hindcast"))
    experiment = load(names()["earth-simulator-fig8"])
    folder = tmp_path / "earth-simulator-fig8"
    samples = samples_of(experiment, folder)
    target = PublishedNumbers([samples])
    (asked,) = target._every
    assert {curve.name for curve in experiment.data.curve} > {"Case 1, MPI_Isend", "nothing sent"}
    assert {curve.name for curve in asked.experiment.data.curve} == {"Case 3", "Case 4"}
    assert asked.folder != samples.folder
    within = {wanted.name: wanted.within for wanted in target.wanted}
    assert within["ES-01"] == 0.03  # its tolerance
    assert within["ES-02"] == pytest.approx(0.3)  # a factor of 1.3
    assert "ES-10" not in within  # a bound: below 1


def test_each_number_of_a_claim_is_fitted_to(tmp_path, build, monkeypatch):
    monkeypatch.setenv("HINDCAST_LAUNCHER", str(build / "bin" / "hindcast"))
    experiment = load(names()["earth-simulator-fig9"])
    samples = samples_of(experiment, tmp_path / "fig9")
    wanted = {wanted.name: wanted.value for wanted in PublishedNumbers([samples]).wanted}
    assert (wanted["ES-14"], wanted["ES-14 (2)"]) == (6.36, 6.68)  # a get and a put


def test_a_number_that_the_machine_does_not_come_to_is_left_out_and_told(small, in_folder, tmp_path, root, monkeypatch):
    write_machine(tmp_path, root)
    monkeypatch.setenv("HINDCAST_PLATFORMS", str(tmp_path))
    small.change('name = "ideal"', 'name = "mine"')
    small.change('kind = "predicts"', 'kind = "calibrates"')
    never = (
        'also = [{ published = 2000, tolerance = 0.1, measure = { how = "overtakes", curves = ["slow MPI", "MPI"] } }]'
    )
    small.path.write_text(small.path.read_text() + never + "\n")
    done = in_folder("calibrate", "mine", "small.toml", timeout=120)
    assert done.returncode == 0, done.stderr
    assert "Left out, as mine has no such number as it is: SMALL-01 (2)." in done.stdout
    (row,) = rows_of(tmp_path / "out" / "calibration" / "mine" / "numbers.csv")
    assert row["number"] == "SMALL-01"


def test_an_experiment_is_not_run_for_what_it_does_not_notice(small, in_folder, tmp_path, root, monkeypatch):
    write_machine(tmp_path, root)
    monkeypatch.setenv("HINDCAST_PLATFORMS", str(tmp_path))
    small.change('name = "ideal"', 'name = "mine"')
    small.change('kind = "predicts"', 'kind = "calibrates"')
    small.change("published = 171.4", "published = 150.0")
    words = ("--fit", "processor.copy_bandwidth", "--fit", "processor.combine_rate")
    small.path.write_text(small.path.read_text() + SECOND_CLAIM)
    done = in_folder("calibrate", "mine", "small.toml", *words, timeout=120)
    assert done.returncode == 0, done.stderr
    rows = {row["parameter"]: row for row in rows_of(tmp_path / "out" / "calibration" / "mine" / "parameters.csv")}
    assert rows["processor.combine_rate"]["deviation"] == "nothing determines it"
    assert float(rows["processor.copy_bandwidth"]["after"]) == pytest.approx(300, rel=0.01)
    samples = tmp_path / "out" / "calibration" / "mine" / "samples" / "small.fit"
    changed = [line for path in samples.glob("*.csv") for line in path.read_text().splitlines() if "changed" in line]
    assert sum("combine_rate" not in line for line in changed) > sum("combine_rate" in line for line in changed)


def test_a_number_between_two_bounds_counts_by_half_of_what_is_between_them(tmp_path, build, monkeypatch):
    monkeypatch.setenv("HINDCAST_LAUNCHER", str(build / "bin" / "hindcast"))
    samples = samples_of(load(names()["ap3000-pvm-groups"]), tmp_path / "groups")
    within = {wanted.name: wanted.within for wanted in PublishedNumbers([samples]).wanted}
    assert within["AP3000-38"] == pytest.approx(0.05 / 0.8)  # from 0.75 to 0.85, of 0.8
    assert "AP3000-44" not in within  # a bound: a millisecond and more


def test_a_fit_asks_only_for_the_sizes_that_its_numbers_are_of(tmp_path, build, monkeypatch):
    monkeypatch.setenv("HINDCAST_LAUNCHER", str(build / "bin" / "hindcast"))
    asked = {}
    for name in ("iway-fig3-left", "ap1000-fig08"):
        experiment = load(names()[name])
        asked[name] = PublishedNumbers([samples_of(experiment, tmp_path / name)])._every[0].experiment.data.sizes.all()
        assert len(experiment.data.sizes.all()) > 20
    assert asked["iway-fig3-left"] == [0]  # of messages of no bytes
    assert asked["ap1000-fig08"] == load(names()["ap1000-fig08"]).data.sizes.all()  # a line through all


def test_fitted_values_are_written_in_place_with_what_they_were_and_all_else_stays():
    text = '[processor]\ncopy = { value = 4, unit = "us", kind = "assumed", range = [1, 9], source = "x" } # why\n'
    text += 'sum = { value = 8, unit = "us", kind = "tied", source = "processor.copy: twice" }\n'
    text += '[[network]]\nname = "san"\n'
    text += 'hop = { value = 1.5, unit = "ns", kind = "fitted", fits = "A", follows = "1 us - a.b", source = "y" }\n'
    text += 'ports = { value = 3, kind = "invented" }\n'
    values = {"processor.copy": 5.25, "network.san.hop": 2, "network.san.ports": 5}
    changed = with_values(text, values, "times.csv", {"processor.sum": 10.5}, {"network.san.ports": (4.5, 5.5)})
    again = "by 'hindcast calibrate' from times.csv"
    assert changed.splitlines() == [
        "[processor]",
        'copy = { value = 5.25, unit = "us", kind = "fitted", fits = "times.csv", range = [1, 9], '
        f'source = "{again}; 4 us, assumed, before that; x" }} # why',
        'sum = { value = 10.5, unit = "us", kind = "tied", source = "processor.copy: twice" }',
        "[[network]]",
        'name = "san"',
        'hop = { value = 2, unit = "ns", kind = "fitted", fits = "times.csv", '
        f'source = "{again}; 1.5 ns, fitted, before that; y" }}',
        'ports = { value = 5, kind = "fitted", fits = "times.csv", range = [4.5, 5.5], '
        f'source = "{again}; range: two deviations; 3, invented, before that" }}',
    ]  # fmt: skip
    with pytest.raises(Problem, match=r"processor\.nothing does not stand"):
        with_values(text, {"processor.nothing": 1}, "times.csv")


def test_a_file_with_quotes_in_its_name_can_be_named_as_a_source():
    text = '[a]\nb = { value = 1, kind = "assumed", source = "said \\"so\\"" }\n'
    entry = tomllib.loads(with_values(text, {"a.b": 2}, 'my "times".csv'))["a"]["b"]
    assert entry["fits"] == 'my "times".csv'
    assert entry["source"] == 'by \'hindcast calibrate\' from my "times".csv; 1, assumed, before that; said "so"'


def test_what_follows_a_fitted_number_is_written_with_it_and_what_stayed_is_not():
    copy = replace(parameter("per_byte", 0.8), followers=(Follower("sum", "us", 1.6),))
    found = fit(Lines(10.0, 0.5, [0, 10, 20, 40]), [parameter("latency", 8.0), copy, parameter("spare", 4.0)])
    assert found.values().keys() == {"latency", "per_byte"}
    assert found.followers() == {"sum": pytest.approx(1.0, rel=1e-4)}
    low, high = found.ranges()["latency"]
    assert high - 10 == pytest.approx(10 - low, rel=1e-3)
    assert high - low == pytest.approx(4 * found.deviations()[0] * 8.0)


def test_what_measurements_leave_of_a_number_is_drawn(measured, in_folder):
    words = ("--measured", "times.csv", "--fit", "processor.send_overhead", "--within", "0.01")
    done = in_folder("calibrate", "./mine.toml", "small.toml", *words, "--write", "fitted.toml", timeout=120)
    assert done.returncode == 0, done.stderr
    drawn = {one.key: one for one in uncertain_parameters(str(measured / "fitted.toml"), {})}
    start = drawn["processor.send_overhead"]
    (row,) = rows_of(measured / "out" / "calibration" / "mine" / "parameters.csv")
    assert start.high - start.low == pytest.approx(4 * float(row["deviation"]), rel=0.01)


@pytest.fixture
def measured(small, in_folder, tmp_path, root):
    """Times as somebody would have measured them, of a machine that starts in 2.5 us and copies 250 MB/s."""
    write_machine(tmp_path, root)
    changes = ("--set", "processor.send_overhead=2.5 us", "--set", "processor.copy_bandwidth=250 MB/s")
    done = in_folder("experiment", "run", "small.toml", "--set", "machine=./mine.toml", *changes)
    assert done.returncode == 0, done.stderr
    (path,) = (tmp_path / "out" / "small").glob("*.csv")
    lines = [line for line in path.read_text().splitlines() if not line.startswith("#")]
    kept = [line for line in lines if not line.startswith("slow MPI")]
    (tmp_path / "times.csv").write_text("\n".join(kept) + "\n")
    return tmp_path


def test_measured_times_calibrate_a_machine_of_ones_own(measured, in_folder):
    words = ("--measured", "times.csv", "--fit", "processor.send_overhead", "--fit", "processor.copy_bandwidth")
    done = in_folder("calibrate", "./mine.toml", "small.toml", *words, "--write", "fitted.toml", timeout=120)
    assert done.returncode == 0, done.stderr
    rows = {row["parameter"]: row for row in rows_of(measured / "out" / "calibration" / "mine" / "parameters.csv")}
    assert float(rows["processor.send_overhead"]["after"]) == pytest.approx(2.5, rel=0.01)
    assert float(rows["processor.copy_bandwidth"]["after"]) == pytest.approx(250, rel=0.01)
    text = (measured / "fitted.toml").read_text()
    assert re.search(r'send_overhead = \{ value = 2\.[45]\d*, unit = "us", kind = "fitted", fits = "times\.csv"', text)
    assert (
        "by 'hindcast calibrate' from times.csv; range: two deviations; 1 us, assumed, before that; nobody says" in text
    )
    assert in_folder("check", "./fitted.toml").returncode == 0


def test_measured_times_may_be_what_runs_of_a_single_size_each_printed(measured, in_folder):
    names, *rows = (measured / "times.csv").read_text().splitlines()
    (measured / "times.csv").write_text("# of Monday\n" + "".join(f"{names}\n{row}\n\n" for row in rows))
    words = ("--measured", "times.csv", "--fit", "processor.send_overhead")
    done = in_folder("calibrate", "./mine.toml", "small.toml", *words, timeout=120)
    assert done.returncode == 0, done.stderr
    assert len(rows_of(measured / "out" / "calibration" / "mine" / "numbers.csv")) == len(rows)


def test_claims_that_calibrate_are_fitted_and_predictions_told(small, in_folder, tmp_path, root, monkeypatch):
    write_machine(tmp_path, root)
    monkeypatch.setenv("HINDCAST_PLATFORMS", str(tmp_path))
    small.change('name = "ideal"', 'name = "mine"')
    small.change('kind = "predicts"', 'kind = "calibrates"')
    small.change("published = 171.4", "published = 150.0")
    done = in_folder("calibrate", "mine", "small.toml", "--predict", timeout=120)
    assert done.returncode == 0, done.stderr
    (row,) = rows_of(tmp_path / "out" / "calibration" / "mine" / "numbers.csv")
    assert float(row["before"]) == pytest.approx(171.4, rel=0.01)
    assert float(row["after"]) == pytest.approx(150, rel=0.001)


@pytest.mark.parametrize(
    "words, said",
    [
        (("--fit", "processor.nothing"), "--fit processor.nothing: ./mine.toml has no such number"),
        (("--fit", "network.injection_latency"), "is 0, and what is fitted is a multiple"),
        (("--within", "0"), "--within 0: has to be a number above 0"),
        (("--within", "nan"), "--within nan: has to be a number above 0"),
        (("--within", "inf"), "--within inf: has to be a number above 0"),
        (("--within", "-0.1"), "--within -0.1: has to be a number above 0"),
        (("--write", "."), "hindcast: --write .: is a folder: name a file\n"),
        (("--write", "no/such.toml"), "--write no/such.toml: there is no folder no: make it first, or name another\n"),
        (("--measured", "no.csv"), "hindcast: no.csv: No such file or directory\n"),
        (("--quantity", "other_us"), "times.csv: no column 'other_us', but curve, bytes, rank, time_us"),
    ],
)
def test_what_cannot_be_fitted_is_refused(measured, in_folder, words, said):
    done = in_folder("calibrate", "./mine.toml", "small.toml", "--measured", "times.csv", *words)
    assert done.returncode == 1
    assert said in done.stderr


@pytest.mark.parametrize(
    "row, said",
    [
        ("MPI,1000,0,5\nMPI,1000,0,5,6", "times.csv:3: 5 values, but there are 4 names: curve,bytes,rank,time_us"),
        ("MPI,1000", "times.csv:2: 2 values, but there are 4 names"),
        ("", "times.csv: has no rows"),
        ("MPI,1234,0,7", "times.csv:2: MPI at 1234 bytes is nothing that small measures"),
        ("MPI,1000,0,-7", "MPI at 1000 bytes: a time has to be above 0"),
        ("MPI,1000,0,soon", "times.csv:2: time_us: 'soon' is no number"),
        ("MPI,1000,0,", "time_us: '' is no number"),
    ],
)
def test_times_that_mean_nothing_are_refused(measured, in_folder, row, said):
    (measured / "times.csv").write_text(f"curve,bytes,rank,time_us\n{row}\n")
    done = in_folder("calibrate", "./mine.toml", "small.toml", "--measured", "times.csv")
    assert done.returncode == 1
    assert said in done.stderr
