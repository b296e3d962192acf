"""What a program keeps for itself, and what libc and libstdc++ keep for it, is each rank's own (sources/)."""

import itertools
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent / "sources"
EXTRA = {"processor_state": ["-lm"]}


@pytest.fixture
def run_steps(run_program):
    """Runs a program of sources/ in which every usleep lets all other ranks run."""

    def run_it(name, n, *args, launcher=(), **options):
        flags = EXTRA.get(Path(name).stem, [])
        source = SOURCES / name
        return run_program(
            source, n, *args, launcher=["--lockstep", *launcher], cxx=source.suffix == ".cpp", flags=flags, **options
        )

    return run_it


LOADERS = [pytest.param((), id="clones"), pytest.param(("--separate-files",), id="copies")]


@pytest.mark.parametrize("launcher", LOADERS)
@pytest.mark.parametrize("name", ["private_variables.c", "private_variables.cpp"])
def test_variables_are_private(run_steps, name, launcher):
    done = run_steps(name, 8, launcher=launcher)
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(line for line in done.stdout.splitlines() if "right" in line) == [f"{i}: right" for i in range(8)]


@pytest.mark.parametrize("launcher", LOADERS)
def test_exceptions_are_private(run_steps, launcher):
    done = run_steps("exceptions.cpp", 8, launcher=launcher)
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("launcher", LOADERS)
def test_errno_and_rounding_are_private(run_steps, launcher):
    done = run_steps("processor_state.c", 8, launcher=launcher)
    assert done.returncode == 0
    assert sorted(done.stdout.split()) == sorted(["nearest", "above", "nearest", "nearest"] * 2)


@pytest.mark.parametrize("launcher", LOADERS)
def test_libc_state_is_private(run_steps, launcher):
    done = run_steps("libc_state.c", 8, "xarg", launcher=launcher, env={"GIVEN": "to all"})
    assert (done.returncode, done.stdout) == (0, "")


@pytest.mark.parametrize("launcher", LOADERS)
def test_what_a_rank_starts_has_its_environment(run_steps, launcher):
    done = run_steps("children.c", 4, launcher=launcher, env={"GIVEN": "to all"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(done.stdout.splitlines()) == [f"{i}: right" for i in range(4)]


def test_thread_locals_that_cannot_be_cloned_are_private_too(compile_program, hindcast, run_command):
    program = compile_program(SOURCES / "private_variables.c", "-ftls-model=initial-exec")
    assert "R_X86_64_TPOFF64" in run_command(["readelf", "-rW", program]).stdout
    done = hindcast("run", "--lockstep", "-n", "4", program)
    assert done.returncode == 0, done.stdout + done.stderr


LINKING = [
    "-Wl,-z,pack-relative-relocs",
    "-Wl,-z,separate-code",
    "-mtls-dialect=gnu2",
    "-Wl,-z,now",
    "-fuse-ld=gold",
    "-flto",
]


@pytest.mark.parametrize("flag", LINKING)
@pytest.mark.parametrize("name", ["private_variables.c", "private_variables.cpp"])
def test_variables_are_private_however_the_program_is_linked(compile_program, hindcast, name, flag):
    program = compile_program(SOURCES / name, flag, cxx=name.endswith("cpp"))
    done = hindcast("run", "--lockstep", "-n", "5", program)
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(line for line in done.stdout.splitlines() if "right" in line) == [f"{i}: right" for i in range(5)]


INDIRECT = """
#include <stdio.h>
#include <unistd.h>
static int count;
static int step(void) { return ++count; }
static int (*choose(void))(void) { return step; }
int chosen(void) __attribute__((ifunc("choose")));
int main(void) {
  int last = 0;
  for (int i = 0; i < getpid() - 999; ++i, usleep(1)) last = chosen();
  return last != getpid() - 999;
}
"""


@pytest.mark.parametrize("launcher", LOADERS)
def test_functions_chosen_while_loading(run_program, launcher):
    done = run_program(INDIRECT, 4, launcher=["--lockstep", *launcher])
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def natively(run_command, tmp_path_factory):
    """natively("options.c", args): the output of a program that knows nothing of hindcast."""
    folder = tmp_path_factory.mktemp("native")

    def run_it(name, *args, **options):
        program = folder / Path(name).stem
        if not program.exists():
            built = run_command(["gcc", "-g", "-o", program, SOURCES / name])
            assert built.returncode == 0, built.stderr
        return run_command([program, *args], **options)

    return run_it


def of_rank(text, rank):
    label = f"[{rank}] "
    return "".join(line.removeprefix(label) for line in text.splitlines(True) if line.startswith(label))


def test_random_numbers_are_those_of_glibc(run_steps, natively):
    expected = natively("random_numbers.c").stdout
    assert expected.count("\n") > 80
    done = run_steps("random_numbers.c", 3, launcher=["--label"], env={"STEPS": "1"})
    assert [of_rank(done.stdout, rank) for rank in range(3)] == [expected] * 3


WORDS = [
    "-a",
    "-b",
    "-bvalue",
    "-ab",
    "-x",
    "--",
    "-",
    "plain",
    "--verbose",
    "--ver",
    "--verb",
    "--output",
    "--output=f",
    "--colour=red",
    "--colour",
    "--flag",
    "--flag=no",
    "--nothing",
    "-o",
    "-verbose",
    "-output",
    "-oc",
]
LETTERS = ["ab:", "+ab:", "-ab:", ":ab:o:", "ab::"]


def command_lines():
    """Every pair of words, and a longer mixture for each first one."""
    for pair in itertools.product(WORDS, WORDS):
        yield list(pair)
    for i, word in enumerate(WORDS):
        yield [word, "p1", WORDS[i - 1], "p2", WORDS[i - 5], "--", WORDS[i - 3], "p3"]


@pytest.mark.parametrize("posixly", [False, True])
@pytest.mark.parametrize("function", ["getopt", "long", "only"])
def test_options_are_parsed_as_by_glibc(hindcast, compile_program, natively, function, posixly):
    program = compile_program(SOURCES / "options.c")
    env = {"POSIXLY_CORRECT": "1"} if posixly else {}
    lines = [[letters, *line] for letters in LETTERS for line in command_lines()]
    lines = lines[:: 7 if not posixly else 37]  # 7 and 37 share no factor with the number of words
    several = []  # many ranks of one run, each with its own command line
    for line in lines:
        several += [":", "-n", "1", program, function, *line] if several else [program, function, *line]
    done = hindcast("run", "--label", "-n", "1", *several, env={**env, "STEPS": "1"}, input="")
    assert done.returncode == 0, done.stderr[-2000:]
    for rank, line in enumerate(lines):
        native = natively("options.c", function, *line, env=env)
        assert of_rank(done.stdout, rank) == native.stdout, line
        assert of_rank(done.stderr, rank) == native.stderr, line


@pytest.mark.parametrize("launcher", LOADERS)
@pytest.mark.parametrize("compiler", ["gcc", "g++", "hindcast-mpicc", "hindcast-mpicxx"])
def test_a_programs_own_libraries_are_private(run_command, hindcast, path_env, tmp_path, compiler, launcher):
    suffix = ".cpp" if compiler.endswith(("g++", "cxx")) else ".c"
    for command in (
        [compiler, "-shared", "-fPIC", "-g", SOURCES / f"own_library{suffix}", "-o", tmp_path / "libown.so"],
        ["hindcast-mpicc", "-g", SOURCES / "uses_own_library.c", "-o", tmp_path / "program", f"-L{tmp_path}", "-lown"],
    ):
        built = run_command(command, env=path_env)
        assert built.returncode == 0, built.stderr
    env = {"LD_LIBRARY_PATH": str(tmp_path)}
    done = hindcast("run", "--lockstep", *launcher, "-n", "5", tmp_path / "program", env=env)
    assert done.returncode == 0, done.stdout + done.stderr
    assert sorted(done.stdout.splitlines()) == [f"{i}: right" for i in range(5)]
    both = ("-n", "2", tmp_path / "program", ":", "-n", "2", tmp_path / "program")
    done = hindcast("run", "--lockstep", *launcher, *both, env=env)
    assert sorted(done.stdout.splitlines()) == [f"{i}: right" for i in range(4)]

    (tmp_path / "libown.so").unlink()
    done = hindcast("run", *launcher, "-n", "2", tmp_path / "program", env=env)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "libown.so" in done.stderr


@pytest.mark.parametrize("launcher", LOADERS)
def test_fftw_is_private(run_program, launcher):
    library = Path("/usr/lib/x86_64-linux-gnu/libfftw3.so.3")
    if not library.exists():
        pytest.skip("no FFTW of the system's")
    done = run_program(SOURCES / "fftw_wisdom.c", 3, launcher=launcher, flags=[str(library)])
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.splitlines() == [f"{i}: {what}" for i in range(3) for what in ("knows nothing", "has learnt")]
