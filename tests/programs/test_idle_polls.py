"""Ranks that look again and again for what never comes, by calls of MPI's and of the machines' own libraries."""

import os
import threading
import time

import pytest

MPI_LOOP = """
#include <mpi.h>
int main(int argc, char** argv) {
  int value = 0, done = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &request);
  while (!done) {
    LOOKS;
  }
  MPI_Finalize();
  return 0;
}
"""
LOOKS = {
    "Iprobe": "MPI_Iprobe(MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE)",
    "Test": "MPI_Test(&request, &done, MPI_STATUS_IGNORE)",
    "Test and Wtime": "MPI_Test(&request, &done, MPI_STATUS_IGNORE); MPI_Wtime()",
    "Test among others": "MPI_Wtime(); MPI_Wtime(); MPI_Test(&request, &done, MPI_STATUS_IGNORE); MPI_Wtime()",
}
MACHINES = ["ideal", "ap1000", "t3e-900", "ap3000", "argonne-sp", "i-way"]
NATIVE = {
    "l_aprobe": ("ap1000", "cellos.h", "while (!l_aprobe(L_ANY, L_ANY, 0));"),
    "flag_test": ("ap1000", "cellos.h", "int flag = 0; while (!flag_test(&flag, 1));"),
    "l_aprobe of APlib": ("ap3000", "aplib.h", "while (!l_aprobe(-1, -1, 0));"),
    "nexus_poll": ("i-way", "nexus.h", "while (!nexus_poll());"),
}
LIMITS = ("--warn-idle-polls", 300, "--max-idle-polls", 1500)


def ends_as_livelock(done):
    assert done.returncode == 1, done.stderr
    assert "hindcast: warning: ranks have looked " in done.stderr
    assert "livelock at " in done.stderr
    assert "computes" not in done.stderr


@pytest.mark.parametrize("mode", [(), ("--lockstep",)], ids=["ahead", "lockstep"])
@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("looks", LOOKS)
def test_a_loop_of_looks_of_mpis_ends(hindcast, compile_program, looks, machine, mode):
    program = compile_program(MPI_LOOP.replace("LOOKS", LOOKS[looks]))
    ends_as_livelock(hindcast("run", "-m", machine, "-n", 2, *mode, *LIMITS, program, timeout=60))


@pytest.mark.parametrize("mode", [(), ("--lockstep",)], ids=["ahead", "lockstep"])
@pytest.mark.parametrize("call", NATIVE)
def test_a_loop_of_looks_of_a_machines_library_ends(hindcast, compile_program, call, mode):
    machine, header, loop = NATIVE[call]
    program = compile_program(f"#include <{header}>\nint main(void) {{ {loop} return 0; }}\n")
    ends_as_livelock(hindcast("run", "-m", machine, "-n", 2, *mode, *LIMITS, program, timeout=60))


@pytest.mark.parametrize("mode", [(), ("--lockstep",)], ids=["ahead", "lockstep"])
def test_a_rank_that_computes_beside_one_that_looks_is_no_livelock(hindcast, compile_program, mode):
    """It has looked too, once, before it computes in many short stretches."""
    program = compile_program("""
        #include <hindcast.h>
        #include <mpi.h>
        int main(int argc, char** argv) {
          int rank, found = 0;
          MPI_Init(&argc, &argv);
          MPI_Comm_rank(MPI_COMM_WORLD, &rank);
          MPI_Iprobe(1 - rank, 3, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
          if (rank == 1) {
            for (int i = 0; i < 20000; ++i) {
              hindcast_compute_seconds(1e-6);
              MPI_Wtime();
            }
            MPI_Send(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
          }
          while (rank == 0 && !found) MPI_Iprobe(1, 3, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
          if (rank == 0) MPI_Recv(&rank, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
          MPI_Finalize();
          return 0;
        }
    """)
    done = hindcast("run", "-n", 2, *mode, *LIMITS, program)
    assert (done.returncode, done.stderr) == (0, "")


BUSY = """
#include <errno.h>
#include <fcntl.h>
#include <hindcast.h>
#include <mpi.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>
static void nothing(int signal) { (void)signal; }
static int look(void) {
  int found = 0;
  MPI_Iprobe(1, 9, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  return found;
}
static void* sleep_often(void* nothing) {
  for (int i = 0; i < 20000; ++i) usleep(1);
  return nothing;
}
static struct timespec in_ns(long ns) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  time.tv_nsec += ns;
  if (time.tv_nsec >= 1000000000) ++time.tv_sec, time.tv_nsec -= 1000000000;
  return time;
}
int main(int argc, char** argv) {
  int rank, found = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    BUSY_WITH;
    MPI_Send(&rank, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
  }
  while (rank == 1 && !found) MPI_Iprobe(0, 3, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Recv(&rank, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
"""
OWN_LOCK = "pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t met = PTHREAD_COND_INITIALIZER;"
TIMER = "int timer = timerfd_create(CLOCK_MONOTONIC, 0); struct itimerspec once = {{0, 0}, {0, 20000000}};"
BUSY_WITH = {
    "computation before a look": "look(); look(); hindcast_compute_seconds(0.02); look()",
    "long computation between looks": "for (int i = 0; i < 4; ++i) { hindcast_compute_seconds(0.005); look(); }",
    "looks, and then computation": "for (int i = 0; i < 20; ++i) look(); hindcast_compute_seconds(0.02)",
    "sleep": "look(); look(); usleep(20000)",
    "short sleeps": "for (int i = 0; i < 20000; ++i) usleep(1)",
    "short sleeps of a thread": "pthread_t other; pthread_create(&other, NULL, sleep_often, NULL);"
    " pthread_join(other, NULL)",
    "an alarm": "look(); look(); signal(SIGALRM, nothing); ualarm(20000, 0); pause()",
    "a condition": f"{OWN_LOCK} struct timespec end = in_ns(20000000); pthread_mutex_lock(&lock);"
    " while (pthread_cond_timedwait(&met, &lock, &end) != ETIMEDOUT) {}",
    "a semaphore": "sem_t open; struct timespec end = in_ns(20000000); sem_init(&open, 0, 0);"
    " sem_timedwait(&open, &end)",
    "a signal": "sigset_t set; sigemptyset(&set); sigaddset(&set, SIGUSR1); struct timespec end = {0, 20000000};"
    " sigtimedwait(&set, NULL, &end)",
    "a timer": f"{TIMER} timerfd_settime(timer, 0, &once, NULL); struct pollfd ready = {{timer, POLLIN, 0}};"
    " poll(&ready, 1, -1)",
    "requests that end": "for (int i = 0; i < 20000; ++i) { MPI_Request own; int is_over = 0;"
    " MPI_Ibarrier(MPI_COMM_SELF, &own); while (!is_over) MPI_Test(&own, &is_over, MPI_STATUS_IGNORE); }",
}


@pytest.mark.parametrize("mode", [(), ("--lockstep",)], ids=["ahead", "lockstep"])
@pytest.mark.parametrize("machine", ["ideal", "ap1000", "t3e-900", "i-way"])
@pytest.mark.parametrize("busy", BUSY_WITH)
def test_looks_beside_a_rank_that_is_busy_are_no_livelock(hindcast, compile_program, busy, machine, mode):
    program = compile_program(BUSY.replace("BUSY_WITH", BUSY_WITH[busy]))
    done = hindcast("run", "-m", machine, "-n", 2, *mode, *LIMITS, program)
    assert (done.returncode, done.stderr) == (0, "")


def test_looks_beside_a_rank_that_waits_for_another_process_are_no_livelock(hindcast, compile_program, tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def write_late():
        with pipe.open("w") as end:
            time.sleep(0.5)
            end.write("go on")

    writer = threading.Thread(target=write_late)
    writer.start()
    wait = f'char first; int pipe = open("{pipe}", O_RDONLY); if (read(pipe, &first, 1) != 1) return 1'
    done = hindcast("run", "-n", 2, *LIMITS, compile_program(BUSY.replace("BUSY_WITH", wait)))
    writer.join()
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("mode", [(), ("--lockstep",)], ids=["ahead", "lockstep"])
def test_waits_for_short_times_again_and_again_are_looks(hindcast, compile_program, mode):
    """Beside another rank that looks in vain."""
    again = f"{OWN_LOCK} pthread_mutex_lock(&lock); for (;;)"
    again += " { struct timespec end = in_ns(1000); pthread_cond_timedwait(&met, &lock, &end); }"
    program = compile_program(BUSY.replace("BUSY_WITH", again))
    done = hindcast("run", "-n", 2, *mode, *LIMITS, program, timeout=60)
    assert done.returncode == 1
    assert "livelock at " in done.stderr
    assert "rank 0: waits in pthread_cond_timedwait" in done.stderr
    assert "rank 1: polls in MPI_Iprobe from rank 0, tag 3" in done.stderr
