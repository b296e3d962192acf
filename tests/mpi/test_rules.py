"""The tables of the standard's rules name tests that there are, and their command prints them."""

import re
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
API = TESTS.parent / "mpi_impl" / "api"
sys.path.insert(0, str(API))
from rules import as_rule, lines_of, read_rules  # noqa: E402

RULES = read_rules()
# All of Fortran's programs that are named here are in a folder of which test_interfaces.py runs every file.
DEFINITIONS = {".py": r"^def {}\(", ".c": r"^static [\w *]*\b{}\(", ".F90": r"^ *subroutine {}\b"}


def wrong_with(test):
    file, _, function = test.partition(": ")
    source = TESTS / file
    if not source.is_file():
        return f"there is no {file}"
    definition = DEFINITIONS[source.suffix].format(function)
    return "" if re.search(definition, source.read_text(), re.MULTILINE) else f"{file} has no {function}"


def test_every_test_that_is_named_is_there():
    assert not [wrong for rule in RULES if rule.test and (wrong := wrong_with(rule.test))]


def test_a_program_that_is_named_is_run():
    """test_programs.py runs those that say on how many ranks."""
    programs = {TESTS / rule.test.partition(": ")[0] for rule in RULES if rule.test.partition(": ")[0].endswith(".c")}
    assert programs and all("ranks: " in program.read_text() for program in programs)


def test_a_program_in_fortran_that_is_named_is_run():
    programs = {TESTS / rule.test.partition(": ")[0] for rule in RULES if rule.test.partition(": ")[0].endswith(".F90")}
    assert programs and {program.parent for program in programs} == {TESTS / "fortran" / "interfaces"}


def test_every_rule_has_a_test():
    assert not [rule for rule in RULES if not rule.test]


def test_a_rule_without_a_test_would_be_listed_as_such():
    without = [as_rule("chapter", "section", row) for row in ({"shall": "one"}, {"shall": "two", "because": "why"})]
    assert [line.strip() for line in lines_of(without)][2::2] == ["no test", "no test: why"]


def test_all_chapters_are_there():
    assert {rule.chapter for rule in RULES} == {
        "point-to-point communication",
        "datatypes",
        "collective communication",
        "one-sided communications",
        "MPI and threads",
        "dynamic processes",
        "files",
        "tools",
        "groups, contexts, communicators, and caching",
        "process topologies",
        "MPI environmental management",
        "info objects",
        "external interfaces",
        "profiling interface",
        "language bindings",
    }


def test_what_is_not_there_is_found_out():
    assert wrong_with("mpi/windows/no_such_file.c: test_put")
    assert wrong_with("mpi/windows/epochs.c: test_nothing")
    assert wrong_with("fortran/interfaces/callbacks.F90: nothing")
    with pytest.raises(SystemExit, match="cannot make sense"):
        as_rule("chapter", "section", {"must": "text"})


def test_the_command_prints_what_is_asked_for(root, run_command):
    done = run_command(["python3", API / "rules.py", "--untested", "lock", "threads"])
    assert done.returncode == 0
    assert done.stdout.strip() == "0 rules, 0 of them with a test"
    by_script = run_command([root / "hindcast", "rules", "fence"]).stdout
    assert by_script.startswith("one-sided communications, 12.5.1 Fence")


def test_words_that_no_chapter_has_are_refused(root, run_command):
    done = run_command([root / "hindcast", "rules", "fnece", "nothing"])
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "hindcast: no chapter or section of the rules has 'fnece' or 'nothing' in its name\n"
