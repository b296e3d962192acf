"""Every function has a test of its normal case, its edge and its error: coverage.toml names them, and they call it."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

from tests.support.program_text import statements_calling

FOLDER = Path(__file__).parent
sys.path.insert(0, str(FOLDER.parent.parent / "mpi_impl" / "api"))
from generate import read_functions  # noqa: E402

COVERAGE = tomllib.loads((FOLDER / "coverage.toml").read_text())
CASES = ["normal", "edge", "error"]
NO_CASE = re.compile(r"none: \w.*")
# What calls a function to see it fail names an error class; fatal.c is about the line on standard error.
ENDS_THE_RUN = "fatal.c"


PROGRAMS = {file.name: file for file in FOLDER.rglob("*.c")}


def wrong_with(function, case, file):
    if case != "normal" and NO_CASE.fullmatch(file):
        return ""
    if file not in PROGRAMS:
        return f"{function}: {case}: there is no {file}"
    calls = statements_calling(function, PROGRAMS[file].read_text())
    if not calls:
        return f"{function}: {case}: {file} does not call it"
    if case == "error" and file != ENDS_THE_RUN and not any(re.search("MPI_(T_)?ERR_", call) for call in calls):
        return f"{function}: {case}: {file} expects no error of it"
    return ""


def test_every_function_has_a_row_and_nothing_else_has():
    assert set(COVERAGE) == {f"MPI_{function.name}" for function in read_functions()}


@pytest.mark.parametrize("case", CASES)
def test_every_case_has_a_program_that_calls_the_function(case):
    assert not [text for function, row in COVERAGE.items() if (text := wrong_with(function, case, row[case]))]


def test_rows_have_these_cases_only():
    assert all(list(row) == CASES for row in COVERAGE.values())


def test_a_row_that_claims_too_much_is_found_out():
    assert wrong_with("MPI_Send", "normal", "no_such_file.c")
    assert wrong_with("MPI_Send", "normal", "none: not even this")
    assert wrong_with("MPI_Wtick", "edge", "collectives.c")
    assert wrong_with("MPI_Recv", "error", "modes.c")
