"""Calls of libc's that reach past a program, to the process: they are the rank's (sources/calls_of_libc)."""

from pathlib import Path

import pytest

SOURCES = Path(__file__).parent / "sources" / "calls_of_libc"


@pytest.fixture
def run_three(run_program):
    def run_it(name, *args, flags=(), status=0):
        done = run_program(SOURCES / name, 3, *args, launcher=["--lockstep"], flags=list(flags))
        assert done.returncode == status, done.stdout + done.stderr
        return done

    return run_it


def of_each_rank(lines):
    return sorted(lines * 3)


def test_complaints_are_said_by_the_program_and_end_the_rank_alone(run_three):
    done = run_three("complaints.c", status=3)
    assert sorted(done.stdout.splitlines()) == of_each_rank(["1", "last"])
    assert done.stderr.count("complaints: number 3\n") == 3
    assert done.stderr.count("complaints: file: No such file or directory\n") == 3
    assert done.stderr.count("complaints: end: Operation not permitted\n") == 3


def test_arguments_are_answered_by_the_programs_variables(run_three):
    done = run_three("arguments.c", "--version")
    assert sorted(done.stdout.splitlines()) == of_each_rank(["version 1.2", "last"])


def test_mistake_in_arguments_ends_the_rank_alone(run_three):
    done = run_three("arguments.c", "--unknown", status=64)
    assert done.stdout.splitlines() == ["last"] * 3
    assert done.stderr.count("unrecognized option '--unknown'") == 3


def test_signals_by_other_calls_than_sigaction(run_three):
    done = run_three("posix_signal.c", flags=["-std=c99"])
    assert sorted(done.stdout.splitlines()) == of_each_rank(["signal 10", "signal 12 with 77"])


def test_fortified_calls(run_three):
    done = run_three("fortified.c", flags=["-O2", "-D_FORTIFY_SOURCE=2"])
    assert sorted(done.stdout.splitlines()) == [f"ideal-{i}" for i in range(3)]


def test_hash_table(run_three):
    assert run_three("hash_table.c").stdout.splitlines() == ["right"] * 3


def test_overflow_of_the_stack_can_be_left(run_three):
    assert run_three("overflow.c").stdout.splitlines() == ["back"] * 6
