"""The command line: words that were mistyped, forgotten or in another order."""

from pathlib import Path

import pytest

HELLO = """
#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  return MPI_Finalize();
}
"""


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["runn", "-n", "4", "./prog"], "unknown command 'runn', did you mean 'run'? (hindcast --help lists them)"),
        (["machine"], "unknown command 'machine', did you mean 'machines'? (hindcast --help lists them)"),
        (["frobnicate"], "unknown command 'frobnicate' (hindcast --help lists them)"),
        (["help", "frobnicate"], "unknown command 'frobnicate' (hindcast --help lists them)"),
    ],
)
def test_an_unknown_command_is_named_with_what_is_near(hindcast, words, said):
    done = hindcast(*words)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"hindcast: {said}\n")


@pytest.mark.parametrize("command", [[], ["run"], ["machines"], ["experiment"]])
def test_help_is_a_command_too(hindcast, command):
    done = hindcast("help", *command)
    assert done.returncode == 0
    assert "Usage: hindcast" in done.stdout
    assert done.stdout == hindcast(*command, "--help").stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["platform"], "platform: machine is required (hindcast platform --help)"),
        (
            ["run", "-n", "0", "./prog"],
            "run: --ranks: Value 0 is no whole number from 1 to 1000000 (hindcast run --help)",
        ),
        (
            ["run", "-n", "x", "./prog"],
            "run: --ranks: Value x is no whole number from 1 to 1000000 (hindcast run --help)",
        ),
        (
            ["run", "-n", "1.5", "./prog"],
            "run: --ranks: Value 1.5 is no whole number from 1 to 1000000 (hindcast run --help)",
        ),
        (
            ["run", "-n", "0x10", "./prog"],
            "run: --ranks: Value 0x10 is no whole number from 1 to 1000000 (hindcast run --help)",
        ),
        (
            ["platform", "--xml", "ideal", "-n", "0"],
            "platform: -n: Value 0 is no whole number from 1 on (hindcast platform --help)",
        ),
        (
            ["run", "--max-idle-polls", "-1", "./prog"],
            "run: --max-idle-polls: Value -1 is no whole number from 0 on (hindcast run --help)",
        ),
        (
            ["--versio"],
            "--versio: no such option, did you mean '--version'? (hindcast --help); a command's options stand behind "
            "it, as in 'hindcast run -n 4 PROGRAM'",
        ),
        (
            ["-n", "4", "./prog"],
            "-n: no such option (hindcast --help); a command's options stand behind it, as in 'hindcast run -n 4 "
            "PROGRAM'",
        ),
    ],
)
def test_words_that_make_no_command_are_told_with_where_help_is(hindcast, words, said):
    done = hindcast(*words)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"hindcast: {said}\n")


def test_a_program_without_a_command_is_told_of_run(hindcast, compile_program):
    program = compile_program(HELLO)
    done = hindcast(program)
    assert f"unknown command '{program}', did you mean 'hindcast run -n RANKS {program}'?" in done.stderr


def test_a_number_is_decimal(hindcast, compile_program):
    program = compile_program(HELLO.replace("return", "int n; MPI_Comm_size(MPI_COMM_WORLD, &n); return n +"))
    assert hindcast("run", "-n", "010", program).returncode == 10
    assert hindcast("run", "-n", "010", "--universe", "012", program).returncode == 10
    ranks = ["collectives", "bcast", "-b", "0100", "-n"]
    assert hindcast(*ranks, "010").stdout == hindcast(*ranks, "10").stdout


@pytest.mark.parametrize("option", ["--timeline", "--count", "--map", "--wdir", "--stack", "--max-time", "-m"])
def test_an_empty_value_is_refused(hindcast, compile_program, option):
    done = hindcast("run", option, "", compile_program(HELLO))
    assert (done.returncode, done.stdout) == (1, "")
    assert "its value is empty; give one, or leave the option out" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (
            ["run", "-n", "4", "--universe", "2", "PROGRAM"],
            "--universe 2: the run begins with 4 ranks already, so give 4 or more, or leave it out",
        ),
        (
            ["check", "PROGRAM", "--set", "a=b"],
            "check: --set changes a machine, and PROGRAM is none; leave it out",
        ),
        (
            ["explain", "--list", "--message", "0:1", "--bytes", "8"],
            "explain --list: it lists all messages; leave out --message, or --list",
        ),
        (["collectives", "-b", "1KiB"], "collectives: --bytes is for a number of ranks; give -n too, or leave it out"),
        (["collectives", "--map", "node"], "collectives: --map is for a number of ranks; give -n too, or leave it out"),
        (
            ["run", "--count", "same", "--timeline", "./same", "PROGRAM"],
            "--timeline ./same: --count is to be written to that file too; give each its own",
        ),
        (
            ["run", "--count", "PROGRAM", "PROGRAM"],
            "--count PROGRAM: that is the program, which would be overwritten; give another file",
        ),
        (["run", "--wdir", "PROGRAM", "PROGRAM"], "the working directory PROGRAM: Not a directory"),
        (
            ["run", "PROGRAM", ":", "--wdir", "", "PROGRAM"],
            "run, after ':': --wdir: its value is empty; give one, or leave the option out",
        ),
        (
            ["run", "PROGRAM", ":", "-hello", "PROGRAM"],
            "-hello: no such option, did you mean '--help'? (hindcast run --help)",
        ),
        (["run", "--stack", "1e30MiB", "PROGRAM"], "--stack 1e30MiB: no computer has so much memory"),
        (["run", "--stack", "4KiB", "PROGRAM"], "--stack 4KiB: too small to begin a program on; give 16 KiB or more"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_options_that_cannot_be_heeded_are_refused(hindcast, compile_program, tmp_path, words, said):
    program = compile_program(HELLO)
    done = hindcast(*[program if word == "PROGRAM" else word for word in words], cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"hindcast: {said.replace('PROGRAM', str(program))}\n"
    assert not (tmp_path / "same").exists()


@pytest.mark.no_sanitizer  # which needs more of a stack
def test_the_least_stack_is_enough_to_begin_on(hindcast, compile_program):
    assert hindcast("run", "-n", "4", "--stack", "16KiB", compile_program(HELLO)).returncode == 0


def test_ranks_that_have_no_room_are_told_how_many_to_put_on_a_node(hindcast, compile_program):
    program = compile_program(HELLO)
    for words in ([], ["--map", "block:2"]):
        done = hindcast("run", "-m", "ap1000", "-n", "4096", *words, program)
        assert done.returncode == 1
        assert "4096 ranks, but the machine has at most 1024 nodes; --map block:4 puts 4 on each node" in done.stderr
        assert "but a cell of this machine runs one process; --set cellos.multitasking=on" in done.stderr
    advised = ["--map", "block:4", "--set", "cellos.multitasking=on"]
    assert hindcast("run", "-m", "ap1000", "-n", "4096", *advised, program).returncode == 0
    done = hindcast("run", "-m", "cluster", "-n", "1000", program)
    assert "--map block:16 puts 16 on each node" in done.stderr
    assert "but a" not in done.stderr.partition("block:16")[2]


def test_where_a_node_runs_one_process_the_most_ranks_are_told(hindcast, compile_program):
    program = compile_program(HELLO)
    why = "so give -n 2048 or less: a PE of this machine runs one process"
    done = hindcast("run", "-m", "t3e-900", "-n", "4096", program)
    assert done.returncode == 1
    assert done.stderr == f"hindcast: 4096 ranks, but the machine has at most 2048 nodes, {why}\n"
    done = hindcast("run", "-m", "t3e-900", "-n", "5000", "--map", "block:2", program)
    assert done.stderr == (
        "hindcast: --map block:2: 5000 ranks, but the machine has at most 2048 nodes, so give -n 2048 or less, and "
        "each rank a node of its own: a PE of this machine runs one process\n"
    )
    for alone in ("block:1", "cyclic:5000"):
        done = hindcast("run", "-m", "t3e-900", "-n", "5000", "--map", alone, program)
        assert done.stderr == f"hindcast: --map {alone}: 5000 ranks, but the machine has at most 2048 nodes, {why}\n"
        assert hindcast("check", "t3e-900", "-n", "2048", "--map", alone).returncode == 0
    assert hindcast("run", "-m", "t3e-900", "-n", "2048", program).returncode == 0
    done = hindcast("run", "-m", "t3e-900", "-n", "2", "--map", "block:2", program)
    assert done.stderr == (
        "hindcast: --map: ranks 0 and 1 are both on node 0, but a PE of this machine runs one process; give each rank "
        "a node of its own\n"
    )


def test_more_ranks_than_mappings_are_refused_at_once(hindcast, compile_program):
    limit = int(Path("/proc/sys/vm/max_map_count").read_text())
    if limit >= 2_000_000:
        pytest.skip("this computer has mappings for a million ranks")
    done = hindcast("run", "-n", "1000000", compile_program(HELLO), timeout=10)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"vm.max_map_count limits them to {limit}" in done.stderr
    assert "vm.max_map_count" in hindcast("explain", "--bytes", "8", "-n", "1000000", timeout=10).stderr


SET = ["--set", "network.hop_latency=3 us"]


@pytest.mark.parametrize(
    "words",
    [
        ["platform", "--xml", *SET, "ideal"],
        ["collectives", *SET, "bcast"],
        ["collectives", "-n", "4", "-b", "8", "bcast"],
        ["collectives", "--coll", "bcast=binomial", "bcast"],
        ["show", *SET, "ideal"],
        ["check", *SET, "ideal"],
    ],
    ids=" ".join,
)
def test_an_option_takes_one_word_and_not_the_last_argument(hindcast, words):
    done = hindcast(*words)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_source_file_is_no_program(hindcast, tmp_path):
    (tmp_path / "mine.c").write_text(HELLO)
    for words, n in ((["run", "-n", "4"], 4), (["explain", "-n", "4"], 4), (["check"], 1)):
        done = hindcast(*words, "mine.c", cwd=tmp_path)
        assert done.returncode == 1
        assert done.stderr == (
            "hindcast: mine.c: a source file, not a program: 'hindcast cc -O2 -o mine mine.c' makes one, and "
            f"'hindcast run -n {n} ./mine' runs it\n"
        )


@pytest.mark.parametrize(
    ("suffix", "command"),
    [
        ("cpp", "c++"),
        ("C", "c++"),
        ("f", "fc"),
        ("F", "fc"),
        ("for", "fc"),
        ("f90", "fc"),
        ("F90", "fc"),
        ("f08", "fc"),
    ],
)
def test_a_source_file_of_another_language_is_no_program(hindcast, tmp_path, suffix, command):
    (tmp_path / f"mine.{suffix}").write_text("end\n")
    done = hindcast("run", "-n", "4", f"mine.{suffix}", cwd=tmp_path)
    assert done.returncode == 1
    assert f"a source file, not a program: 'hindcast {command} -O2 -o mine mine.{suffix}' makes one" in done.stderr


def test_a_machines_file_is_no_program(hindcast, tmp_path):
    (tmp_path / "mine.toml").write_text('name = "mine"\n')
    for command in ("run", "explain"):
        assert hindcast(command, "-n", "4", "mine.toml", cwd=tmp_path).stderr == (
            "hindcast: mine.toml: not a program: 'hindcast run -m mine.toml PROGRAM' runs one on the machine of such a "
            "file, and 'hindcast experiment run mine.toml' an experiment\n"
        )


def test_one_rank_is_said_to_run_where_no_number_was_given(hindcast, compile_program):
    program = compile_program(HELLO)
    done = hindcast("run", program)
    assert done.returncode == 0
    assert done.stderr == f"hindcast: one rank of {program} runs: -n RANKS before it says how many\n"
    assert hindcast("run", "-n", "1", program).stderr == ""


def test_objects_and_libraries_are_told_what_they_lack(hindcast, build, run_command, tmp_path):
    (tmp_path / "a.c").write_text("#include <mpi.h>\nint a(void) { return MPI_Barrier(MPI_COMM_WORLD); }\n")
    (tmp_path / "b.c").write_text("int MPI_Telepathy(void);\nint b(void) { return MPI_Telepathy(); }\n")
    compiler = build / "bin" / "hindcast-mpicc"
    assert run_command([compiler, "-c", "a.c", "b.c"], cwd=tmp_path).returncode == 0
    assert run_command(["ar", "rc", "libboth.a", "a.o", "b.o"], cwd=tmp_path).returncode == 0
    assert run_command([compiler, "-shared", "-fPIC", "-o", "liba.so", "a.c"], cwd=tmp_path).returncode == 0
    done = hindcast("check", "a.o", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("a.o: an object file, no program yet: ")
    assert "calls 1 of MPI's functions: MPI_Barrier\n" in done.stdout
    done = hindcast("check", "libboth.a", cwd=tmp_path)
    assert done.returncode == 1
    assert done.stdout.startswith("libboth.a: calls what is missing\n")
    assert done.stdout.endswith("missing 1: MPI_Telepathy\n")
    done = hindcast("check", "liba.so", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("liba.so: a shared library, no program yet: ")


def test_the_algorithm_that_is_taken_is_listed_with_its_own_parameters(hindcast):
    words = ["collectives", "bcast", "-n", "8", "-b", "64KiB"]
    rows = hindcast(*words, "--coll", "bcast=pipeline:segment=4KiB").stdout.splitlines()
    (taken,) = [row for row in rows if "always (--coll)" in row]
    (usual,) = [row for row in rows if "pipeline:segment=8KiB" in row]
    assert taken.split()[:2] == ["bcast", "pipeline:segment=4KiB"]
    assert taken.split()[3] != usual.split()[3]
    table = ["--set", "collectives.bcast=pipeline:segment=2KiB if ranks < 9, linear"]
    (taken,) = [row for row in hindcast(*words, *table).stdout.splitlines() if "1. if ranks < 9" in row]
    assert taken.split()[1] == "pipeline:segment=2KiB"
