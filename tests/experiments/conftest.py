"""A small experiment on `ideal`, as a file that tests change and run."""

import re
from contextlib import ExitStack

import pytest

from experiments.uncertainty.samples import opened_samples
from experiments.uncertainty.study import experiments_of

PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int bytes = atoi(argv[argc - 1]);
  char* data = calloc(bytes + 1, 1);
  const double start = MPI_Wtime();
  if (rank == 0) MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(data, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(data, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("bytes,rank,time_us\n%d,0,%.6f\n", bytes, (MPI_Wtime() - start) * 1e6);
  MPI_Finalize();
  return 0;
}
"""

EXPERIMENT = """\
name = "small"
title = "A ping-pong on a machine of no interest"
source = "nowhere"
rule = "rank 0's time"

[machine]
name = "ideal"
ranks = 2

[sizes]
name = "bytes"
label = "bytes sent"
values = [0, { from = 1000, to = 4000, step = 1000 }]

[[curve]]
name = "MPI"
program = "there.c"

[[curve]]
name = "slow MPI"
program = "there.c"
set = ["processor.send_overhead=9 us"]

[figure]
caption = "A line."
x = { label = "Bytes" }

[[figure.panel]]
y = { label = "Time", unit = "us" }
fits = true

[[claim]]
id = "SMALL-01"
kind = "predicts"
states = "rate"
source = "nowhere"
published = 171.4 # a byte takes 1/400 us to be copied and 1/300 us on the net
unit = "MB/s"
tolerance = 0.01
measure = { how = "rate", curve = "MPI" }
"""


class ExperimentFile:
    def __init__(self, folder):
        self.folder = folder
        self.path = folder / "small.toml"
        self.program = folder / "there.c"
        self.path.write_text(EXPERIMENT)
        self.program.write_text(PROGRAM)

    def change(self, old, new):
        text = self.path.read_text()
        assert old in text
        self.path.write_text(text.replace(old, new, 1))

    def position(self, word):
        """Line and column of the first occurrence, as errors give them."""
        before = self.path.read_text().partition(word)[0]
        return f"{before.count(chr(10)) + 1}:{len(before) - before.rfind(chr(10))}"


@pytest.fixture
def verdicts_with(hindcast, tmp_path):
    """verdicts_with("ap1000-fig07", "cellos.cache=64 KiB"): of an experiment's claims, on a changed machine."""

    def verdicts(experiment, *settings):
        changes = [word for setting in settings for word in ("--set", setting)]
        done = hindcast("experiment", "run", experiment, *changes, "--out", tmp_path, timeout=300)
        assert done.returncode == 0, done.stderr
        rows = [line.split() for line in done.stdout.splitlines() if re.match(r" [A-Z0-9]+-\d+[a-z]? ", line)]
        return {row[0]: "yes" in row for row in rows}

    return verdicts


@pytest.fixture(scope="session")
def samples_about(build, tmp_path_factory):
    """samples_about("ap1000"): of what is claimed of a machine. What a test has run is there for others."""
    with ExitStack() as stack:
        kept = {}

        def about(machine):
            if machine not in kept:
                with pytest.MonkeyPatch.context() as environment:
                    environment.setenv("HINDCAST_LAUNCHER", str(build / "bin" / "hindcast"))
                    folder = tmp_path_factory.mktemp(machine)
                    kept[machine] = opened_samples(experiments_of(machine), machine, folder, stack)
            return kept[machine]

        yield about


@pytest.fixture
def small(tmp_path):
    return ExperimentFile(tmp_path)


@pytest.fixture
def in_folder(hindcast, tmp_path):
    """in_folder("experiment", "list"): hindcast, started in the folder of the test."""

    def start(*words, **options):
        return hindcast(*words, cwd=tmp_path, **options)

    return start
