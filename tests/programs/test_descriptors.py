"""Descriptors of this computer that threads of a rank wait for, in simulated time, and what a rank's own stand for."""

from pathlib import Path

import pytest

SOURCES = Path(__file__).parent / "descriptors"
MODES = [[], ["--lockstep"]]


@pytest.fixture
def is_right(run_program):
    def run_it(name, n, *args, **options):
        done = run_program(SOURCES / name, n, *args, flags=["-Wall", "-Wextra"], **options)
        assert (done.returncode, done.stdout, done.stderr) == (0, "right\n" * n, "")

    return run_it


@pytest.mark.parametrize("call", ["read", "poll", "select", "epoll"])
@pytest.mark.parametrize("kind", ["pipe", "eventfd", "socketpair"])
def test_a_thread_waits_for_what_another_one_writes(is_right, kind, call):
    for launcher in MODES:
        is_right("between_threads.c", 2, kind, call, 1, launcher=["--set", "processor.poll=1 us", *launcher])


def test_a_wait_ends_with_a_look(is_right):
    launcher = ["--set", "processor.poll=2 ms"]
    is_right("between_threads.c", 1, "pipe", "read", 2000, launcher=launcher)
    is_right("between_threads.c", 1, "pipe", "poll", 2000, launcher=launcher)


@pytest.mark.parametrize("launcher", MODES)
def test_other_ends(is_right, launcher):
    is_right("ends.c", 2, launcher=launcher)


@pytest.mark.parametrize("kind", ["pipe", "eventfd"])
def test_what_nobody_writes_is_a_deadlock(run_program, kind):
    done = run_program(SOURCES / "ends.c", 1, kind)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(
        "hindcast: deadlock at 1 us: 1 of 1 ranks wait for what can never come\n"
        "  rank 0: waits in read for a descriptor to be ready since 0 ns, in main (ends.c:"
    )


@pytest.mark.parametrize("launcher", MODES)
def test_streams_of_libc_on_a_pipe(is_right, launcher):
    is_right("stdio.c", 2, launcher=launcher)


@pytest.mark.parametrize("label", [False, True])
def test_copies_of_standard_descriptors_print_as_these_do(run_program, label):
    done = run_program(SOURCES / "copies.c", 2, launcher=["--lockstep", *["--label"] * label])
    lines = ["dup", "dup of dup", "dup2", "fcntl", "writev", "fdopen", "fdopen of dup2", "stderr", "left"]
    start = "[{}] " if label else ""
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == sorted(start.format(rank) + line for rank in (0, 1) for line in lines)
    assert done.stderr == "".join(f"{start.format(rank)}to stderr\n" for rank in (0, 1))


# A line appears at its rank's time, so of each rank in the order in which it printed them.
NAMED = {
    "named.c": ["open", "of a number", "in proc", "in proc, by number", "of a copy", "fopen", "freopen"],
    "named.cpp": ["ofstream"],
    "named.f90": ["opened", "print"],
}


@pytest.mark.parametrize("name", NAMED)
def test_files_that_mean_standard_streams_are_the_ranks(run_program, tmp_path, name):
    folder = tmp_path / "written"
    done = run_program(SOURCES / name, 2, folder, launcher=["--label"], input="given\n", cxx=name.endswith(".cpp"))
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    for rank, read in (0, "given"), (1, "no line"):
        expected = NAMED[name] + [read] * (name == "named.c")
        assert [line for line in lines if line.startswith(f"[{rank}]")] == [f"[{rank}] {text}" for text in expected]
        assert len(lines) == 2 * len(expected)
    said = "" if name == "named.cpp" else "".join(f"[{rank}] to stderr\n" for rank in (0, 1))
    assert done.stderr == said


@pytest.mark.parametrize("launcher", MODES)
def test_what_stands_for_standard_descriptors_is_the_ranks_own(is_right, launcher, tmp_path):
    is_right("redirected.c", 3, tmp_path, launcher=launcher)


@pytest.mark.parametrize("launcher", MODES)
def test_timers(is_right, launcher):
    is_right("timers.c", 2, launcher=launcher)


@pytest.mark.parametrize("kind", ["pipe", "socket"])
def test_writing_where_nobody_reads_is_a_signal_of_the_rank(is_right, run_program, kind):
    is_right("nobody_reads.c", 2, kind)
    done = run_program(SOURCES / "nobody_reads.c", 1, kind, "by default")
    assert (done.returncode, done.stdout) == (128 + 13, "right\n")
    assert done.stderr.startswith("hindcast: rank 0 on ideal-0: Broken pipe at ")
