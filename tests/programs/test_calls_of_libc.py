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


def test_overflow_of_the_stack_can_be_left(run_three):
    assert run_three("overflow.c").stdout.splitlines() == ["back"] * 6
