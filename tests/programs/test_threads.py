"""Threads that a program starts: simulated ones of their rank (threads/)."""

from pathlib import Path

import pytest

SOURCES = Path(__file__).parent / "threads"
MACHINES = ["ideal", "ap1000", "t3e-900", "cluster"]
PROGRAMS = [
    "lifecycle.c",
    "mutexes.c",
    "conditions.c",
    "others.c",
    "cancelled.c",
    "signals.c",
    "signal_handlers.c",
    "c11.c",
    "standard.cpp",
]


@pytest.fixture
def run_threads(run_program):
    def run_it(name, n, *args, **options):
        is_cxx = name.endswith(".cpp")
        flags = ["-g", "-O1", "-Wall", "-Wextra", "-Werror", "-std=c++20" if is_cxx else "-std=gnu11"]
        return run_program(SOURCES / name, n, *args, cxx=is_cxx, flags=flags, **options)

    return run_it


@pytest.mark.parametrize("machine", MACHINES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_threads_do_as_the_standards_say(run_threads, name, machine):
    for launcher in [(), ("--lockstep",)]:
        done = run_threads(name, 2, machine=machine, launcher=launcher)
        assert (done.returncode, done.stdout, done.stderr) == (0, "right\n" * 2, "")


@pytest.mark.parametrize("name", ["lifecycle.c", "standard.cpp"])
def test_threads_of_programs_loaded_as_copies(run_threads, name):
    done = run_threads(name, 2, launcher=["--separate-files"])
    assert (done.returncode, done.stdout) == (0, "right\n" * 2), done.stderr


# On the cluster a node has 4 processors, and two ranks of one node have two each. A processor changes from one thread
# to another in 10 us, after 10 ms at the latest; the main thread has had one before the others.
@pytest.mark.parametrize(
    ("machine", "ranks", "threads", "us", "expected"),
    [
        ("ideal", 1, 1, 100, "1 threads on 1 processors: 100 us"),
        ("ideal", 1, 6, 100, "6 threads on 1 processors: 600 us"),
        ("cluster", 1, 4, 100, "4 threads on 4 processors: 110 us"),
        ("cluster", 1, 6, 100, "6 threads on 4 processors: 220 us"),
        ("cluster", 1, 5, 20_000, "5 threads on 4 processors: 30030 us"),
        ("cluster", 2, 4, 100, "4 threads on 2 processors: 220 us"),
        ("cluster", 8, 2, 100, "2 threads on 1 processors: 220 us"),
    ],
)
def test_threads_take_turns_on_the_processors_of_their_rank(run_threads, machine, ranks, threads, us, expected):
    done = run_threads("processors.c", ranks, threads, us, machine=machine)
    assert done.returncode == 0, done.stderr
    assert set(done.stdout.splitlines()) == {expected}


def test_a_hundred_threads_a_rank(run_threads):
    done = run_threads("many.c", 16, 100)
    assert (done.returncode, done.stdout) == (0, "right at 300 us\n" * 16), done.stderr


def test_two_thousand_threads(run_threads):
    done = run_threads("many.c", 1, 2000)
    assert (done.returncode, done.stdout) == (0, "right at 6000 us\n"), done.stderr


@pytest.mark.parametrize(
    ("how", "status", "out"),
    [("returns", 0, "handler\n"), ("exits", 3, "handler\n"), ("main leaves", 0, "last\nhandler\n")],
)
def test_exit_ends_all_threads(run_threads, how, status, out):
    done = run_threads("ends.c", 1, how)
    assert (done.returncode, done.stdout) == (status, out), done.stderr


def test_a_thread_that_ends_with_a_mutex_is_told_of(run_threads):
    done = run_threads("ends.c", 1, "keeps")
    assert done.returncode == 0
    assert done.stderr == (
        "hindcast: rank 0: thread 1 has ended at 0.001 ns and still has a lock, lock_b, taken in keeps_lock "
        "(ends.c:26): nobody else will get it\n"
    )


DEADLOCKS = {
    "deadlock": """\
hindcast: deadlock at 5.000001 us: 1 of 1 ranks wait for what can never come
  rank 0 thread 0: waits in pthread_mutex_lock for mutex lock_b of thread 1, taken in takes_b_then_a (ends.c:30) \
since 5 us, in main (ends.c:65)
  rank 0 thread 1: waits in pthread_mutex_lock for mutex lock_a of thread 0, taken in main (ends.c:62) \
since 5.000001 us, in takes_b_then_a (ends.c:32)
  the cycle: rank 0 thread 0 waits for rank 0 thread 1 waits for rank 0 thread 0
""",
    "itself": """\
hindcast: deadlock at 0 ns: 1 of 1 ranks wait for what can never come
  rank 0: waits in pthread_mutex_lock for mutex lock_a of thread 0, taken in main (ends.c:67) since 0 ns, \
in main (ends.c:68)
  the cycle: rank 0 waits for rank 0
""",
}


@pytest.mark.parametrize("how", DEADLOCKS)
def test_a_deadlock_names_the_locks_and_who_has_them(run_threads, how):
    done = run_threads("ends.c", 1, how)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", DEADLOCKS[how])


ONE_LETTER = """\
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
int main(void) { return pthread_mutex_lock(&a) + pthread_mutex_lock(&a); }
"""


@pytest.mark.parametrize("cxx", [False, True])
def test_a_lock_keeps_its_name_of_one_letter(compile_program, hindcast, cxx):
    done = hindcast("run", "-n", "1", compile_program(ONE_LETTER, cxx=cxx))
    assert "waits in pthread_mutex_lock for mutex a of thread 0," in done.stderr


def test_a_lock_that_has_gone_with_its_thread_is_waited_for(run_threads):
    done = run_threads("ends.c", 1, "locks kept")
    assert done.returncode == 1
    assert "for mutex lock_b of thread 1, which has ended, taken in keeps_lock (ends.c:26)" in done.stderr


def test_a_threads_stack_that_overflows_is_recognised(run_threads):
    done = run_threads("ends.c", 1, "overflows")
    assert done.returncode == 128 + 11
    assert "its stack overflowed" in done.stderr and "in overflows (ends.c:38)" in done.stderr


def test_a_thread_may_spin_as_long_as_it_likes(run_threads):
    words = {"launcher": ["--max-spin", "0s", "--max-host-time", "1s"]}
    done = run_threads("ends.c", 1, "spins", **words)
    assert done.returncode == 1
    assert done.stderr.startswith("hindcast: this computer's time is up (--max-host-time)")


def test_a_thread_that_spins_is_named(run_threads):
    done = run_threads("ends.c", 1, "spins", launcher=["--max-spin", "1s"])
    assert done.returncode == 1
    assert done.stderr.startswith(
        "hindcast: rank 0: thread 0 has computed for 1 s of this computer's time, in main (ends.c:74) without giving "
        "way, while others of its rank could run"
    )


def test_variables_that_threads_would_share_are_refused(compile_program, hindcast):
    text = (
        "#include <pthread.h>\nstatic __thread int own;\nstatic void* f(void* x) { return own++ ? &own : x; }\n"
        "int main(void) { pthread_t t; return pthread_create(&t, 0, f, 0); }\n"
    )
    done = hindcast("run", "-n", "1", compile_program(text, "-ftls-model=initial-exec"))
    assert done.returncode == 1
    assert "has thread-local variables that all its threads would share" in done.stderr


def test_a_signal_that_nobody_handles_ends_the_rank(run_program):
    source = """
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static void* sleeps(void* unused) { sleep(5); return unused; }
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, sleeps, NULL);
  sleep(1);
  pthread_kill(thread, SIGTERM);
  sleep(1);
  return 3;
}
"""
    done = run_program(source, 1)
    assert done.returncode == 128 + 15
    assert "SIGTERM" in done.stderr or "Terminated" in done.stderr
