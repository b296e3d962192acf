"""What a machine's file says of the methods by which messages go, as a user sees it: times that can be reckoned by
hand, the method named by explain, and errors."""

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


def test_a_long_message_by_memory_asks_and_is_moved_once(run_program):
    size = 100_000
    header = 32 / 0.25 + 200
    expected = 1000 + 2 * header + ((size + 32) / 0.25 + 200) + 1000
    assert message_ns(run_program, "cluster", size, 2, 3) == pytest.approx(expected, abs=0.0061)


def test_a_message_between_nodes_goes_by_the_network(run_program):
    expected = 2000 + 1000 / 0.25 + 500 + 300 + 1032 / 0.1 + 2000
    assert message_ns(run_program, "cluster", 1000, 3, 4) == pytest.approx(expected, abs=0.0021)


# 64 B of header. A connection has at most 64 KiB under way in a round trip of 20 ms.
def test_a_message_between_sites_goes_by_the_wide_area(run_program):
    rate = 65536 / 20e6
    expected = 40_000 + 1000 / 0.4 + 1064 / rate + 10e6 + 40_000
    assert message_ns(run_program, "grid", 1000, 31, 32) - expected == pytest.approx(1000 / 0.25, rel=0.01, abs=5000)


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
