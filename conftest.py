"""What the end-to-end tests share: the build under test, MPI programs compiled once a session, and runs of them."""

import hashlib
import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent
BUILD = Path(os.environ.get("HINDCAST_BUILD") or ROOT / "build" / "release").resolve()
SANITIZED = "sanitize" in BUILD.name
CHECK_H = ROOT / "tests" / "mpi"  # the folder of what MPI programs check themselves with
SLOWER = 30 if SANITIZED else 1


def run(command, *, timeout=60, env=None, **options):
    """Runs a command to its end, whatever that is; its output is text, its standard input is `input` or empty."""
    environment = {**os.environ, **(env or {})}
    if "input" not in options:
        options.setdefault("stdin", subprocess.DEVNULL)
    done = subprocess.run(
        [str(part) for part in command],
        capture_output=True,
        text=True,
        errors="replace",
        timeout=timeout * SLOWER,
        env=environment,
        check=False,
        **options,
    )
    if SANITIZED:
        done.stderr = SANITIZER_REMARKS.sub("", done.stderr)
    return done


# What AddressSanitizer remarks on though nothing is wrong: once a process that an exception is thrown on the stack of a
# simulated thread, and that a program wants more memory than there is.
SANITIZER_REMARKS = re.compile(
    r"==\d+==WARNING: (ASan is ignoring requested __asan_handle_no_return: .*\n"
    r"False positive error reports may follow\nFor details see .*\n"
    r"|AddressSanitizer failed to allocate .*\n)"
)


def pytest_collection_modifyitems(items):
    for item in items:
        if SANITIZED and item.get_closest_marker("no_sanitizer"):
            item.add_marker(pytest.mark.skip(reason="cannot run in the sanitizer build"))


def pytest_report_header():
    return f"hindcast build: {BUILD}"


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def run_command():
    """run_command([...]): any command, as `run` above."""
    return run


@pytest.fixture(scope="session")
def build():
    """The build under test: its bin/ has hindcast and the compiler wrappers."""
    assert (BUILD / "bin" / "hindcast").exists(), f"no hindcast in {BUILD}: run ./hindcast build, or set HINDCAST_BUILD"
    return BUILD


@pytest.fixture(scope="session")
def path_env(build):
    """An environment in which hindcast and its compiler wrappers are on the PATH."""
    return {"PATH": f"{build / 'bin'}:{os.environ['PATH']}"}


@pytest.fixture(scope="session")
def hindcast(build):
    """hindcast("show", "ideal"): the launcher's completed process, with text. Options as of `run` above."""

    def start(*args, **options):
        return run([build / "bin" / "hindcast", *args], **options)

    return start


@pytest.fixture(scope="session")
def programs_folder(tmp_path_factory):
    """Where compiled programs are kept, for all the workers of a session."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "programs"
    folder.mkdir(exist_ok=True)
    return folder


def modules_folder(program):
    """Where the compiler keeps a Fortran program's modules: not where another worker's may be, which it would read half
    written."""
    folder = program.parent / f"modules-{os.getpid()}"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def compile_program(build, programs_folder):
    """compile_program(source, *flags, cxx=False): the executable made of a source file, or of a program's text.
    Fortran is known by the name of the file; a text is in C, or with cxx in C++, or with fortran in Fortran."""

    def compile_it(source, *flags, cxx=False, fortran=False):
        is_text = isinstance(source, str) and "\n" in source
        text = source if is_text else Path(source).read_text()
        fortran = fortran or (not is_text and Path(source).suffix.lower() in (".f", ".f90"))
        key = hashlib.sha256(repr((text, str(source), flags, cxx, fortran)).encode()).hexdigest()[:16]
        stem = "program" if is_text else Path(source).stem
        program = programs_folder / f"{stem}-{key}" / stem
        if program.exists():
            return program
        # Another worker may compile the same program at this moment: each does so aside, and the last one wins.
        program.parent.mkdir(exist_ok=True)
        file = source
        if is_text:
            file = program.parent / f"{stem}-{os.getpid()}{'.cpp' if cxx else '.f90' if fortran else '.c'}"
            file.write_text(text)
        aside = program.parent / f"{stem}-{os.getpid()}"
        compiler = build / "bin" / ("hindcast-mpicxx" if cxx else "hindcast-mpifort" if fortran else "hindcast-mpicc")
        modules = ["-J", modules_folder(program)] if fortran else []
        done = run([compiler, "-g", "-O1", "-I", CHECK_H, *modules, "-o", aside, file, *flags])
        assert done.returncode == 0, f"{stem} does not compile:\n{done.stdout}{done.stderr}"
        aside.rename(program)
        return program

    return compile_it


@pytest.fixture(scope="session")
def run_program(hindcast, compile_program):
    """run_program(source, n, *args): compiles a program and runs it on n ranks of a machine."""

    def run_it(source, n, *args, machine="ideal", launcher=(), flags=(), cxx=False, fortran=False, **options):
        program = compile_program(source, *flags, cxx=cxx, fortran=fortran)
        return hindcast("run", "-m", machine, "-n", n, *launcher, "--", program, *args, **options)

    return run_it


@pytest.fixture
def machine_without(tmp_path):
    """machine_without("ideal", "network.hop_latency", ...): a copy of a machine's file that has not got these keys."""

    def write(machine, *keys):
        table, kept, left_out = "", [], set()
        for line in (ROOT / "platforms" / f"{machine}.toml").read_text().splitlines():
            if line.startswith("["):
                table = line.strip("[]")
            key = f"{table}.{line.partition(' =')[0]}"
            if key in keys:
                left_out.add(key)
            else:
                kept.append(line)
        assert left_out == set(keys)
        path = tmp_path / f"{machine}.toml"
        path.write_text("\n".join(kept))
        return path

    return write


@pytest.fixture(scope="session")
def succeeds(run_command):
    """succeeds([...]): a command, which has to end with status 0."""

    def run_it(command, **options):
        done = run_command(command, **options)
        assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
        return done

    return run_it


@pytest.fixture(scope="session")
def runs_on_four_ranks_and_alone(run_command, hindcast):
    """Whether a program adds up its ranks' numbers, as those that build systems build do."""

    def run_both(program):
        four = hindcast("run", "-m", "ideal", "-n", "4", program)
        assert (four.stdout, four.stderr, four.returncode) == ("sum of 4 ranks: 10\n", "", 0)
        alone = run_command([program])
        assert (alone.stdout, alone.stderr, alone.returncode) == ("sum of 1 ranks: 1\n", "", 0)

    return run_both
