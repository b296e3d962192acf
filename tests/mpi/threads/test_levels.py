"""MPI on threads beyond the level that MPI_Init_thread has granted, and ranks that end while threads are in calls."""

import pytest

LEVELS = r"""
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int level, received;
static void* asks(void* unused) {
  int flag, given;
  MPI_Is_thread_main(&flag);
  MPI_Query_thread(&given);
  printf("%d %d\n", flag, given);
  return unused;
}
static void* receives(void* unused) {
  MPI_Recv(&received, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return unused;
}
static void* waits(void* unused) {
  MPI_Recv(&received, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  return unused;
}
int main(int argc, char** argv) {
  pthread_t thread;
  void* (*what)(void*) = argv[2][0] == 'a' ? asks : argv[2][0] == 'r' ? receives : waits;
  if (argv[1][0] == 'I') MPI_Init(&argc, &argv);
  else MPI_Init_thread(&argc, &argv, atoi(argv[1]), &level);
  pthread_create(&thread, NULL, what, NULL);
  usleep(10);
  if (what == waits) MPI_Send(&level, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
  if (argc == 3) pthread_join(thread, NULL);
  MPI_Finalize();
  return argc > 3 ? 7 : 0;
}
"""
MACHINES = ["ideal", "ap1000", "t3e-900", "cluster"]


WITHOUT_ERROR_CODES = r"""
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void* computes(void* unused) {
  char place[2];
  MPI_Aint one, other;
  MPI_Get_address(place, &one);
  other = MPI_Aint_add(one, 1);
  if (MPI_Aint_diff(other, one) != 1 || MPI_Wtime() < 0 || MPI_Comm_f2c(MPI_Comm_c2f(MPI_COMM_SELF)) != MPI_COMM_SELF)
    abort();
  return unused;
}
int main(int argc, char** argv) {
  int granted;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, atoi(argv[1]), &granted);
  pthread_create(&thread, NULL, computes, NULL);
  pthread_join(thread, NULL);
  MPI_Barrier(MPI_COMM_WORLD);
  puts("all have come");
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize("machine", [*MACHINES, "i-way"])
@pytest.mark.parametrize("level", [2, 3])
def test_a_call_that_returns_no_error_code_ends_as_others_do(level, machine, run_program):
    done = run_program(WITHOUT_ERROR_CODES, 2, level, machine=machine, timeout=20)
    assert (done.returncode, done.stdout) == (0, "all have come\n" * 2), done.stderr


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_any_thread_may_ask_what_was_granted(level, run_program):
    done = run_program(LEVELS, 1, level, "asks")
    assert (done.returncode, done.stdout) == (0, f"0 {level}\n"), done.stderr


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize(
    ("level", "granted"),
    [
        ("Init", "MPI_THREAD_SINGLE was granted, which is all that MPI_Init grants"),
        (0, "MPI_THREAD_SINGLE was granted, which is all that MPI_Init grants"),
        (1, "MPI_THREAD_FUNNELED was granted"),
    ],
)
def test_only_the_main_thread_may_call(level, granted, machine, run_program):
    done = run_program(LEVELS, 1, level, "receives", machine=machine)
    assert done.returncode != 0
    assert done.stderr.splitlines()[0].startswith(
        "hindcast: rank 0: MPI_Recv: called on thread 1, but only the thread that initialized MPI may call it, as "
        f"{granted}; ask MPI_Init_thread for MPI_THREAD_MULTIPLE, in receives ("
    )


@pytest.mark.parametrize("machine", MACHINES)
def test_threads_may_call_one_after_the_other(machine, run_program):
    assert run_program(LEVELS, 1, 2, "receives", machine=machine).returncode == 0
    done = run_program(LEVELS, 1, 2, "waits", machine=machine)
    assert done.returncode != 0
    assert done.stderr.splitlines()[0].startswith(
        "hindcast: rank 0: MPI_Send: called on thread 0 while thread 1 is in a call, but MPI_Init_thread has granted "
        "MPI_THREAD_SERIALIZED; ask it for MPI_THREAD_MULTIPLE, in main ("
    )


@pytest.mark.parametrize("machine", MACHINES)
def test_a_thread_in_a_call_gets_what_another_sends(machine, run_program):
    done = run_program(LEVELS, 1, 3, "waits", machine=machine)
    assert (done.returncode, done.stderr) == (0, "")


SERVES = r"""
#include <mpi.h>
#include <pthread.h>
static void* serves(void* unused) {
  int data;
  for (;;) MPI_Recv(&data, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  return unused;
}
int main(int argc, char** argv) {
  pthread_t thread;
  int level, rank;
  MPI_Init_thread(&argc, &argv, argc > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  pthread_create(&thread, NULL, serves, NULL);
  for (int i = 0; i < 5; ++i) MPI_Barrier(MPI_COMM_WORLD);
  MPI_Send(&rank, 1, MPI_INT, 0, 9, MPI_COMM_SELF);
  MPI_Finalize();
  return rank == 1;
}
"""


@pytest.mark.parametrize("machine", MACHINES)
def test_a_rank_that_exits_ends_its_threads(machine, run_program):
    done = run_program(SERVES, 3, "multiple", machine=machine)
    assert (done.returncode, done.stderr) == (1, "hindcast: rank 1 exited with status 1\n")


def test_ranks_have_all_of_threads_or_none(run_program):
    text = r"""
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int level = -1, rank;
  if (argc > 1)
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  else
    MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  printf("%d\n", level);
  MPI_Finalize();
  return 0;
}
"""
    assert run_program(text, 2, "x", machine="t3e-900").stdout == "3\n3\n"


DEADLOCK = r"""
#include <mpi.h>
#include <pthread.h>
static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;
static void* works(void* unused) {
  pthread_mutex_lock(&busy);
  pthread_mutex_unlock(&busy);
  return unused;
}
int main(int argc, char** argv) {
  pthread_t thread;
  int level, data;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  pthread_mutex_lock(&busy);
  pthread_create(&thread, NULL, works, NULL);
  MPI_Recv(&data, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  pthread_mutex_unlock(&busy);
  pthread_join(thread, NULL);
  MPI_Finalize();
  return 0;
}
"""


@pytest.mark.parametrize("machine", MACHINES)
def test_a_deadlock_of_messages_and_locks_is_told_whole(machine, run_program):
    done = run_program(DEADLOCK, 1, machine=machine, flags=["-g"])
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert lines[0].startswith("hindcast: deadlock at ")
    assert "rank 0 thread 0: waits in MPI_Recv from rank 0, tag 5, MPI_COMM_WORLD" in lines[1]
    assert "rank 0 thread 1: waits in pthread_mutex_lock for mutex busy of thread 0, taken in main" in lines[2]
