"""What messages of MPI/AP take, by the numbers of the machine's file."""

import itertools
import re
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "programs"
# In us, and us a byte.
SEND, RECEIVE, MPI_SEND, MPI_RECEIVE = 24.824, 20.9, 11.5, 11.5
HEADER, BUS, COPY, HOP = 16, 0.011, 0.0052, 0.1
CLOCK = 1.0  # a look at the clock


@pytest.fixture
def ping(run_program):
    def run_it(*lengths, settings=(), ranks=2):
        launcher = [word for setting in settings for word in ("--set", setting)]
        done = run_program(PROGRAMS / "ping.c", ranks, *lengths, machine="ap3000", launcher=launcher)
        assert (done.returncode, done.stderr) == (0, "")
        found = re.findall(r"(\d+) bytes: sent ([\d.]+) received ([\d.]+)", done.stdout)
        return {int(length): (float(sent), float(received)) for length, sent, received in found}

    return run_it


@pytest.mark.parametrize("length", [0, 1, 1000, 65536, 1000000])
def test_a_message_takes_a_start_up_and_a_time_for_each_byte(ping, length):
    sent, received = ping(length)[length]
    assert sent == pytest.approx(MPI_SEND + SEND + (HEADER + length) * BUS + CLOCK, abs=0.002)
    left = received - sent
    assert left == pytest.approx(HOP + MPI_RECEIVE + RECEIVE + length * COPY, abs=0.002)


def test_its_time_has_no_step_over_sizes(ping):
    lengths = range(0, 65536, 4096)
    times = ping(*lengths)
    steps = [times[b][1] - times[a][1] for a, b in itertools.pairwise(lengths)]
    assert steps == pytest.approx([4096 * (BUS + COPY)] * len(steps), abs=0.01)


def test_numbers_of_the_file_move_it(ping):
    plain = ping(10000)[10000]
    slow_bus = ping(10000, settings=["sbus.bandwidth=22ns/B"])[10000]
    assert slow_bus[0] - plain[0] == pytest.approx((HEADER + 10000) * BUS, abs=0.002)
    slow_copy = ping(10000, settings=["processor.copy_bandwidth=10.4ns/B"])[10000]
    assert slow_copy[0] == plain[0]
    assert slow_copy[1] - plain[1] == pytest.approx(10000 * COPY, abs=0.002)
    slow_send = ping(0, settings=["ap3000.send_overhead=30us"])[0]
    assert slow_send[0] - ping(0)[0][0] == pytest.approx(30 - SEND, abs=0.002)


def test_a_link_that_is_slower_than_the_bus_carries_it_at_its_rate(ping):
    slow = ping(10000, settings=["network.link_bandwidth=50MB/s"])[10000]
    assert slow[1] - ping(10000)[10000][1] == pytest.approx((HEADER + 10000) * (0.02 - BUS), abs=0.01)


@pytest.fixture
def reduction(run_program):
    def run_it(ranks, doubles, *settings):
        launcher = [word for setting in settings for word in ("--set", setting)]
        done = run_program(PROGRAMS / "reduction.c", ranks, doubles, machine="ap3000", launcher=launcher)
        assert (done.returncode, done.stderr) == (0, "")
        verdict, _, total, _, own = done.stdout.split()
        assert verdict == "right"
        return float(total), float(own)

    return run_it


RESULT_COPY = COPY


@pytest.mark.parametrize("levels", [1, 2, 3])
@pytest.mark.parametrize("doubles", [1, 8192])
def test_a_reduction_takes_a_message_a_level_and_mpis_own_work_where_it_is_passed_on(reduction, levels, doubles):
    length = 8 * doubles
    total, own = reduction(2**levels, doubles)
    each = MPI_SEND + SEND + HEADER * BUS + MPI_RECEIVE + RECEIVE + length * (BUS + 2 * COPY)
    hops = pytest.approx(levels * each + (levels - 1) * (MPI_SEND + MPI_RECEIVE), abs=0.1 + 0.25 * levels)
    assert total == hops
    assert own - total == pytest.approx(length * RESULT_COPY, abs=0.01)


def test_numbers_of_the_file_move_a_reduction(reduction):
    total, own = reduction(4, 8192)
    quick = reduction(4, 8192, "processor.combine_rate=24040 Gop/s")
    assert total - quick[0] == pytest.approx(2 * 65536 * COPY, abs=0.1)
    assert own - quick[1] == pytest.approx(2 * 65536 * COPY, abs=0.1)
    copied = reduction(4, 8192, "mpi.result_copy=15.2ns/B")
    assert copied[0] == total
    assert copied[1] - own == pytest.approx(65536 * 0.01, abs=0.1)
    assert reduction(4, 8192, "mpi.overhead=33us")[0] - total == pytest.approx(30, abs=0.1)
