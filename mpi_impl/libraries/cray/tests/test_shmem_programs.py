"""SHMEM programs that test themselves, on few and many PEs; and that each function of mpp/shmem.h is called by one."""

import re
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "shmem"
PROGRAMS = sorted(file.stem for file in FOLDER.glob("*.c"))
FEW = list(range(1, 10))
MANY = 64
DECLARED = re.compile(r"^SHMEM_FUNCTION [^;]*?(\w+)\(", re.M)


@pytest.fixture
def run_shmem(run_program):
    def run_it(name, pes, machine="t3e-900", launcher=()):
        return run_program(FOLDER / f"{name}.c", pes, machine=machine, launcher=launcher)

    return run_it


def check(done, pes):
    assert done.stderr == ""
    assert done.returncode == 0
    assert done.stdout.endswith("ok\n")
    assert len(done.stdout.splitlines()) == pes + 1


@pytest.mark.parametrize("pes", [*FEW, MANY])
@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, pes, run_shmem):
    check(run_shmem(name, pes), pes)


@pytest.mark.parametrize("pes", [2, 7])
@pytest.mark.parametrize("name", PROGRAMS)
def test_program_on_the_t3d(name, pes, run_shmem):
    check(run_shmem(name, pes, machine="t3d"), pes)


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_time_is_the_same_in_lockstep(name, run_shmem):
    ahead = run_shmem(name, 6)
    check(ahead, 6)
    assert run_shmem(name, 6, launcher=["--lockstep"]).stdout == ahead.stdout


@pytest.mark.parametrize("library", ["old", "new"])
def test_mpi_of_either_library_goes_along_with_it(library, run_shmem):
    check(run_shmem("with_mpi", 8, launcher=["--set", f"mpi.library={library}"]), 8)


@pytest.mark.parametrize("pes", [1, 6])
def test_a_program_in_cpp(pes, run_program):
    check(run_program(FOLDER / "from_cpp.cpp", pes, machine="t3e-900", cxx=True), pes)


def test_every_function_is_called(build, compile_program, run_command):
    declared = set(DECLARED.findall((build / "include/mpp/shmem.h").read_text()))
    assert len(declared) > 150
    called = set()
    for name in PROGRAMS:
        symbols = run_command(["nm", "-D", "--undefined-only", compile_program(FOLDER / f"{name}.c")]).stdout
        called |= {line.split()[-1] for line in symbols.splitlines()}
    assert not declared - called
