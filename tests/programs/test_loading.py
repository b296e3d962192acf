"""Starting programs: how many, how they are found and refused, what they are given."""

import os
import resource
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent / "sources"
HELLO = SOURCES / "hello.c"


def test_ten_thousand_ranks_in_the_default_limits(hindcast, compile_program):
    assert int(Path("/proc/sys/vm/max_map_count").read_text()) < 10_000 * 7  # so that it means something
    in_cxx = (
        "#include <iostream>\n#include <unistd.h>\n#include <stdexcept>\nint mine;\nint main() { mine = getpid();\n"
        "  try { usleep(1); throw mine; } catch (int caught) { std::cout << caught << std::endl; } }\n"
    )
    text = "#include <unistd.h>\nint mine;\nint main(void) { mine = getpid(); usleep(5); return mine != getpid(); }\n"
    done = hindcast("run", "--lockstep", "-n", "10000", compile_program(text))
    assert (done.returncode, done.stderr) == (0, "")
    done = hindcast("run", "--lockstep", "-n", "10000", compile_program(in_cxx, cxx=True))
    assert done.stdout.splitlines() == [str(1000 + rank) for rank in range(10_000)]


def test_an_ordinary_user_can_start_ten_thousand_ranks(compile_program, run_command, build):
    if os.getuid() != 0:
        pytest.skip("the other tests are run by an ordinary user")
    if any(not folder.stat().st_mode & 0o001 for folder in build.parents):
        pytest.skip(f"{build} is closed to other users")
    with tempfile.TemporaryDirectory() as folder:  # pytest's own are closed to other users
        Path(folder).chmod(0o755)
        program = shutil.copy(compile_program(HELLO), folder)
        command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--bounding-set=-all", "--"]
        done = run_command([*command, build / "bin" / "hindcast", "run", "-n", "10000", program])
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("\n") == 10_000


def test_the_launcher_has_no_copies_of_libcs_variables(run_command, build):
    relocations = run_command(["readelf", "-rW", build / "bin" / "hindcast"]).stdout
    assert "R_X86_64_JUMP_SLO" in relocations or "R_X86_64_GLOB_DAT" in relocations
    assert "R_X86_64_COPY" not in relocations


def test_few_descriptors_are_enough(compile_program, hindcast):
    def limit():
        resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))

    done = hindcast("run", "-n", "200", compile_program(HELLO), preexec_fn=limit)
    assert (done.returncode, done.stderr) == (0, "")


def test_several_programs(hindcast, compile_program):
    hello = compile_program(HELLO)
    other = compile_program(
        '#include <stdio.h>\nint main(int argc, char** argv) { printf("%d %s\\n", argc, argv[1]); }\n'
    )
    done = hindcast("run", "-np", "2", hello, "a", "-n", ":", "-n", "2", "--", other, "b", ":", hello, "-x")
    assert done.stdout.splitlines() == [
        "rank 0 on ideal-0: a -n",
        "rank 1 on ideal-1: a -n",
        "2 b",
        "2 b",
        "rank 4 on ideal-4: -x",
    ]


@pytest.mark.parametrize(
    "given, nodes",
    [
        ("block", [0, 1, 2, 3]),
        ("reverse", [3, 2, 1, 0]),
        ("5,0,3,1", [5, 0, 3, 1]),
        ("random:7", None),
    ],
)
def test_map(run_program, given, nodes):
    done = run_program(HELLO, 4, launcher=["--map", given])
    found = [int(line.split("ideal-")[1].rstrip(":")) for line in done.stdout.splitlines()]
    assert sorted(found) == [0, 1, 2, 3] if nodes is None else found == nodes
    assert done.stdout == run_program(HELLO, 4, launcher=["--map", given]).stdout


def test_variables(run_program, hindcast, compile_program):
    text = (
        "#include <stdio.h>\n#include <stdlib.h>\n"
        'int main(void) { printf("%s %s\\n", getenv("GIVEN"), getenv("SET")); }\n'
    )
    done = run_program(text, 2, launcher=["-x", "GIVEN", "-x", "SET=a=b"], env={"GIVEN": "inherited", "SET": "no"})
    assert done.stdout == "inherited a=b\n" * 2
    assert run_program(text, 1, env={"GIVEN": "all", "SET": "are"}).stdout == "all are\n"
    done = run_program(text, 1, launcher=["-x", "NOT_SET_AT_ALL"])
    assert (done.returncode, done.stdout) == (1, "")
    assert "-x NOT_SET_AT_ALL" in done.stderr


@pytest.mark.parametrize("launcher", [[], ["--lockstep"]])
def test_working_directories(hindcast, compile_program, tmp_path, launcher):
    for name in ("a", "b", "wdir"):
        (tmp_path / name).mkdir()
    program = compile_program(SOURCES / "directories.c")
    done = hindcast(
        "run",
        *launcher,
        "-n",
        "3",
        program,
        "a",
        "nowhere",
        "b",
        ":",
        "-n",
        "1",
        "-wdir",
        "wdir",
        program,
        cwd=tmp_path,
    )
    assert done.returncode == 0
    assert sorted(done.stdout.splitlines()) == sorted(
        [
            *(f"{rank} starts in {tmp_path}" for rank in range(3)),
            f"3 starts in {tmp_path}/wdir",
            "1: No such file or directory",
            f"0 ends in {tmp_path}",
            f"1 ends in {tmp_path.parent}",
            f"2 ends in {tmp_path}",
            f"3 ends in {tmp_path}/wdir",
        ]
    )
    assert (tmp_path / "a" / "written-by-0").read_text() == "0\n"
    assert (tmp_path / "b" / "written-by-2").read_text() == "2\n"
    assert (tmp_path / "written-by-1").read_text() == "1\n"


def test_a_program_by_itself_is_one_rank(compile_program, run_command):
    program = compile_program(HELLO)
    done = run_command([program, "a", "--label", ":", "b"])
    assert (done.returncode, done.stdout) == (0, "rank 0 on ideal-0: a --label : b\n")
    done = run_command([f"./{program.name}"], cwd=program.parent, env={"HINDCAST_MACHINE": "no-such-machine"})
    assert done.returncode == 1
    assert "no-such-machine" in done.stderr


@pytest.mark.parametrize("mpi", ["PMI", "OMPI_COMM_WORLD"])
def test_another_mpis_launcher_is_refused(mpi, compile_program, run_command):
    program = compile_program(HELLO)
    first = run_command([program], env={f"{mpi}_SIZE": "3", f"{mpi}_RANK": "0"})
    assert (first.returncode, first.stdout) == (1, "")
    assert first.stderr == (
        f"hindcast: {program}: another MPI's launcher has started this program 3 times ({mpi}_SIZE), which would be "
        "runs of one rank; start it with hindcast-mpiexec -n 3\n"
    )
    second = run_command([program], env={f"{mpi}_SIZE": "3", f"{mpi}_RANK": "1"})
    assert (second.returncode, second.stdout, second.stderr) == (1, "", "")
    alone = run_command([program], env={f"{mpi}_SIZE": "1", f"{mpi}_RANK": "0"})
    assert (alone.returncode, alone.stdout) == (0, "rank 0 on ideal-0:\n")


def test_what_a_script_starts_runs_as_the_script_was_to(compile_program, hindcast, tmp_path):
    program = compile_program(HELLO)
    script = tmp_path / "script"
    script.write_text(f'#!/bin/sh\necho once\n{program} first\nexec {program} "$@"\n')
    script.chmod(0o755)
    done = hindcast("run", "-m", "ap1000", "-n", "2", script, "a  b", ":x")
    lines = [f"rank {rank} on ap1000-{rank}: {words}" for words in ("first", "a  b :x") for rank in (0, 1)]
    assert (done.returncode, done.stdout.splitlines()) == (0, ["once", *lines])
    script.write_text("#!/bin/sh\nexit 7\n")
    assert hindcast("run", "-n", "2", script).returncode == 7


def test_programs_that_ranks_start_know_nothing_of_the_script(compile_program, hindcast, tmp_path):
    text = '#include <stdlib.h>\nint main(void) { return getenv("HINDCAST_RUN_OPTIONS") != NULL; }\n'
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\nexec {compile_program(text)}\n")
    script.chmod(0o755)
    assert hindcast("run", "-n", "2", script).returncode == 0


def test_a_script_is_refused_where_what_it_starts_would_be_a_run_of_its_own(compile_program, hindcast, tmp_path):
    program = compile_program(HELLO)
    script = tmp_path / "script"
    script.write_text(f"#!/bin/sh\nexec {program}\n")
    script.chmod(0o755)
    why = f"{script} is a script, and each program that a script starts is a run of its own; name the program"
    refused(hindcast("run", "-n", "1", program, ":", "-n", "1", script), f"run, with ':': {why}")
    refused(hindcast("run", "-n", "1", script, ":", "-n", "1", program), f"run, with ':': {why}")
    refused(hindcast("run", program, ":", "--wdir", tmp_path, "./script"), "./script is a script")
    refused(hindcast("explain", "-n", "2", script), f"explain: {why}")


def test_found_in_the_path(compile_program, hindcast):
    program = compile_program(HELLO)
    assert hindcast("run", "hello", env={"PATH": f"{os.environ['PATH']}:{program.parent}"}).returncode == 0


def refused(done, *words):
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("hindcast: ")
    assert done.stderr.count("\n") == 1
    assert all(word in done.stderr for word in words), done.stderr


def test_what_is_no_program_is_refused(hindcast, tmp_path):
    refused(hindcast("run", "-n", "2", tmp_path / "nothing"), "nothing: program not found")
    refused(hindcast("run", "-n", "2", "no-such-program"), "no-such-program: program not found", "PATH")
    refused(hindcast("run", "-n", "2", tmp_path), "a directory")
    script = tmp_path / "script"
    script.write_text("#!/bin/sh\n")
    refused(hindcast("run", "-n", "2", script), "not executable")
    (tmp_path / "results.txt").write_text("1\n")
    refused(hindcast("run", "-n", "2", "results.txt", cwd=tmp_path), "results.txt: not executable")
    refused(hindcast("run", "-n", "2", tmp_path.name, cwd=tmp_path.parent), f"{tmp_path.name}: a directory")
    script.chmod(0o755)
    script.write_text("#!/no/such/shell\n")
    refused(hindcast("run", "-n", "2", script), "script: cannot be started")
    script.write_text("no script\n")
    refused(hindcast("run", "-n", "2", script), "not an executable program")
    refused(hindcast("run", "-n", "2", "/bin/ls"), "/bin/ls: not an MPI program", "hindcast-mpicc")
    refused(hindcast("run", "-n", "2"), "which program?")


def test_a_damaged_program_is_refused(hindcast, compile_program, tmp_path):
    whole = compile_program(HELLO).read_bytes()
    for length in (10, 100, 3000, len(whole) // 2):
        damaged = tmp_path / f"first-{length}-bytes"
        damaged.write_bytes(whole[:length])
        damaged.chmod(0o755)
        refused(hindcast("run", "-n", "2", damaged), damaged.name)


def test_a_program_that_needs_what_the_library_no_longer_has_is_refused(hindcast, compile_program):
    text = "void hindcast_rank_of_another_version(void);\nint main(void) { hindcast_rank_of_another_version(); }\n"
    program = compile_program(text, "-Wl,--warn-unresolved-symbols")
    refused(hindcast("run", program), "not linked by this hindcast; link it with hindcast-mpicc")


def test_programs_linked_otherwise_are_refused(hindcast, run_command, build, tmp_path):
    def gcc(*arguments):
        built = run_command(["gcc", *arguments], cwd=tmp_path)
        assert built.returncode == 0, built.stderr

    library = ["-Wl,--no-as-needed", f"-L{build}/lib", "-lhindcast", f"-Wl,-rpath,{build}/lib"]
    gcc("-shared", "-fPIC", "-Wl,-soname,libmpi.so.40", "-o", "libmpi.so.40", "-x", "c", "/dev/null")
    gcc(HELLO, "-o", "other", "-Wl,--no-as-needed", "./libmpi.so.40")
    refused(hindcast("run", "other", cwd=tmp_path), "built by another MPI", "libmpi.so.40", "hindcast-mpicc")
    gcc("-fPIE", "-pie", HELLO, "-o", "pie", *library)
    refused(hindcast("run", "./pie", cwd=tmp_path), "./pie", "link it with hindcast-mpicc")
    gcc("-no-pie", HELLO, "-o", "fixed", *library)
    refused(hindcast("run", "./fixed", cwd=tmp_path), "./fixed", "link it with hindcast-mpicc")
    gcc("-static", HELLO, "-o", "static")
    refused(hindcast("run", "./static", cwd=tmp_path), "statically linked", "hindcast-mpicc")
    gcc("-shared", "-fPIC", HELLO, "-o", "library", *library)
    refused(hindcast("run", "./library", cwd=tmp_path), "./library", "hindcast-mpicc")
    gcc("-c", HELLO, "-o", "object")
    (tmp_path / "object").chmod(0o755)
    refused(hindcast("run", "./object", cwd=tmp_path), "an object file")


@pytest.mark.parametrize(
    "options, word",
    [
        (["-n", "0"], "--ranks"),
        (["-n", "two"], "--ranks"),
        (["--unknown"], "--unknown"),
        (["--map", "sideways"], "--map sideways"),
        (["-n", "3", "--map", "0,1"], "--map 0,1"),
        (["--max-time", "3"], "--max-time 3"),
        (["--max-time", "1e300s"], "--max-time 1e300s: longer than 100 days"),
        (["--max-time", "infs"], "--max-time infs: longer than 100 days"),
        (["--max-time", "1e-9ps"], "--max-time 1e-9ps: less than a picosecond"),
        (["--stack", "3s"], "--stack 3s"),
        (["--compute", "perhaps"], "--compute"),
        (["--compute", "measured:inf"], "--compute measured:inf: one of free"),
        (["--wdir", "/no/such/place"], "/no/such/place"),
        (["-x", "=1"], "-x"),
    ],
)
def test_bad_options_are_refused(hindcast, compile_program, options, word):
    done = hindcast("run", *options, compile_program(HELLO))
    assert (done.returncode, done.stdout) == (1, "")
    assert word in done.stderr


def test_flags_of_the_wrapper(run_command, build, path_env, tmp_path):
    shown = run_command(["hindcast-mpicc", "-show"], env=path_env).stdout
    assert f"-I{build}/include" in shown
    assert "-lhindcast" in shown
    assert shown.startswith("gcc ")
    assert run_command(["hindcast-mpicxx", "-show"], env={**path_env, "HINDCAST_CXX": "my-c++ -v"}).stdout.startswith(
        "my-c++ -v "
    )
    assert "-lhindcast" not in run_command(["hindcast", "cc", "-show", "-c", "x.c"], env=path_env).stdout
    for name in ("hindcast-mpicc", "hindcast-mpicxx"):
        assert "Free Software Foundation" in run_command([name, "--version"], env=path_env).stdout
    (tmp_path / "x.c").write_text("#include <mpi.h>\nint main(void) { return 0; }\n")
    for arguments in (
        ["-E", "x.c"],
        ["-S", "x.c"],
        ["-c", "x.c", "-o", "y.o"],
        ["y.o", "-o", "z"],
        ["-O2", "-pie", "x.c"],
        ["-Wl,--gc-sections", "-s", "-flto", "-O2", "x.c", "-o", "small"],
    ):
        done = run_command(["hindcast-mpicc", *arguments], env=path_env, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    for program in ("z", "a.out", "small"):
        assert run_command([tmp_path / program]).returncode == 0
        assert run_command(["hindcast", "run", "-n", "2", tmp_path / program], env=path_env).returncode == 0
    refusal = run_command(["hindcast-mpicc", "-static", "x.c"], env=path_env, cwd=tmp_path)
    assert refusal.returncode == 1
    assert "-static" in refusal.stderr
    for sanitizers in ("address", "undefined,thread"):
        refusal = run_command(["hindcast-mpicc", f"-fsanitize={sanitizers}", "x.c"], env=path_env, cwd=tmp_path)
        assert refusal.returncode == 1
        assert f"-fsanitize={sanitizers}" in refusal.stderr
        assert "-fsanitize=undefined works" in refusal.stderr
    missing = run_command(
        ["hindcast-mpicc", "-x", "c", "-"], env=path_env, cwd=tmp_path, input="int main(void){return f();}\n"
    )
    assert missing.returncode != 0
    assert "undefined reference" in missing.stderr


def test_a_tool_that_is_preloaded_does_no_harm(run_command, hindcast, path_env, compile_program, tmp_path):
    """It needs our library, which is loaded with the launcher then."""
    source, tool = tmp_path / "tool.c", tmp_path / "libtool.so"
    source.write_text("#include <mpi.h>\nint is_initialized(void) { int flag; return MPI_Initialized(&flag), flag; }\n")
    built = run_command(["hindcast-mpicc", "-shared", "-fPIC", source, "-o", tool], env=path_env)
    assert built.returncode == 0, built.stderr
    program = compile_program(SOURCES / "hello.c")
    plain, preloaded = (hindcast("run", "-n", "3", program, env=env) for env in ({}, {"LD_PRELOAD": str(tool)}))
    assert (preloaded.returncode, preloaded.stdout) == (0, plain.stdout), preloaded.stderr


def test_an_ordinary_executable_is_told_how_to_be_linked(run_command, hindcast, build, tmp_path):
    source, program = tmp_path / "main.c", tmp_path / "main"
    source.write_text("#include <mpi.h>\nint main(int argc, char** argv) { return MPI_Init(&argc, &argv); }\n")
    folders = [f"-I{build}/include", f"-L{build}/lib", f"-Wl,-rpath,{build}/lib"]
    built = run_command(["gcc", *folders, source, "-lhindcast", "-o", program])
    assert built.returncode == 0, built.stderr
    for done in (run_command([program]), hindcast("run", "-n", "2", program)):
        assert done.returncode != 0
        assert done.stderr.count("\n") == 1
        assert "linked as an ordinary executable" in done.stderr
        assert "link it with hindcast-mpicc, or by CMake's MPI::MPI_C" in done.stderr


def test_an_interpreter_that_opens_mpi_is_told_that_it_cannot_be_a_rank(run_command, hindcast, build):
    script = f"import ctypes; ctypes.CDLL('{build}/lib/libhindcast.so').MPI_Init(None, None)"
    done = run_command([sys.executable, "-c", script])
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert "has opened it later, as an interpreter does: it cannot be a rank" in done.stderr
    done = hindcast("run", "-n", "2", Path(sys.executable).resolve(), "-c", script)
    assert done.returncode != 0
    assert "An interpreter that opens MPI later cannot be a rank" in done.stderr
