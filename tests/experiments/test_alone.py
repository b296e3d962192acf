"""hindcast uncertainty --alone: which claims each parameter moves by itself, and how far it may go."""

import csv

import pytest

from experiments.uncertainty.parameters import Parameter
from tests.experiments.uncertain import write_machine


@pytest.fixture
def changed_alone(small, in_folder, tmp_path, root):
    """changed_alone(): rows of moves and of ranges by parameter, and what was printed, of the small experiment on a
    machine whose rate of copying may be anything from 200 to 800 MB/s."""
    path = write_machine(tmp_path, root)
    fitted = 'kind = "fitted", fits = "SMALL-01"'
    text = path.read_text()
    assert fitted in text
    path.write_text(text.replace(fitted, 'kind = "assumed", range = [200, 800]'))

    def change(*words):
        done = in_folder("uncertainty", "./mine.toml", "small.toml", "--alone", *words, timeout=120)
        assert done.returncode == 0, done.stderr
        folder = tmp_path / "out" / "uncertainty" / "mine.alone"
        moves = list(csv.DictReader((folder / "mine.moves.csv").read_text().splitlines()))
        ranges = list(csv.DictReader((folder / "mine.ranges.csv").read_text().splitlines()))
        return moves, {row["parameter"]: row for row in ranges}, done.stdout

    return change


def test_a_claim_moves_with_what_it_depends_on_only(changed_alone):
    moves, _, printed = changed_alone()
    assert {row["parameter"] for row in moves if row["claim"] == "SMALL-01"} == {"processor.copy_bandwidth"}
    assert [row["verdict"] for row in moves] == ["fails", "fails"]
    assert all(float(row["of_what_is_allowed"]) > 1 for row in moves)
    assert "SMALL-01 (verdict)" in printed


def test_claims_hold_in_a_part_of_the_range_that_is_looked_for(changed_alone):
    _, ranges, _ = changed_alone()
    start = ranges["processor.send_overhead"]
    assert (float(start["holds_low"]), float(start["holds_high"])) == (1, 3)
    # 1 / (1/copy + 1/300) is within 1 % of 171.4 from 393.7 to 408.2; within 2^-5 of the way to the ends it is known
    copy = ranges["processor.copy_bandwidth"]
    assert 393.7 - 200 / 32 < float(copy["holds_low"]) <= 400
    assert float(copy["holds_low"]) >= 393.5
    assert 400 <= float(copy["holds_high"]) < 408.5


def test_one_parameter_by_itself(changed_alone):
    moves, ranges, _ = changed_alone("--only", "processor.send_overhead")
    assert moves == []
    assert list(ranges) == ["processor.send_overhead"]


def test_the_middle_has_two_digits_unless_they_are_too_few():
    number = Parameter("a.b", "us", "assumed", 5, 1, 9)
    assert number.between(1, 1000) == 32
    assert number.between(10, 20) == 15
    assert number.between(10.01, 10.02) == 10.02 or 10.01 < number.between(10.01, 10.02) < 10.02
    assert Parameter("a.b", "", "assumed", 5, 1, 9, is_whole=True).between(3, 4) in (3, 4)


def test_what_is_so_many_times_another_is_cut_loose_on_request(small, in_folder, tmp_path, root):
    path = write_machine(tmp_path, root)
    line = next(line for line in path.read_text().splitlines() if line.startswith("injection_bandwidth"))
    tied = 'injection_bandwidth = { value = 300, unit = "MB/s", kind = "tied", source = "processor.copy_bandwidth" }'
    path.write_text(path.read_text().replace(line, tied))
    done = in_folder("uncertainty", "./mine.toml", "small.toml", "--alone", "--ties", timeout=120)
    assert done.returncode == 0, done.stderr
    (row,) = csv.DictReader((tmp_path / "out/uncertainty/mine.ties/mine.ranges.csv").read_text().splitlines())
    assert (row["parameter"], row["low"], row["high"]) == ("network.injection_bandwidth", "150", "600")
    # As a link's the way into the network is passed at one time with it: quicker it changes nothing, slower the rate.
    assert 290 < float(row["holds_low"]) <= 300
    assert float(row["holds_high"]) == 600


def test_ties_are_changed_one_at_a_time(small, in_folder, tmp_path, root):
    write_machine(tmp_path, root)
    done = in_folder("uncertainty", "./mine.toml", "small.toml", "--ties")
    assert done.returncode == 1
    assert "--ties goes with --alone" in done.stderr
    done = in_folder("uncertainty", "./mine.toml", "small.toml", "--alone", "--ties")
    assert done.returncode == 1
    assert "has no number that is so many times another" in done.stderr
