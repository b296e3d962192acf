"""PVM programs that test themselves."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "programs"
PROGRAMS = sorted(file.stem for file in FOLDER.glob("*.c"))


def tasks_of(name):
    return int(re.search(r"tasks: (\d+)", (FOLDER / f"{name}.c").read_text())[1])


@pytest.fixture
def run_pvm(run_program):
    """The first task of a program, which starts the others."""

    def run_it(name, *launcher):
        return run_program(FOLDER / f"{name}.c", 1, machine="ap3000", launcher=launcher, flags=["-Wall", "-Wextra"])

    return run_it


def check(done, tasks):
    assert done.stderr == ""
    assert done.returncode == 0
    assert done.stdout.endswith("ok\n")
    assert len(done.stdout.splitlines()) == tasks + 1


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, run_pvm):
    check(run_pvm(name), tasks_of(name))


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_time_is_the_same_in_lockstep(name, run_pvm):
    ahead = run_pvm(name)
    check(ahead, tasks_of(name))
    assert run_pvm(name, "--lockstep").stdout == ahead.stdout


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_on_a_sound_pvm(name, run_pvm):
    changes = ["group_service=50us", "group_lookup=all", "group_data=sent", "reduce_members_max=0"]
    check(run_pvm(name, *[word for change in changes for word in ("--set", f"pvm.{change}")]), tasks_of(name))


@pytest.mark.parametrize("name", PROGRAMS)
def test_program_whose_messages_go_by_the_daemons(name, run_pvm):
    check(run_pvm(name, "--set", "pvm.route=daemon"), tasks_of(name))
