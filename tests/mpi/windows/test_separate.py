"""With --separate-windows a rank's loads and stores meet what others do only where the standard says that they do."""

import textwrap

import pytest

PROGRAM = """
#include <mpi.h>
#include <stdio.h>

enum { count = 4 };
static int rank, *mine, memory[count];
static MPI_Win win;
static MPI_Group origin, target;

// By rank 0, in different places, as a program may.
static void put_at_target(int value) {
  MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
  MPI_Put(&value, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
  MPI_Win_unlock(1, win);
}
static int got_from_target(void) {
  int seen = -1;
  MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
  MPI_Get(&seen, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
  MPI_Win_unlock(1, win);
  return seen;
}
static void lock(int which) { MPI_Win_lock(MPI_LOCK_EXCLUSIVE, which, 0, win); }

int main(int argc, char** argv) {
  const int one = 1, zero = 0;
  int *model, *base, flag;
  MPI_Group all;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &zero, &origin);
  MPI_Group_incl(all, 1, &one, &target);
  if (ALLOCATE)
    MPI_Win_allocate(sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
  else
    MPI_Win_create(mine = memory, sizeof memory, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  for (int i = 0; i < count; ++i) mine[i] = i;
  MPI_Win_fence(0, win);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  MPI_Win_get_attr(win, MPI_WIN_MODEL, &model, &flag);
  MPI_Win_get_attr(win, MPI_WIN_BASE, &base, &flag);
  if (rank == 1) printf("%s %s\\n", *model == MPI_WIN_SEPARATE ? "separate" : "unified", base == mine ? "own" : "?");
  fflush(stdout);
  if (rank == 1) mine[0] = 10;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) put_at_target(11);
  if (rank == 0) printf("got %d\\n", got_from_target());
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) printf("loaded %d\\n", mine[1]);
  fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);
  MEET
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("got %d\\n", got_from_target());
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 1) printf("loaded %d\\n", mine[1]);
  fflush(stdout);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) printf("time %.12f\\n", MPI_Wtime());
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
"""
# What brings both copies together, and what does not.
MEETINGS = {
    "a fence": ("MPI_Win_fence(0, win); MPI_Win_fence(MPI_MODE_NOSUCCEED, win);", True),
    "sync": ("if (rank == 1) { lock(0); MPI_Win_sync(win); MPI_Win_unlock(0, win); }", True),
    "a lock of its own": ("if (rank == 1) { lock(1); MPI_Win_unlock(1, win); }", True),
    "a lock of all": ("if (rank == 1) { MPI_Win_lock_all(0, win); MPI_Win_unlock_all(win); }", True),
    "a lock of another": ("if (rank == 1) { lock(0); MPI_Win_unlock(0, win); }", False),
    "a flush": ("if (rank == 1) { lock(0); MPI_Win_flush(0, win); MPI_Win_unlock(0, win); }", False),
    "an epoch that is waited for": (
        "if (rank == 0) { MPI_Win_start(target, 0, win); MPI_Win_complete(win); }"
        "else { MPI_Win_post(origin, 0, win); MPI_Win_wait(win); }",
        True,
    ),
    "an epoch that is tested": (
        "if (rank == 0) { MPI_Win_start(target, 0, win); MPI_Win_complete(win); }"
        "else { MPI_Win_post(origin, 0, win); do MPI_Win_test(win, &flag); while (!flag); }",
        True,
    ),
}
MACHINES = ["ideal", "t3e-900", "ap1000", "earth-simulator"]


@pytest.fixture
def run_meeting(tmp_path, run_program):
    def run(meet, *launcher, allocate=0, machine="ideal"):
        source = tmp_path / "body.c"
        text = textwrap.dedent(PROGRAM).replace("MEET", meet).replace("ALLOCATE", str(allocate))
        source.write_text(text)
        done = run_program(source, 2, launcher=[*launcher], machine=machine)
        assert done.returncode == 0, done.stderr
        lines = done.stdout.splitlines()
        return lines[:-1], float(lines[-1].split()[1])

    return run


@pytest.mark.parametrize("allocate", [0, 1], ids=["created", "allocated"])
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("meeting", MEETINGS.values(), ids=MEETINGS)
def test_copies_meet_where_the_standard_says(meeting, machine, allocate, run_meeting):
    meet, is_one = meeting
    separate = ["separate own", "got 0", "loaded 1", *(["got 10", "loaded 11"] if is_one else ["got 0", "loaded 1"])]
    for lockstep in [[], ["--lockstep"]]:
        lines, _ = run_meeting(meet, "--separate-windows", *lockstep, allocate=allocate, machine=machine)
        assert lines == separate
    lines, _ = run_meeting(meet, allocate=allocate, machine=machine)
    assert lines == ["unified own", "got 10", "loaded 11", "got 10", "loaded 11"]


def test_what_has_changed_is_copied_in_time(run_meeting):
    _, unified = run_meeting(MEETINGS["a fence"][0], machine="ap1000")
    _, separate = run_meeting(MEETINGS["a fence"][0], "--separate-windows", machine="ap1000")
    assert separate > unified


LEFT_BEHIND = """
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { bytes = 4096 };

int main(int argc, char** argv) {
  char* mine;
  MPI_Win win;
  MPI_Init(&argc, &argv);
  void* before[8];
  for (int i = 0; i < 8; ++i) before[i] = memset(aligned_alloc(64, bytes), atoi(argv[1]), bytes);
  for (int i = 0; i < 8; ++i) free(before[i]);
  MPI_Win_allocate(bytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &mine, &win);
  MPI_Win_fence(0, win);
  memset(mine, 1, bytes);
  MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
  printf("time %.12f\\n", MPI_Wtime());
  MPI_Win_free(&win);
  MPI_Finalize();
  return 0;
}
"""


def test_time_does_not_depend_on_what_was_in_allocated_memory_before(tmp_path, run_program):
    source = tmp_path / "body.c"
    source.write_text(LEFT_BEHIND)
    runs = [run_program(source, 1, value, launcher=["--separate-windows"]) for value in ("0", "1")]
    assert runs[0].stdout == runs[1].stdout != "", runs[0].stderr
