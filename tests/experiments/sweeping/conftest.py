"""A program that a sweep runs, and a sweep of it."""

import shutil

import pytest

from tests.experiments.sweeping.there import PROGRAM


@pytest.fixture
def program(tmp_path, compile_program):
    """An executable, ./there, in the folder of the test."""
    shutil.copy(compile_program(PROGRAM), tmp_path / "there")
    return tmp_path / "there"


@pytest.fixture
def sweep(in_folder):
    """sweep("-n", 2, "./there", 8): to the end of a sweep that has to go well."""

    def start(*words):
        done = in_folder("sweep", *map(str, words))
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.splitlines()

    return start
