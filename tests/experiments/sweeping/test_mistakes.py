"""hindcast sweep: mistakes are told in one line, before anything is run or written."""

import pytest


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("", "the following arguments are required: PROGRAM"),
        ("-n 4 --", "the following arguments are required: PROGRAM"),
        ("-n 2,,4 there.c", "-n 2,,4: values have to be there, and differ"),
        ("-n 2,4,2 there.c", "-n 2,4,2: values have to be there, and differ"),
        ("-n 2,two there.c", "-n 2,two: has to be whole numbers from 1 on, with commas between them"),
        ("-n 0 there.c", "-n 0: has to be whole numbers from 1 on"),
        ("-m ideal, there.c", "-m ideal,: values have to be there, and differ"),
        ("-m ideal -m t3d there.c", "-m t3d: machine was given already; put its values there, with commas between"),
        ("-m idela there.c", "unknown machine 'idela', did you mean 'ideal'?"),
        ("-m ./mine.toml there.c", "./mine.toml: cannot be read: No such file or directory"),
        ("--map block --map block there.c", "--map block: values have to be there, and differ"),
        ("--map middle there.c", "--map middle: not a placement"),
        ("-n 2,1025 -m ap1000 there.c", "1025 ranks, but the machine has at most 1024 nodes"),
        ("--set network.hop_latency there.c", "--set network.hop_latency: not key=value or key=value,value,..."),
        ("--set network.hop_latency=1us,1us there.c", "--set network.hop_latency=1us,1us: values have to be there"),
        ("--set network.hop_latncy=1us there.c", "did you mean 'network.hop_latency'?"),
        ("--set network.hop_latency=1us,1MB there.c", "--set network.hop_latency=1MB: "),
        ("--set ranks=2,4 there.c", "--set ranks=2,4: -n says it, as -n 2,4"),
        ("--with bytes= there.c {bytes}", "--with bytes=: not key=value or key=value,value,..."),
        ("--with bytes=8,8 there.c {bytes}", "--with bytes=8,8: values have to be there, and differ"),
        ("--with bytes=8 there.c", "--with bytes: no argument has {bytes}\n"),
        ("--with bytes=8 there.c {byte}", "--with bytes: no argument has {bytes}, did you mean '{byte}'?"),
        ("--with bytes=8 there.c {bytes} {rank}", "{rank}: no --with says it, did you mean '{ranks}'?"),
        ("--with machine=8 there.c {machine}", "--with machine=8: 'machine' is a column that the table has besides"),
        ("--with status=8 there.c {status}", "--with status=8: 'status' is a column that the table has besides"),
        ("--with b.c=8 --set b.c=8 there.c {b.c}", "--set b.c=8: b.c was given already"),
        ("--with 1=8 there.c {1}", "--with 1=8: a name begins with a letter"),
        (
            "--compute measured:40 there.c",
            "--compute measured:40: such times are not the same twice; let 'hindcast run ",
        ),
        ("--compute free,counted there.c", "--compute counted: such times are not the same twice"),
        ("--compute quick there.c", "--compute quick: one of free, charged, measured:FACTOR"),
        ("--compute recorded:of-{ranks}.csv there.c", "--compute recorded:of-1.csv: cannot be read: No such"),
        ("--compute recorded:{rank}.csv there.c", "{rank}: no --with says it, did you mean '{ranks}'?"),
        ("--compute free --compute charged there.c", "--compute charged: compute was given already"),
        ("--set compute=free there.c", "--set compute=free: --compute says it, as --compute free"),
        ("--part 0/4 there.c", "--part 0/4: has to be K/N, the K-th of N parts, with K from 1 to N"),
        ("--part 5/4 there.c", "--part 5/4: has to be K/N"),
        ("--part 1 there.c", "--part 1: has to be K/N"),
        ("--max-time abc there.c", "--max-time abc: not a time greater than 0 (ps, ns, us, ms, s)"),
        ("--max-time= there.c", "--max-time: its value is empty; give one, or leave the option out"),
        ("--max-time 1e30s there.c", "--max-time 1e30s: longer than 100 days"),
        ("--max-host-time 5 there.c", "--max-host-time 5: not a time greater than 0 (ps, ns, us, ms, s)"),
        ("--max-time 1s --max-host-time 5 --dry-run there.c", "--max-host-time 5: not a time greater than 0"),
        ("./nothing", "./nothing: program not found"),
        ("nothing.c", "nothing.c: no such source file"),
        ("/bin/true", "/bin/true: not an MPI program"),
        ("-n 2 there.c", "there.c does not compile: "),
        ("--ranks-of 2 there.c", "unrecognized arguments: --ranks-of"),
        ("-n 2 --out there.c there.f", "there.f: no such source file"),
    ],
)
def test_a_mistake_is_told_in_one_line(in_folder, tmp_path, words, said):
    (tmp_path / "there.c").write_text("int main(void) { return nothing; }\n")
    done = in_folder("sweep", *words.split())
    assert (done.returncode, done.stdout) == (1, "")
    *notes, line = done.stderr.splitlines(keepends=True)
    assert line.startswith("hindcast: ")
    assert said in line
    assert notes in ([], ["hindcast: one rank of there.c runs: -n RANKS before it says how many\n"])
    assert [file.name for file in tmp_path.iterdir()] == ["there.c"]


def test_an_undefined_reference_is_told_by_its_name(in_folder, tmp_path):
    (tmp_path / "there.c").write_text("void missing_one(void); int main(void) { missing_one(); }\n")
    done = in_folder("sweep", "-n", "2", "there.c")
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "there.c does not compile: " in done.stderr
    assert "undefined reference to `missing_one'" in done.stderr


@pytest.mark.parametrize("words", ["sweep", "compare bcast", "experiment run t3e-fig1", "score"])
def test_an_empty_folder_of_results_is_refused(in_folder, tmp_path, words):
    done = in_folder(*words.split(), "--out", "", *(["there.c"] if words == "sweep" else []))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "hindcast: --out '': is empty: name a folder, or leave it out\n"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("words", ["sweep ../there", "compare bcast"])
def test_a_removed_working_directory_is_told(run_command, path_env, tmp_path, words):
    (tmp_path / "gone").mkdir()
    done = run_command(["sh", "-c", f"rmdir ../gone && hindcast {words}"], cwd=tmp_path / "gone", env=path_env)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "hindcast: the working directory is not there any more\n"


def test_a_folder_that_cannot_be_made_is_told(in_folder, tmp_path, compile_program):
    (tmp_path / "file").touch()
    program = compile_program("#include <mpi.h>\nint main(int n, char** w) { MPI_Init(&n, &w); MPI_Finalize(); }\n")
    done = in_folder("sweep", "-n", "2", "--out", "file", program)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "hindcast: file/runs: cannot be made: Not a directory\n"
