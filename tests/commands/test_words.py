"""The command line: words that were mistyped, forgotten or in another order."""

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
        (["run", "-n", "0", "./prog"], "run: --ranks: Value 0 not in range 1 to 1000000 (hindcast run --help)"),
        (["--versio"], "A subcommand is required (hindcast --help)"),
    ],
)
def test_words_that_make_no_command_are_told_with_where_help_is(hindcast, words, said):
    done = hindcast(*words)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"hindcast: {said}\n")


def test_a_program_without_a_command_is_told_of_run(hindcast, compile_program):
    program = compile_program(HELLO)
    done = hindcast(program)
    assert f"unknown command '{program}', did you mean 'hindcast run -n RANKS {program}'?" in done.stderr


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
    for words in (["run"], ["explain"]):
        done = hindcast(*words, "-n", "4", "mine.c", cwd=tmp_path)
        assert done.returncode == 1
        assert done.stderr == (
            "hindcast: mine.c: a source file, not a program: 'hindcast cc -O2 -o mine mine.c' makes one, and "
            "'hindcast run -n 4 ./mine' runs it\n"
        )
    (tmp_path / "mine.cpp").write_text(HELLO)
    assert "hindcast c++ -O2 -o mine mine.cpp" in hindcast("run", "-n", "4", "mine.cpp", cwd=tmp_path).stderr


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
