"""What MPI says of how a run was started: which ranks share a node, which program a rank runs, what threads it may
have."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
STARTS = FOLDER / "starts.c"
LINE = re.compile(
    r"(\d+): place (\d+) of (\d+) on its node, program (\d+), universe (\d+), host 1, io 1, global clock 1"
)


def lines(done):
    """By rank: place on its node, how many ranks the node has, program, size of the universe."""
    assert (done.returncode, done.stderr) == (0, "")
    rows = sorted(tuple(map(int, match)) for match in LINE.findall(done.stdout))
    assert [row[0] for row in rows] == list(range(len(rows)))
    return [row[1:] for row in rows]


@pytest.mark.parametrize("machine", ["ideal", "ap1000"])
def test_each_rank_has_a_node_of_its_own(machine, run_program):
    assert lines(run_program(STARTS, 4, machine=machine)) == [(0, 1, 0, 4)] * 4


def test_ranks_on_a_node_are_put_together(run_program):
    block = lines(run_program(STARTS, 5, launcher=["--map", "block:2"]))
    assert [row[:2] for row in block] == [(0, 2), (1, 2), (0, 2), (1, 2), (0, 1)]
    cyclic = lines(run_program(STARTS, 5, launcher=["--map", "cyclic:2"]))
    assert [row[:2] for row in cyclic] == [(0, 3), (0, 2), (1, 3), (1, 2), (2, 3)]
    listed = lines(run_program(STARTS, 3, launcher=["--map", "7,3,7"]))
    assert [row[:2] for row in listed] == [(0, 2), (0, 1), (1, 2)]


def test_every_rank_knows_which_of_several_programs_it_runs(compile_program, hindcast):
    program = compile_program(STARTS)
    done = hindcast("run", "-n", "2", program, ":", "-n", "1", program, "an argument", ":", "-n", "2", program)
    assert [row[2:] for row in lines(done)] == [(0, 5), (0, 5), (1, 5), (2, 5), (2, 5)]


LEVELS = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  int provided = -1, queried = -1, is_main = -1;
  if (argc > 1)
    MPI_Init_thread(&argc, &argv, atoi(argv[1]), &provided);
  else
    MPI_Init(&argc, &argv);
  MPI_Query_thread(&queried);
  MPI_Is_thread_main(&is_main);
  printf("%d %d %d\\n", provided, queried, is_main);
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize(
    ("required", "said"), [("0", "0 0 1"), ("1", "1 1 1"), ("2", "2 2 1"), ("3", "3 3 1"), ("", "-1 0 1")]
)
def test_a_rank_is_given_the_level_that_it_asks_for(required, said, run_program):
    done = run_program(LEVELS, 1, *required)
    assert (done.returncode, done.stdout) == (0, said + "\n")
