"""MPICH on Nexus: its times follow from those of Nexus and MPL; requests, threads and partitions beside MPI's calls."""

import json
import re
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).parent / "programs"
PINGPONG = Path(__file__).parents[4] / "experiments" / "iway" / "programs" / "pingpong_mpi.c"
ON_NEXUS = ["mpi.channel=nexus"]
BY_MPL = [*ON_NEXUS, "nexus.methods=mpl"]
# The machine's numbers, in microseconds.
MPICH, MPL, REST, SETUP, CALL, LOOKUP = 21.733, 60.456, 38.6, 7.111, 6.4, 7
HEADERS, WIRE_BYTE, SWITCH = 24 + 32 + 16, 1 / 36, 0.5
READING = 1 / 200  # a look at the clock, of which each way has its share


@pytest.fixture(scope="module")
def on_nexus(runs_on, same_ahead_and_in_lockstep):
    """The standard output of a program, which is the same ahead of the clock and in lockstep."""
    return same_ahead_and_in_lockstep(runs_on("argonne-sp"))


def one_way(on_nexus, settings, bytes_=0):
    return float(on_nexus(PINGPONG, 2, bytes_, settings=settings).splitlines()[-1].split(",")[1])


@pytest.mark.parametrize("bytes_", [0, 100, 168])
def test_a_message_takes_what_is_reckoned_by_hand(on_nexus, bytes_):
    calls = MPICH + REST + SETUP + CALL + MPL + LOOKUP
    copies = 2 * bytes_ * 0.01
    expected = calls + copies + SWITCH + (bytes_ + HEADERS) * WIRE_BYTE + READING
    assert one_way(on_nexus, BY_MPL, bytes_) == pytest.approx(expected, abs=2e-3)


@pytest.mark.parametrize(
    ("setting", "more"),
    [
        ("mpi.nexus_rest=48.6us", 10),
        ("nexus.header_setup=9.111us", 2),
        ("nexus.header_bytes=68", 1),
        ("mpl.overhead=70.456us", 10),
        ("network.switch_latency=1.5us", 1),
        ("tcp.select=900us", 0),
    ],
)
def test_a_number_of_what_it_stands_on_moves_mpi(on_nexus, setting, more):
    assert one_way(on_nexus, [*BY_MPL, setting]) - one_way(on_nexus, BY_MPL) == pytest.approx(more, abs=2e-3)


def test_selects_slow_mpi_by_mpl_down(on_nexus):
    assert one_way(on_nexus, ON_NEXUS) > one_way(on_nexus, BY_MPL) + 100
    assert one_way(on_nexus, [*ON_NEXUS, "nexus.tcp_every=1000"]) < one_way(on_nexus, BY_MPL) + 20


def test_ranks_of_different_partitions_reach_each_other_by_tcp(on_nexus, run_program):
    apart = ["mpl.partition_nodes=1"]
    assert one_way(on_nexus, [*ON_NEXUS, *apart]) > 250
    refused = run_program(PINGPONG, 2, 0, machine="argonne-sp", launcher=["--set", *apart])
    assert refused.returncode != 0
    assert "MPL reaches the nodes of one partition only" in refused.stderr
    refused = run_program(
        PINGPONG, 2, 0, machine="argonne-sp", launcher=["--set", BY_MPL[0], "--set", BY_MPL[1], "--set", *apart]
    )
    assert refused.returncode == 1
    assert re.search(r"no method of Nexus leads from here to rank \d", refused.stderr)


def test_each_message_goes_by_the_method_that_leads_there(on_nexus, tmp_path):
    """Four ranks in two partitions, in a ring of messages: two go inside a partition, and two between them."""
    file = tmp_path / "steps.json"
    settings = [*ON_NEXUS, "mpl.partition_nodes=2"]
    on_nexus(PROGRAMS / "nexus_inside.c", 4, settings=settings, launcher=["--count", str(file)])
    steps = json.dumps(json.loads(file.read_text()))
    assert "call of TCP that sends" in steps
    assert '"call that sends"' in steps


@pytest.mark.parametrize("settings", [[], ["nexus.version=threaded"], ["mpl.partition_nodes=2"]])
def test_requests_and_messages_of_mpi_go_side_by_side(on_nexus, settings):
    assert on_nexus(PROGRAMS / "nexus_inside.c", 5, settings=[*ON_NEXUS, *settings]) == "right\n"


@pytest.mark.parametrize(
    "settings", [["nexus.version=threaded"], ["nexus.version=threaded", "mpl.partition_nodes=2"], ["nexus.methods=mpl"]]
)
def test_each_message_comes_to_one_of_the_threads_that_receive_it(on_nexus, settings):
    assert on_nexus(PROGRAMS / "receivers.c", 4, settings=[*ON_NEXUS, *settings]) == "right\n"


def test_what_comes_by_several_connections_is_read_in_turn(on_nexus):
    sources = on_nexus(PROGRAMS / "streams_in_turn.c", 3, settings=[*ON_NEXUS, "mpl.partition_nodes=1"]).split()
    assert sorted(sources) == ["1"] * 20 + ["2"] * 20
    assert all(set(sources[i : i + 2]) == {"1", "2"} for i in range(0, 40, 2))
