"""What messages that meet at a node do to each other: on its SBus, and in its system buffer."""

from pathlib import Path

import pytest

PROGRAM = Path(__file__).parent / "programs" / "sharing.c"
# In us, and us a byte.
SEND, RECEIVE, MPI_SEND, MPI_RECEIVE, CLOCK = 24.824, 20.9, 11.5, 11.5, 1
HEADER, BUS, COPY, HOP = 16, 0.011, 0.0052, 0.1
ONE = MPI_SEND + SEND + HOP + MPI_RECEIVE + RECEIVE  # with no bytes


@pytest.fixture
def times(run_program):
    def run_it(ranks, *args, settings=()):
        launcher = [word for setting in settings for word in ("--set", setting)]
        ahead = run_program(PROGRAM, ranks, *args, machine="ap3000", launcher=launcher)
        assert (ahead.returncode, ahead.stderr) == (0, "")
        lockstep = run_program(PROGRAM, ranks, *args, machine="ap3000", launcher=[*launcher, "--lockstep"])
        assert lockstep.stdout == ahead.stdout
        return [float(line) for line in ahead.stdout.split()]

    return run_it


@pytest.mark.parametrize("sharing", ["fair", "turns"])
@pytest.mark.parametrize("count", [100, 50000])
def test_both_directions_share_the_bus(times, sharing, count):
    [took] = times(2, "exchange", count, settings=[f"sbus.sharing={sharing}"])
    assert took == pytest.approx(ONE + CLOCK + 2 * (HEADER + count) * BUS + count * COPY, abs=0.3)


def test_what_two_send_to_one_comes_over_its_bus_one_after_the_other(times):
    count = 50000
    [took] = times(3, "two", count)
    assert took == pytest.approx(
        ONE + CLOCK + 2 * (HEADER + count) * BUS + count * COPY + MPI_RECEIVE + RECEIVE, abs=COPY * count + 0.5
    )
    [alone] = times(2, "exchange", count)
    assert took >= alone


def test_who_finds_the_buffer_full_waits(times):
    count = 300_000
    each = MPI_SEND + SEND + (HEADER + count) * BUS + CLOCK
    took = times(2, "full", count, 5, settings=["ap3000.system_buffer=1000000B"])
    assert took[:3] == pytest.approx([each] * 3, abs=0.01)
    received = MPI_RECEIVE + RECEIVE + count * COPY
    assert took[3] == pytest.approx(1e6 - 3 * each + CLOCK + received + (HEADER + count) * BUS + CLOCK, abs=10)


def test_a_wider_buffer_holds_them_all(times):
    count = 300_000
    each = MPI_SEND + SEND + (HEADER + count) * BUS + CLOCK
    assert times(2, "full", count, 5) == pytest.approx([each] * 5, abs=0.01)


def test_what_is_longer_than_the_buffer_is_refused(run_program):
    launcher = ["--set", "ap3000.system_buffer=1000 B"]
    done = run_program(PROGRAM, 2, "full", 985, 1, machine="ap3000", launcher=launcher)
    assert done.returncode != 0
    assert "MPI_Send" in done.stderr
    assert "ap3000.system_buffer less ap3000.header_bytes" in done.stderr
    assert run_program(PROGRAM, 2, "full", 984, 1, machine="ap3000", launcher=launcher).returncode == 0


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("ap3000.header_bytes=0", "must be more than 0"),
        ("ap3000.system_buffer=16B", "has no room for a message"),
        ("mpi.percent_at_sender=101", "must be 100 at most"),
    ],
)
def test_numbers_that_make_no_sense_are_refused(run_program, setting, said):
    done = run_program(PROGRAM, 2, machine="ap3000", launcher=["--set", setting])
    assert done.returncode != 0
    assert f"--set {setting}: {said}" in done.stderr
