"""What build systems ask the compiler wrappers, in the words of MPICH's and of Open MPI's."""

import re

import pytest


@pytest.fixture
def asked(build, run_command):
    """asked("mpicc", "-show"): the words of the answer."""

    def ask(wrapper, *words):
        done = run_command([build / "bin" / f"hindcast-{wrapper}", *words])
        assert (done.returncode, done.stderr) == (0, "")
        return done.stdout.split()

    return ask


@pytest.mark.parametrize("dash", ["-", "--"])
def test_parts_of_the_command_are_told_one_by_one(asked, build, dash):
    prefix = f"{dash}showme:"
    assert asked("mpicc", prefix + "incdirs") == [f"{build}/include"]
    assert asked("mpicc", prefix + "libdirs") == [f"{build}/lib"]
    assert asked("mpicc", prefix + "libs") == ["hindcast_fortran", "hindcast_rank", "hindcast"]
    assert asked("mpicc", prefix + "command") == ["gcc"]
    compiling, linking = asked("mpicc", prefix + "compile"), asked("mpicc", prefix + "link")
    assert f"-I{build}/include" in compiling and "-lhindcast" not in compiling
    assert "-lhindcast" in linking and f"-I{build}/include" not in linking
    assert asked("mpicc", f"{dash}showme") == ["gcc", *compiling, *linking]


@pytest.mark.parametrize("dash", ["-", "_"])
def test_mpich_calls_the_steps_so(asked, dash):
    compiling, linking = asked("mpicxx", "-showme:compile"), asked("mpicxx", "-showme:link")
    assert asked("mpicxx", f"-compile{dash}info") == ["g++", *compiling]
    assert asked("mpicxx", f"-link{dash}info") == ["g++", *linking]
    assert asked("mpicxx", "-show") == ["g++", *compiling, *linking]


@pytest.mark.parametrize(("wrapper", "language"), [("mpicc", "C"), ("mpicxx", "C++"), ("mpifort", "Fortran")])
def test_the_version_is_hindcasts(asked, hindcast, wrapper, language):
    version = hindcast("--version").stdout.strip()
    assert " ".join(asked(wrapper, "--showme:version")) == f"{version} (Language: {language})"


@pytest.mark.parametrize(
    ("wrapper", "option"),
    [
        ("mpicc", "-cc"),
        ("mpicxx", "-cxx"),
        ("mpicxx", "-CC"),
        ("mpifort", "-fc"),
        ("mpif90", "-f90"),
        ("mpif77", "-f77"),
    ],
)
def test_another_compiler_is_chosen_by_an_option(asked, build, run_command, wrapper, option):
    assert asked(wrapper, f"{option}=mine -v", "-show")[:2] == ["mine", "-v"]
    assert asked(wrapper, f"{option}=mine", "-showme:command") == ["mine"]
    none = run_command([build / "bin" / f"hindcast-{wrapper}", f"{option}=", "-c", "x"])
    assert (none.returncode, none.stderr) == (1, f"hindcast: {option}= names no compiler\n")
    missing = run_command([build / "bin" / f"hindcast-{wrapper}", f"{option}=no-such-compiler", "-c", "x"])
    assert missing.returncode == 127
    assert missing.stderr.startswith("hindcast: cannot start the compiler no-such-compiler: ")


def test_questions_that_nobody_answers_are_refused(build, run_command):
    done = run_command([build / "bin" / "hindcast-mpicc", "--showme:colour"])
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch("hindcast: --showme:colour: no such question; there are -showme:compile, .*\n", done.stderr)
