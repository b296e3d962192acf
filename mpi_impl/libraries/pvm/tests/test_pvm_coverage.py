"""Each function of pvm3.h and pvmtev.h has a test of what it returns, and of each error that errors.toml names."""

import re
import tomllib
from pathlib import Path

import pytest

from tests.support.program_text import statements_naming

HERE = Path(__file__).parent
INCLUDE = HERE.parent / "include"
DECLARED = re.compile(r"^PVM_FUNCTION ([^;]*?)(\w+)\(", re.M)
ERRORS = tomllib.loads((HERE / "errors.toml").read_text())
PROGRAMS = [file.read_text() for file in sorted((HERE / "programs").glob("*.c"))]
# They print, or end all tasks: these look at that.
LOOKED_AT_FROM_OUTSIDE = ["pvm_catchout", "pvm_halt", "pvm_perror"]
FROM_OUTSIDE = [(HERE / name).read_text() for name in ("test_pvm_errors.py", "test_pvm_output.py")]


def functions():
    """The names that programs use, and what they return."""
    text = "".join((INCLUDE / name).read_text() for name in ("pvm3.h", "pvmtev.h"))
    return {name.replace("pvm_errno_of_task", "pvm_errno"): result.strip() for result, name in DECLARED.findall(text)}


def naming(function, following=0):
    return [text for program in PROGRAMS for text in statements_naming(function, program, following)]


def is_result_checked(function, result):
    # What a function that returns nothing has done, the next statement looks at.
    return any("CHECK" in text for text in naming(function, following=1 if result == "void" else 0))


def is_error_expected(function, error):
    # Of a list of hosts or of tasks each has its own code, at which the next statement looks.
    return any("CHECK" in text and re.search(rf"\b{error}\b", text) for text in naming(function, following=1))


def test_every_function_has_a_row_and_nothing_else_has():
    assert set(ERRORS) == set(functions())


@pytest.mark.parametrize("function", sorted(set(ERRORS) - set(LOOKED_AT_FROM_OUTSIDE)))
def test_a_program_checks_what_it_returns(function):
    assert is_result_checked(function, functions()[function])


@pytest.mark.parametrize("function", LOOKED_AT_FROM_OUTSIDE)
def test_a_test_looks_at_what_it_does(function):
    assert any(f"{function}(" in text for text in FROM_OUTSIDE)


@pytest.mark.parametrize(("function", "error"), [(name, error) for name, row in ERRORS.items() for error in row])
def test_a_program_expects_this_error_of_it(function, error):
    assert is_error_expected(function, error)


def test_what_no_program_checks_is_found_out():
    assert not is_result_checked("pvm_no_such_function", "int")
    assert not is_error_expected("pvm_send", "PvmNoParent")
