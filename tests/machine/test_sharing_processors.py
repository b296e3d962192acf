"""More ranks on a node than it has processors: they take turns, by the rule of docs/design.md."""

import pytest

# Each rank computes for 25 ms on a node of `cluster`, and says in ns when it is done.
COMPUTES = """#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  hindcast_compute_flops(1e7);
  printf("%d %.0f\\n", rank, MPI_Wtime() * 1e9);
  MPI_Finalize();
  return 0;
}
"""
MODES = [[], ["--lockstep"]]


def ends(done):
    assert (done.returncode, done.stderr) == (0, "")
    lines = dict(line.split() for line in done.stdout.splitlines())
    return [int(lines[str(rank)]) for rank in range(len(lines))]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("ranks", "processors", "expected"),
    [
        (2, 2, [25_000_100, 25_000_100]),
        # Slices of 10 ms and switches of 10 us. Rank 0: 0-10, 1: 10.01-20.01, 0: 20.02-30.02, 1: 30.03-40.03,
        # 0: 40.04-45.04, 1: 45.05-50.05. Then 0 reads the clock, and 1 after it.
        (2, 1, [50_060_100, 50_070_200]),
        # On one processor 0: 0-10, 2: 10.01-20.01, 0: 20.02-25.02, 2: 25.03-35.03 and 35.03-40.03. On the other
        # 1: 0-10, 0: 10.01-20.01, 1: 20.02-30.02; 0 reads the clock from 30.03 on, before 1 goes on at 30.0401.
        (3, 2, [30_030_100, 35_040_200, 40_030_100]),
    ],
)
def test_turns_go_round_by_slices(ranks, processors, expected, mode, run_program):
    settings = ["--set", f"node.smp.processors={processors}", "--map", f"block:{ranks}"]
    assert ends(run_program(COMPUTES, ranks, machine="cluster", launcher=[*mode, *settings])) == expected


# Ranks 0, 1 and 2 share a node, and 3 is on another. Rank 2 waits for what rank 3 sends while the others compute, and
# then for more that comes when they are done.
WAITS = """#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int rank, data = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 2; ++i) {
    if (rank == 3) hindcast_compute_seconds(5e-3 + i * 10e-3);
    if (rank == 3) MPI_Send(&data, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    if (rank == 2) MPI_Recv(&data, 1, MPI_INT, 3, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (rank < 2) hindcast_compute_seconds(9e-3);
  if (rank < 2) printf("%d %.0f\\n", rank, MPI_Wtime() * 1e9);
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("progress", ["hardware", "interrupt", "polling"])
def test_work_on_an_arrival_takes_a_processor_from_a_neighbour(progress, mode, run_program):
    """An interrupt puts off rank 0, whose processor is the first of two that are free at one time. Work in a poll waits
    for that processor, from 9.01 to 9.011 ms, so that both ranks read their clocks on the other one, with a switch."""
    changes = ["node.smp.processors=2", f"messages.progress={progress}", "method.network.receive_overhead=0 us"]
    settings = [word for change in changes for word in ("--set", change)]
    computing = ends(run_program(WAITS, 4, machine="cluster", launcher=[*mode, *settings, "--map", "0,0,0,1"]))
    service, clock_read = 1000, 100
    undisturbed = 9_000_000 + clock_read
    assert (
        computing
        == {
            "hardware": [undisturbed, undisturbed],
            "interrupt": [undisturbed + service, undisturbed],
            "polling": [undisturbed + 10_000, undisturbed + 20_000 + clock_read],
        }[progress]
    )


def test_without_a_slice_every_rank_has_a_processor(run_program, root, tmp_path):
    lines = (root / "platforms" / "cluster.toml").read_text().splitlines()
    file = tmp_path / "own.toml"
    file.write_text("\n".join(line for line in lines if not line.startswith(("time_slice", "task_switch"))))
    settings = ["--set", "node.smp.processors=1", "--map", "block:3"]
    assert ends(run_program(COMPUTES, 3, machine=file, launcher=settings)) == [25_000_100] * 3


def test_a_slice_needs_a_switch(hindcast, root, tmp_path):
    lines = (root / "platforms" / "cluster.toml").read_text().splitlines()
    file = tmp_path / "own.toml"
    file.write_text("\n".join(line for line in lines if not line.startswith("task_switch")))
    done = hindcast("check", file)
    assert "node.smp.task_switch: this key is missing: a time in ps" in done.stderr
    done = hindcast("check", "cluster", "--set", "node.smp.time_slice=0 us")
    assert "must be more than 0" in done.stderr
