"""What a number is no more than in a machine that can be (`at_most`): a draw gives it a place in what others leave."""

import re

import pytest

from experiments.machines import check_settings
from experiments.problems import Problem
from experiments.uncertainty.design import make_design
from experiments.uncertainty.limits import Limit, Limits
from experiments.uncertainty.parameters import limits_of, uncertain_parameters
from experiments.uncertainty.study import drawn
from tests.experiments.test_ranges import MACHINES
from tests.experiments.uncertain import write_machine

NUMBERS = {"queue.slots": (8.0, ""), "queue.data": (32.0, "B"), "mpi.longest": (0.125, "KiB"), "mpi.next": (1.0, "us")}
LIMITS = Limits(NUMBERS, {"mpi.longest": Limit(0.0625, "queue.slots * queue.data")})


def test_what_others_leave_of_a_number():
    assert LIMITS.most("mpi.longest", {}) == 0.25
    assert LIMITS.most("mpi.longest", {"queue.slots": "3", "queue.data": "31 B"}) == 93 / 1024
    assert LIMITS.most("mpi.next", {}) == float("inf")


def test_what_would_be_more_than_others_leave_is_as_much_as_they_leave():
    assert LIMITS.kept({}) == {}
    assert LIMITS.kept({"queue.slots": "3"}) == {"queue.slots": "3", "mpi.longest": "96 B"}
    assert LIMITS.kept({"mpi.longest": "1000 B"}) == {"mpi.longest": "256 B"}
    assert LIMITS.kept({"mpi.longest": "100 B"}) == {"mpi.longest": "100 B"}


def test_where_less_than_the_lowest_is_left_the_machine_is_refused_as_it_is():
    assert LIMITS.kept({"queue.slots": "1"}) == {"queue.slots": "1"}


def test_a_limit_by_what_has_one_is_refused():
    limits = Limits(NUMBERS, {**LIMITS.limits, "queue.slots": Limit(1, "mpi.longest / queue.data")})
    with pytest.raises(Problem, match=r"mpi.longest is at most .*: queue.slots has a limit of its own"):
        limits.most("mpi.longest", {})


def test_a_limit_by_a_part_that_the_file_leaves_out_is_none():
    without_queue = {key: number for key, number in NUMBERS.items() if not key.startswith("queue.")}
    limits = Limits(without_queue, LIMITS.limits)
    assert limits.most("mpi.longest", {}) == float("inf")
    assert limits.kept({"mpi.longest": "1000 B"}) == {"mpi.longest": "1000 B"}
    assert limits.most("mpi.longest", {"queue.slots": "3", "queue.data": "31 B"}) == 93 / 1024


def test_every_limit_of_a_machine_leaves_its_value():
    found = [(machine, limits_of(machine)) for machine in MACHINES]
    assert sum(len(limits.limits) for _, limits in found) > 0
    for machine, limits in found:
        for key in limits.limits:
            assert limits.numbers[key][0] <= limits.most(key, {}), f"{machine}: {key}"


def test_every_draw_is_a_machine_that_can_be(build, monkeypatch):
    monkeypatch.setenv("HINDCAST_LAUNCHER", str(build / "bin" / "hindcast"))
    parameters = [
        one for one in uncertain_parameters("t3e-900", {}) if one.key.split(".")[0] in ("mpi", "locked_queue")
    ]
    design = make_design("sobol", [one.key for one in parameters], 64, 1)
    draws = [drawn(parameters, row, limits_of("t3e-900")).settings() for row in design.draws]
    longest = [int(draw["mpi.medium_max"].removesuffix(" B")) for draw in draws]
    room = [int(draw["locked_queue.slots"]) * int(draw["locked_queue.slot_data"].removesuffix(" B")) for draw in draws]
    assert all(one <= most for one, most in zip(longest, room, strict=True))
    assert any(most < 16384 for most in room)
    for draw in draws[::8]:
        check_settings("t3e-900", ("mpi.library=old", *(f"{key}={value}" for key, value in draw.items())))


def test_a_place_is_one_in_what_others_of_the_draw_leave(tmp_path, root):
    path = write_machine(tmp_path, root)
    path.write_text(
        path.read_text().replace("range = [1, 3]", 'range = [0, 3], at_most = "processor.copy_bandwidth * 400 B"')
    )
    copy, send = uncertain_parameters(str(path), {"SMALL-01": 0.05})
    limits = limits_of(str(path))
    assert limits.most(send.key, {copy.key: "800 MB/s"}) == 0.5
    assert drawn([send, copy], (0.5, 1), limits).settings() == {copy.key: "420 MB/s", send.key: "0.47619 us"}
    assert drawn([send], (0.5,), limits).settings() == {send.key: "0.5 us"}


def test_a_number_whose_limit_is_of_a_part_left_out_is_drawn_from_its_whole_range(build, monkeypatch, tmp_path, root):
    monkeypatch.setenv("HINDCAST_LAUNCHER", str(build / "bin" / "hindcast"))
    text = (root / "platforms" / "t3e-900.toml").read_text()
    path = tmp_path / "mine.toml"
    path.write_text(re.sub(r"^\[locked_queue\]\n(?:.+\n|\n(?!\[|#))*", "", text, count=1, flags=re.M))
    (longest,) = [one for one in uncertain_parameters(str(path), {}) if one.key == "mpi.medium_max"]
    assert drawn([longest], (1,), limits_of(str(path))).settings() == longest.settings(longest.high)


def test_draws_that_fail_are_counted_and_told(small, in_folder, tmp_path, root):
    path = write_machine(tmp_path, root)
    rate = 'combine_rate = { value = 300, unit = "op/s", kind = "assumed", range = [100, 400], source = "nobody says" }'
    path.write_text(re.sub(r"^combine_rate = .*$", rate, path.read_text(), count=1, flags=re.M))
    done = in_folder("uncertainty", "./mine.toml", "small.toml", "--samples", "40", timeout=120)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "out" / "uncertainty" / "small.mine" / "small.claims.csv").read_text()
    failed = int(re.search(r"^# failed draws, which count for nothing: (\d+); .*less than 250 a second", text, re.M)[1])
    assert 0 < failed < 40
    assert f"{failed} of 40 draws failed and count for nothing" in done.stdout
