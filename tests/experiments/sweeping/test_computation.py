"""hindcast sweep --compute: what computation takes, and where that is recorded."""

import pytest

from tests.experiments.sweeping.there import head_and_table, sha256

# Rank 0 adds up numbers between two looks at the clock, and says how long that took.
PROGRAM = r"""
#include <hindcast.h>
#include <mpi.h>
#include <stdio.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const double start = MPI_Wtime();
  volatile double sum = 0;
  for (int i = 0; i < 300000; ++i) sum += i;
  hindcast_compute_seconds(2);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("time_us\n%.6f\n", (MPI_Wtime() - start) * 1e6);
  MPI_Finalize();
  return 0;
}
"""


@pytest.fixture
def computing(tmp_path, compile_program, hindcast):
    """An executable, and what it computes on two ranks and on four, in the folder of the test."""
    program = compile_program(PROGRAM)
    (tmp_path / "computing").symlink_to(program)
    for ranks in (2, 4):
        file = tmp_path / f"of-{ranks}.csv"
        done = hindcast("run", "-n", ranks, "--compute", "measured:3", "--record-computation", file, program)
        assert done.returncode == 0, done.stderr


def table(tmp_path):
    _, text = head_and_table(tmp_path / "out" / "sweep" / "computing" / "table.csv")
    head, *rows = (line.split(",") for line in text.splitlines())
    return head, {tuple(row[:-1]): float(row[-1]) for row in rows}


def test_runs_compute_what_was_recorded_for_their_number_of_ranks(sweep, computing, tmp_path):
    words = ("-m", "ideal,t3e-900", "-n", "2,4", "--compute", "free,charged,recorded:of-{ranks}.csv", "./computing")
    assert sweep(*words)[-1] == "12 runs: 0 kept from before, 0 failed"
    head, times = table(tmp_path)
    assert head == ["machine", "ranks", "compute", "time_us"]
    for machine in ("ideal", "t3e-900"):
        for ranks in ("2", "4"):
            free, charged, recorded = (
                times[machine, ranks, way] for way in ("free", "charged", "recorded:of-{ranks}.csv")
            )
            assert free < 100
            assert charged > 2e6
            assert free + 100 < recorded < charged
    assert sweep(*words)[-1] == "12 runs: 12 kept from before, 0 failed"
    assert table(tmp_path) == (head, times)


def test_a_run_is_made_again_if_the_recording_has_changed(sweep, computing, tmp_path):
    words = ("-n", "2,4", "--compute", "recorded:30:of-{ranks}.csv", "./computing")
    sweep(*words)
    before = table(tmp_path)
    text = (tmp_path / "of-4.csv").read_text()
    (tmp_path / "of-4.csv").write_text(text.replace("MPI_Barrier,", "MPI_Barrier,1"))
    assert sweep(*words)[-1] == "2 runs: 1 kept from before, 0 failed"
    after = table(tmp_path)
    assert after[1]["ideal", "2"] == before[1]["ideal", "2"]
    assert after[1]["ideal", "4"] > before[1]["ideal", "4"]
    said, _ = head_and_table(tmp_path / "out" / "sweep" / "computing" / "table.csv")
    for ranks in (2, 4):
        assert f"computation of-{ranks}.csv, SHA-256 {sha256(tmp_path / f'of-{ranks}.csv')}" in said
