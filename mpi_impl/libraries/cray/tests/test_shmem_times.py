"""What SHMEM's collectives take: it follows from puts, waits and the barrier network, and nothing else."""

from pathlib import Path

import pytest

from tests.support.machine_files import machine_numbers

PROGRAM = Path(__file__).parent / "shmem" / "timing" / "collectives.c"


@pytest.fixture(scope="module")
def times(run_program):
    """times(64, "key=value"): in microseconds, by call."""
    seen = {}

    def measure(pes, *settings):
        if (pes, settings) not in seen:
            launcher = [word for setting in settings for word in ("--set", setting)]
            done = run_program(PROGRAM, pes, machine="t3e-900", launcher=launcher)
            assert done.returncode == 0, done.stderr
            lines = [line.split() for line in done.stdout.splitlines()]
            seen[pes, settings] = {name: float(value) for name, value in lines}
        return seen[pes, settings]

    return measure


def test_all_pes_pass_the_barrier_network_and_others_a_tree(times):
    few, many = times(8), times(64)
    assert many["barrier"] == many["barrier_of_all"]
    # The network has some levels more; the tree of messages is higher.
    assert few["barrier_of_all"] < many["barrier_of_all"] < 3 * few["barrier_of_all"]
    assert many["barrier_of_others"] > 5 * many["barrier_of_all"]
    assert few["barrier_of_others"] < many["barrier_of_others"] < 3 * few["barrier_of_others"]


def test_a_broadcast_takes_as_many_rounds_as_the_tree_is_high_behind_a_barrier(times):
    two, few, many = (times(pes)["broadcast"] - times(pes)["barrier_of_all"] for pes in (2, 8, 64))
    assert few == pytest.approx(3 * two, rel=0.1)
    assert many == pytest.approx(6 * two, rel=0.1)


def test_data_costs_by_the_byte(times):
    many = times(64)
    of_a_byte = (many["broadcast_many"] - many["broadcast"]) / (6 * 5000 * 8)
    assert of_a_byte == pytest.approx(machine_numbers("t3e-900")["network.injection_bandwidth"], rel=0.05)
    # In a reduction a PE gets and puts all the data about once, however many PEs there are.
    assert many["sum_many"] < many["broadcast_many"]


def test_equal_lengths_are_quicker_to_collect_than_unknown_ones(times):
    assert times(64)["fcollect"] < times(64)["collect"]


def test_a_slower_put_makes_every_collective_slower(times):
    usual, slower = times(64, "shmem.put_overhead=1us"), times(64, "shmem.put_overhead=4us")
    assert slower["put"] - usual["put"] == pytest.approx(3, abs=0.01)
    for call in ("barrier_of_others", "broadcast", "fcollect", "collect", "sum", "sum_many"):
        assert slower[call] > usual[call] + 6 * 3, call
    assert slower["barrier_of_all"] == usual["barrier_of_all"]


def test_where_the_network_keeps_the_order_a_fence_need_not_wait(times):
    usual, ordered = times(64), times(64, "shmem.fence=orders")
    for call in ("broadcast", "fcollect", "sum"):
        assert ordered[call] < usual[call], call
    assert ordered["barrier_of_others"] == usual["barrier_of_others"]
