"""By chapter of the standard and by interface: a program looks at what each function has done, soon after its call."""

import functools
import re

import pytest

from tests.fortran.interface_programs import CASES, INTERFACES, functions_by, preprocessed

CHAPTERS = [
    "point-to-point", "datatypes", "groups and communicators", "attributes", "collectives", "topologies", "environment",
    "processes", "one-sided communications", "info objects", "external interfaces", "language interoperability",
    "tools", "files",
]  # fmt: skip
# How many statements may lie between a call and the look at what it has done: others of the same exchange.
SOON = 5
BEGINS = re.compile(r"\s*(?:[\w()* ]+ )?(?:subroutine|function|program) (\w+)")
ENDS = re.compile(r"\s*(?:end (?:subroutine|function|program)|contains\b)")


def statements(text):
    joined = re.sub(r"&\s*\n\s*&?", "", text)
    return [line for line in joined.splitlines() if line.strip() and not line.strip().startswith("!")]


def procedures(lines):
    """The statements of each."""
    found, name = {}, ""
    for line in lines:
        begins = BEGINS.match(line)
        if begins and not ENDS.match(line):
            name = begins[1]
        found.setdefault(name, []).append(line)
    return found


def pattern_of_looks(lines):
    """What fits a call of check, or of a procedure of the program's that calls it, directly or not."""
    looking = {"check"}
    while True:
        pattern = re.compile("|".join(rf"\b{name}\s*\(|\bcall {name}\b" for name in sorted(looking)))
        found = {name for name, body in procedures(lines).items() if any(pattern.search(line) for line in body[1:])}
        if found <= looking:
            return pattern
        looking |= found


def looked_at(text):
    """The functions of MPI's, in small letters, soon after a call of which the program looks at something."""
    lines = statements(text)
    is_look = pattern_of_looks(lines)
    found = set()
    for i, line in enumerate(lines):
        called = re.findall(r"\b(mpi_\w+)\s*\(", line)
        for following in lines[i : i + 1 + SOON] if called else []:
            if ENDS.match(following):
                break
            if is_look.search(following):
                found.update(called)
                break
    return found


@pytest.fixture(scope="module")
def looked_at_by(run_command):
    @functools.cache
    def by_interface(by):
        return set().union(*(looked_at(preprocessed(program, by, run_command)) for program, of in CASES if of == by))

    return by_interface


@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.parametrize("by", INTERFACES)
def test_what_each_function_does_is_looked_at(by, chapter, root, looked_at_by):
    of_chapter = [each.name for each in functions_by(by, root) if each.function.chapter == chapter]
    assert [name for name in of_chapter if f"mpi_{name}".lower() not in looked_at_by(by)] == []


def test_there_is_no_other_chapter(root):
    assert {each.function.chapter for by in INTERFACES for each in functions_by(by, root)} <= set(CHAPTERS)


PROGRAM = """program some
  call mpi_init(ierror)
  call is_right
  call mpi_send(1)
contains
  subroutine is_right
    call check(ierror == 0)
  end subroutine
  subroutine looks_at_nothing
    call mpi_recv(1)
  end subroutine
  subroutine looks_at_something_else
    call check(.true.)
  end subroutine
end program
"""


def test_a_call_that_nobody_looks_after_is_found_out():
    assert looked_at(PROGRAM) == {"mpi_init"}
