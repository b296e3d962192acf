"""Who combines for accumulates: what it takes by each, whose time it is, and that nobody gets between."""

import json
from pathlib import Path

import pytest

from tests.support.machine_files import machine_numbers

PROGRAM = Path(__file__).parent / "programs" / "accumulates.c"
PING = Path("experiments/earth_simulator/programs/ping_rma.c")
BIG = 1 << 20


@pytest.fixture(scope="module")
def numbers():
    return machine_numbers("earth-simulator")


@pytest.fixture(scope="module")
def run_by(runs_on, same_ahead_and_in_lockstep):
    """run_by(agent, source, n, *arguments): standard output, which is the same in lockstep."""

    output = same_ahead_and_in_lockstep(runs_on("earth-simulator"))

    def run_it(agent, source, n, *arguments, options=("--map", "node")):
        return output(source, n, *arguments, settings=[f"mpi.accumulate_by={agent}"], launcher=options)

    return run_it


@pytest.mark.parametrize("agent", ["target", "origin", "rcu"])
@pytest.mark.parametrize("kind", ["GMEM", "LMEM"])
@pytest.mark.parametrize("placement", ["node", "slot", "block:2"])
def test_nobody_gets_between_the_parts_of_an_operation(run_by, agent, kind, placement):
    assert run_by(agent, PROGRAM, 6, kind, options=["--map", placement]).startswith("right")


def message(numbers, payload=0):
    """From node to node, without anybody's work: the packet that says what is to be done, its header, its data."""
    packet = 64
    way = numbers["network.in.injection_latency"] + numbers["network.in.switch_latency"]
    return way + (packet + numbers["mpi.header_bytes"] + payload) * numbers["rcu.bandwidth"]


def transfer(numbers, size):
    way = numbers["network.in.injection_latency"] + numbers["network.in.switch_latency"]
    fixed = numbers["mpi.call"] + numbers["rcu.instruction"] + numbers["rcu.signal"] + way
    return fixed + (size + numbers["mpi.header_bytes"]) * numbers["rcu.bandwidth"]


def by_target(numbers, size):
    """A call, a call that asks for its end, the target's work on both, its signal, and work on that."""
    copy, combine = numbers["node.pn.copy_bandwidth"], numbers["node.pn.combine_rate"]
    there = size * copy + numbers["mpi.call"] + message(numbers, size)
    work = 2 * numbers["mpi.call"] + size * copy + size / 8 * combine
    return there + work + numbers["rcu.signal"] + numbers["mpi.call"]


def by_rcu(numbers, size):
    """No processor but the origin's works on anything."""
    copy, unit = numbers["node.pn.copy_bandwidth"], numbers["rcu.bandwidth"]
    calls = 2 * numbers["mpi.call"] if size == 8 else numbers["mpi.call"]  # the second is made during a long way
    work = size * unit + size / 8 * numbers["rcu.combine_rate"]
    return size * copy + calls + message(numbers, size if size > 8 else 0) + work + numbers["rcu.signal"]


def by_origin(numbers, size):
    """A turn at the target is asked for and granted, then a get, the combining and a put."""
    turn = numbers["mpi.call"] * 3 + message(numbers) + numbers["rcu.signal"]
    return turn + 2 * transfer(numbers, size) + size / 8 * numbers["node.pn.combine_rate"] + numbers["mpi.call"]


@pytest.mark.parametrize(
    ("agent", "reckoned"),
    [("target", by_target), ("rcu", by_rcu), ("origin", by_origin)],
    ids=["target", "rcu", "origin"],
)
@pytest.mark.parametrize("size", [8, BIG])
def test_an_accumulate_takes_what_is_reckoned_by_hand(run_by, root, numbers, agent, reckoned, size):
    took = float(run_by(agent, root / PING, 2, size, "accumulate").splitlines()[-1].split(",")[1])
    assert took == pytest.approx(reckoned(numbers, size), abs=0.1)


def steps_of(run_program, root, tmp_path, agent):
    counts = tmp_path / f"{agent}.json"
    options = ["--map", "node", "--set", f"mpi.accumulate_by={agent}", "--count", str(counts)]
    done = run_program(root / PING, 2, 65536, "accumulate", machine="earth-simulator", launcher=options)
    assert done.returncode == 0, done.stderr
    return json.loads(counts.read_text())


def amount_of(steps, name, rank):
    return sum(step["amount"] for step in steps if step["name"] == name and step.get("rank") == rank)


@pytest.mark.parametrize(("agent", "ranks"), [("target", (0, 1)), ("origin", (1, 0)), ("rcu", (0, 0))])
def test_elements_are_combined_by_whom_the_key_says(run_program, root, tmp_path, agent, ranks):
    operations = 11 * 65536 // 8
    steps = steps_of(run_program, root, tmp_path, agent)
    assert amount_of(steps, "combine", 0) == operations * ranks[0]
    assert amount_of(steps, "combine", 1) == operations * ranks[1]
    by_units = sum(step["amount"] for step in steps if step["name"] == "combined by the unit")
    assert by_units == (operations if agent == "rcu" else 0)


def test_a_target_that_computes_lets_accumulates_wait_for_its_calls(run_by, tmp_path):
    source = tmp_path / "computes.c"
    source.write_text("""
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
int main(void) {
  double *memory, one = 1;
  MPI_Win window;
  int rank;
  MPI_Init(0, 0);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Win_allocate(8, 8, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  MPI_Win_lock_all(MPI_MODE_NOCHECK, window);
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  if (rank == 1) hindcast_compute_seconds(1e-3);
  if (rank == 0) {
    MPI_Accumulate(&one, 1, MPI_DOUBLE, 1, 0, 1, MPI_DOUBLE, MPI_SUM, window);
    MPI_Win_flush(1, window);
    printf("%.9f\\n", (MPI_Wtime() - start) * 1e6);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
  MPI_Finalize();
  return 0;
}
""")
    assert float(run_by("target", source, 2)) > 1000
    assert float(run_by("rcu", source, 2)) < 10
