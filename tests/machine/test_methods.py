"""What a machine's file says of the methods by which messages go, as a user sees it: times that can be reckoned by
hand, the method named by explain, and errors."""

from fractions import Fraction

import pytest

# One message of argv[1] bytes from rank argv[2] to rank argv[3], and what the receiver's clock then says, in ns.
MESSAGE = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, bytes = atoi(argv[1]), from = atoi(argv[2]), to = atoi(argv[3]);
  char* data = calloc(1, bytes + 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == from) MPI_Send(data, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD);
  if (rank == to) {
    MPI_Recv(data, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%.3f\\n", MPI_Wtime() * 1e9);
  }
  free(data);
  MPI_Finalize();
  return 0;
}
"""
# All ranks copy argv[1] bytes at one time, and say when each is done.
PACKS = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, bytes = atoi(argv[1]), place = 0;
  char *from = calloc(1, bytes), *into = calloc(1, bytes);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Pack(from, bytes, MPI_BYTE, into, bytes, &place, MPI_COMM_WORLD);
  printf("%d %.3f\\n", rank, MPI_Wtime() * 1e9);
  MPI_Finalize();
  return 0;
}
"""
CLOCK_READ_NS = 100  # of the nodes that are used here


def message_ns(run_program, machine, size, sender, receiver, *launcher):
    ranks = max(sender, receiver) + 1
    done = run_program(MESSAGE, ranks, size, sender, receiver, machine=machine, launcher=launcher)
    assert (done.returncode, done.stderr) == (0, "")
    return float(done.stdout) - CLOCK_READ_NS


def test_a_short_message_by_memory_is_copied_in_and_out(run_program):
    copy = 1000 / 0.25  # ns, at 250 MB/s
    header = 32 / 0.25
    expected = 1000 + copy + header + 200 + 1000 + copy
    assert message_ns(run_program, "cluster", 1000, 0, 1) == pytest.approx(expected, abs=0.0021)


def test_what_memory_alone_needs_may_stand_in_a_method_by_another_carrier(hindcast):
    done = hindcast("check", "cluster", "--set", "method.memory.carried_by=network")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_long_message_by_memory_asks_and_is_moved_once(run_program):
    size = 100_000
    header = 32 / 0.25 + 200
    expected = 1000 + 2 * header + ((size + 32) / 0.25 + 200) + 1000
    assert message_ns(run_program, "cluster", size, 2, 3) == pytest.approx(expected, abs=0.0061)


def test_a_message_between_nodes_goes_by_the_network(run_program):
    expected = 2000 + 1000 / 0.25 + 500 + 300 + 1032 / 0.1 + 2000
    assert message_ns(run_program, "cluster", 1000, 3, 4) == pytest.approx(expected, abs=0.0021)


def flow_ps(size, bytes_per_second):
    """A flow of SimGrid's, which ends at the next whole picosecond."""
    return -(-size * 10**12 // bytes_per_second)


PICOSECOND = 0.001  # in ns: the clock's, and that of what MESSAGE prints
# SimGrid keeps its clock and what is left of a flow as real numbers, and the flow's end is taken at a whole picosecond
# that is not before it: over tens of milliseconds that is up to two too late.
FLOW = 2 * PICOSECOND


# 64 B of header. A connection has at most 64 KiB under way in a round trip. That is 20 ms between east and midland, and
# 24 ms between the ends; in the 4 ms between midland and west the link is narrower than that. The sender copies the
# message once, at its own rate.
@pytest.mark.parametrize("size", [1, 1000, 65536])
@pytest.mark.parametrize(
    ("sender", "receiver", "latency_ms", "bytes_per_second", "ns_a_byte"),
    [
        (31, 32, 10, 65536 * 1000 // 20, 1 / 0.4),
        (64, 0, 12, 65536 * 1000 / 24, 1 / 0.2),
        (63, 64, 2, 45_000_000 // 8, 1 / 0.25),
    ],
)
@pytest.mark.parametrize("mode", [(), ("--lockstep",)])
def test_a_message_between_sites_goes_by_the_wide_area(
    size, sender, receiver, latency_ms, bytes_per_second, ns_a_byte, mode, run_program
):
    flow = flow_ps(size + 64, Fraction(bytes_per_second)) / 1000
    expected = 40_000 + flow + latency_ms * 1e6 + 40_000 + size * ns_a_byte
    clock_read = 200 if receiver == 64 else CLOCK_READ_NS  # of the nodes in the west
    found = message_ns(run_program, "grid", size, sender, receiver, *mode) + CLOCK_READ_NS - clock_read
    assert found == pytest.approx(expected, abs=FLOW + PICOSECOND / 2)


def test_long_messages_between_sites_ask_first(run_program):
    """Two messages of a header, and all bytes, which nobody copies."""
    size, rate = 100_000, 65536 * 1000 // 20
    flows = 2 * flow_ps(64, rate) + flow_ps(size + 64, rate)
    expected = 40_000 + flows / 1000 + 3 * 10e6 + 40_000
    assert message_ns(run_program, "grid", size, 31, 32) == pytest.approx(expected, abs=3 * FLOW)


# Every rank copies while rank 0's message goes to another node, and says when it is done, in ns.
BESIDE_COPIES = """#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
enum { SIZE = 100000, COPIED = 10000000 };
int main(int argc, char** argv) {
  int rank, ranks, place = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  char *from = calloc(1, COPIED), *into = calloc(1, COPIED);
  if (rank == 0) MPI_Send(from, SIZE, MPI_BYTE, ranks - 1, 0, MPI_COMM_WORLD);
  else if (rank == ranks - 1) MPI_Recv(from, SIZE, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  else MPI_Pack(from, COPIED, MPI_BYTE, into, COPIED, &place, MPI_COMM_WORLD);
  if (rank == ranks - 1) printf("%.3f\\n", MPI_Wtime() * 1e9);
  MPI_Finalize();
  return 0;
}
"""


# A message by the network of 32 B of header and 100,000 B, which asks first: all of it at 100 MB/s or at its share of
# 500 MB/s, whichever is less. What asks is read at that rate, and the answer is written at it. The copies begin before
# it and go on. Each end of a share is rounded up to a picosecond.
@pytest.mark.parametrize(
    ("access", "copying", "share"),
    [("apart", 7, None), ("port", 0, None), ("port", 4, 500 / 5), ("port", 7, 500 / 8)],
)
@pytest.mark.parametrize("mode", [[], ["--lockstep"]])
def test_a_network_shares_the_port_to_the_memory_with_processors(access, copying, share, mode, run_program):
    settings = ["--set", f"network.san.memory_access={access}", "--set", "node.smp.processors=8"]
    places = ["--map", ",".join(["0"] * (copying + 1) + ["1"])]
    done = run_program(BESIDE_COPIES, copying + 2, machine="cluster", launcher=[*mode, *settings, *places])
    assert (done.returncode, done.stderr) == (0, "")
    rate = min(100, share or 100) / 1000  # B a ns
    way = 500 + 300
    expected = 2000 + 2 * (32 / rate + way) + 100_032 / rate + way + 2000
    assert float(done.stdout) - CLOCK_READ_NS == pytest.approx(expected, abs=PICOSECOND * 8)


def test_a_port_to_the_memory_needs_a_network_that_foresees(run_program):
    settings = ["--set", "network.san.memory_access=port", "--set", "network.san.model=fluid"]
    done = run_program(ONE_RANK, 2, machine="cluster", launcher=settings)
    assert done.returncode != 0
    assert "--set network.san.memory_access=port: 'port' needs the model 'wormhole'" in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("ranks", "sharing", "expected_us"),
    [
        (1, "fair", [400]),
        (2, "fair", [400, 400]),
        (4, "fair", [800] * 4),
        (8, "fair", [1600] * 8),
        (2, "turns", [400, 600]),
        (4, "turns", [400, 600, 800, 1000]),
    ],
)
@pytest.mark.parametrize("mode", [[], ["--lockstep"]])
def test_ranks_of_a_node_share_its_memory(ranks, sharing, expected_us, mode, run_program):
    settings = ["--set", f"node.smp.memory_sharing={sharing}", "--set", "node.smp.processors=8"]
    done = run_program(PACKS, ranks, 100_000, machine="cluster", launcher=[*mode, *settings])
    assert (done.returncode, done.stderr) == (0, "")
    times = dict(line.split() for line in done.stdout.splitlines())
    found = [float(times[str(rank)]) - CLOCK_READ_NS for rank in range(ranks)]
    assert found == pytest.approx([us * 1000 for us in expected_us], abs=0.0021)


def test_explain_names_the_method(hindcast):
    def keys(*more):
        done = hindcast("explain", "-m", "cluster", "--bytes", "8", *more)
        assert done.returncode == 0, done.stderr
        return done.stdout

    inside, between = keys("--map", "0,0"), keys("--map", "0,1")
    assert "method.memory.send_overhead" in inside and "method.network" not in inside
    assert "method.network.send_overhead" in between and "method.memory" not in between
    assert "network.san.hop_latency" in between


ONE_RANK = """#include <mpi.h>
int main(int argc, char** argv) { MPI_Init(&argc, &argv); MPI_Finalize(); return 0; }
"""


@pytest.mark.parametrize(
    ("setting", "ranks", "told"),
    [
        ("method.network.between=sites", 5, "no [[method]] carries messages of any length between ranks of one site"),
        ("method.memory.between=site", 2, "memory carries messages between ranks of a node, and no others"),
        ("method.network.between=nodes", 2, "'nodes' is not one of node, site, sites"),
        ("method.network.header_bytes=0 B", 2, "must be more than 0"),
    ],
)
def test_methods_that_cannot_be_are_refused(setting, ranks, told, run_program):
    done = run_program(ONE_RANK, ranks, machine="cluster", launcher=["--set", setting])
    assert done.returncode != 0
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    ("machine", "nodes", "setting", "told", "needed"),
    [
        ("grid", "3,34", "method.internet.between=site", "ranks of different sites (node 34 to node 3)", "sites"),
        ("cluster", "2,5", "method.network.between=sites", "ranks of one site (node 5 to node 2)", "site"),
    ],
)
def test_a_pair_without_a_method_is_named(machine, nodes, setting, told, needed, run_program):
    done = run_program(ONE_RANK, 2, machine=machine, launcher=["--map", nodes, "--set", setting])
    assert (done.returncode, done.stdout) == (1, "")
    assert f"between {told}: one needs \"{needed}\" in its 'between'" in done.stderr
    assert len(done.stderr.splitlines()) == 1
