"""hindcast compare: one operation's times on several machines or in several ways, as a table, in words and as files."""

import csv
import re
import shlex
import subprocess

import pytest

from experiments.one_operation import BETWEEN_TWO

MINE = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int bytes = atoi(argv[1]);
  char* data = calloc(bytes + 1, 1);
  const double start = MPI_Wtime();
  MPI_Bcast(data, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("bytes,ranks,time_us\n");
  printf("%d,%d,%.6f\n", bytes, ranks, (MPI_Wtime() - start) * 1e6);
  MPI_Finalize();
  return 0;
}
"""


@pytest.fixture
def compare(in_folder):
    """compare("pingpong", "-b", "8"): the lines that it prints, with a single space between words."""

    def lines_of(*words):
        done = in_folder("compare", *words)
        assert (done.returncode, done.stderr) == (0, "")
        return [" ".join(line.split()) for line in done.stdout.splitlines()]

    return lines_of


def rows_of(path):
    return list(csv.DictReader(line for line in path.read_text().splitlines() if not line.startswith("#")))


def table_file(folder, operation):
    """The only one of it."""
    (path,) = (folder / "out" / "compare").glob(f"{operation}.*csv")
    return path


def table_of(lines, *places):
    """The cells of the rows of these places."""
    rows = [line.removeprefix(f"{place} ") for place in places for line in lines if line.startswith(f"{place} ")]
    return [row.split() for row in rows if row[0].isdigit()]


def test_machines_are_compared_over_sizes(compare, tmp_path):
    lines = compare("pingpong", "-m", "ideal,ap1000,t3e-900", "-b", "8,1KiB,64KiB")
    assert lines[0] == "pingpong, 2 ranks"
    rows = rows_of(table_file(tmp_path, "pingpong"))
    assert [(row["machine"], row["bytes"]) for row in rows] == [
        (machine, size) for machine in ("ideal", "ap1000", "t3e-900") for size in ("8", "1024", "65536")
    ]
    times = {(row["machine"], row["bytes"]): float(row["time_us"]) for row in rows}
    for cells, size in zip(table_of(lines, "8 B", "1 KiB", "64 KiB"), ("8", "1024", "65536"), strict=True):
        of_size = {machine: times[machine, size] for machine in ("ideal", "ap1000", "t3e-900")}
        assert [float(cell) for cell in cells[:3]] == pytest.approx(list(of_size.values()), rel=1e-3)
        least, second, _ = sorted(of_size.values())
        assert of_size[cells[3]] == least
        assert float(cells[4]) == pytest.approx(second / least, rel=5e-3)
    assert "64 KiB: t3e-900 is the quickest, the next takes 1.08 times as long" in lines
    assert any(line.startswith("8 B to 1 KiB: ideal is the quickest, the next takes") for line in lines)
    assert {path.suffix for path in (tmp_path / "out" / "compare").iterdir()} == {
        ".csv",
        ".png",
        ".pdf",
        ".svg",
        ".txt",
    }


def test_a_machines_file_may_have_a_comma_in_its_name(compare, tmp_path, root):
    text = (root / "platforms" / "ideal.toml").read_text()
    for name in ("mine.toml", "mine,slow.toml", "mine,slow,old.toml"):
        (tmp_path / name).write_text(text.replace('name = "ideal"', 'name = "mine"'))
    compare("pingpong", "-m", "ideal,mine,slow.toml,t3d,mine.toml,mine,slow,old.toml", "-b", "8")
    machines = ["ideal", "mine,slow.toml", "t3d", "mine.toml", "mine,slow,old.toml"]
    assert [row["machine"] for row in rows_of(table_file(tmp_path, "pingpong"))] == machines
    (tmp_path / "slow.toml").write_text(text)
    assert compare("pingpong", "-m", "mine,slow.toml", "-b", "8")[0] == "pingpong, mine,slow.toml, 2 ranks"


def test_an_algorithm_takes_the_time_that_it_takes_when_a_run_is_told_to_take_it(compare, in_folder, tmp_path, root):
    lines = compare("allreduce", "-n", "8", "-b", "1024", "-a", "table,ring,rabenseifner")
    in_folder("cc", "-O2", "-o", "collective", root / "experiments" / "collectives" / "collective.c")
    expected = []
    for chosen in ([], ["--coll", "allreduce=ring"], ["--coll", "allreduce=rabenseifner"]):
        done = in_folder("run", "-m", "ideal", "-n", "8", *chosen, "./collective", "allreduce", "1024")
        expected.append(done.stdout.split(",")[-1].strip())
    rows = rows_of(table_file(tmp_path, "allreduce"))
    assert [(row["curve"], row["time_us"]) for row in rows] == list(
        zip(("table", "ring", "rabenseifner"), expected, strict=True)
    )
    assert expected[0] == expected[2]
    assert any(line.startswith("everywhere, 1 KiB: table and rabenseifner are the quickest") for line in lines)


def test_several_numbers_of_ranks_are_drawn_over(compare, tmp_path):
    lines = compare("bcast", "-m", "ap1000", "-n", "4,8,64", "-b", "1KiB", "-a", "native,binomial")
    assert lines[0] == "bcast, ap1000, 1 KiB"
    native, binomial = zip(*(cells[:2] for cells in table_of(lines, "4", "8", "64")), strict=True)
    assert len(set(native)) == 1  # the machine's broadcast reaches all cells at once
    assert len(set(binomial)) == 3
    rows = rows_of(table_file(tmp_path, "bcast"))
    assert [row["ranks"] for row in rows] == ["4", "8", "64"] * 2
    assert {row["bytes"] for row in rows} == {"1024"}


def test_of_several_sizes_and_numbers_of_ranks_each_number_has_a_curve_and_none_is_the_quickest(compare, tmp_path):
    lines = compare("alltoall", "-n", "2,4", "-b", "8,16")
    assert "quickest" not in " ".join(lines)
    rows = rows_of(table_file(tmp_path, "alltoall"))
    assert [(row["ranks"], row["bytes"]) for row in rows] == [("2", "8"), ("2", "16"), ("4", "8"), ("4", "16")]


def test_parameters_are_compared_and_said_with_the_last_word_of_their_keys(compare):
    lines = compare("put", "--set", "network.link_bandwidth=20,200", "--map", "slot", "--map", "reverse", "-b", "1KiB")
    assert any(line.startswith("link_bandwidth=20 link_bandwidth=200 link_bandwidth=20") for line in lines)
    assert (
        "everywhere, 1 KiB: map=slot, link_bandwidth=200 and map=reverse, link_bandwidth=200 are the quickest, "
        "the next takes 6.62 times as long"
    ) in lines


def test_a_barrier_is_compared_over_ranks(compare):
    lines = compare("barrier", "-m", "ap1000,t3e-900")
    assert lines[0] == "barrier"
    assert [cells[2] for cells in table_of(lines, "2", "4", "8", "16", "32", "64")] == ["t3e-900"] * 6


def test_what_the_program_leaves_out_is_said(compare, in_folder):
    lines = compare("alltoall", "-b", "1KiB,512KiB,1MiB")
    assert "the program prints no time for 512 KiB, 1 MiB" in lines
    several = compare("alltoall", "-n", "2,64", "-b", "1KiB,512KiB")
    assert "the program prints no time for 512 KiB (64 ranks)" in several
    done = in_folder("compare", "alltoall", "-b", "1MiB")
    assert done.returncode == 1
    assert done.stderr.startswith("hindcast: alltoall, ideal, 16 ranks: nothing was measured")


def test_operations_between_two_take_the_times_that_their_descriptions_say(compare, tmp_path):
    times = {}
    for operation in BETWEEN_TWO:
        compare(operation, "-n", "4", "-b", "4096")
        (row,) = rows_of(table_file(tmp_path, operation))
        times[operation] = float(row["time_us"])
    assert 0 < times["stream"] < times["pingpong"] <= times["exchange"]
    assert times["put"] > times["get"] > 0  # a put is followed by a message that says so, a get by its answer
    assert times["get_accumulate"] > times["accumulate"] >= times["put"]


def test_a_measuring_program_of_ones_own_is_compared(compare, tmp_path):
    (tmp_path / "mine.c").write_text(MINE)
    over_bytes = compare("mine.c", "-m", "ideal,ap1000", "-n", "4", "-b", "8,1024")
    assert [len(cells) for cells in table_of(over_bytes, "8 B", "1 KiB")] == [5, 5]
    over_ranks = compare("mine.c", "-m", "ideal,ap1000", "-n", "2,4", "-b", "1024")
    assert table_of(over_ranks, "4") == table_of(over_bytes, "1 KiB")
    names = {path.name for path in (tmp_path / "out" / "compare").glob("*.csv")}
    assert names == {
        "mine.c.ranks=4.machine=ideal,ap1000.bytes=8,1024.csv",
        "mine.c.machine=ideal,ap1000.bytes=1024.ranks=2,4.csv",
    }


def test_an_algorithm_is_taken_whatever_the_machine_would_choose(compare):
    lines = compare("bcast", "-n", "4", "-b", "8", "-a", "linear,table", "--set", "collectives.bcast=binomial")
    linear, table = table_of(lines, "8 B")[0][:2]
    (((binomial, *_),),) = [table_of(compare("bcast", "-n", "4", "-b", "8", "-a", "binomial"), "8 B")]
    assert table == binomial != linear


def test_what_takes_no_time_is_drawn_on_a_linear_axis(compare, tmp_path):
    (tmp_path / "mine.c").write_text(MINE.replace("(MPI_Wtime() - start) * 1e6", "0.0"))
    lines = compare("mine.c", "-m", "ideal,t3d", "-n", "2", "-b", "8,16")
    assert table_of(lines, "8 B", "16 B") == [["0.00000", "0.00000", "ideal", "and", "t3d"]] * 2


@pytest.mark.parametrize("time", ["nan", "inf", "-1"])
def test_a_time_that_is_none_is_refused(in_folder, tmp_path, time):
    (tmp_path / "mine.c").write_text(MINE.replace("(MPI_Wtime() - start) * 1e6", f'strtod("{time}", NULL)'))
    done = in_folder("compare", "mine.c", "-b", "8")
    assert done.returncode == 1
    assert re.fullmatch(r"hindcast: the program prints \S+ as time_us, which is no time\n", done.stderr)


def test_a_machine_of_the_environment_is_taken_and_a_wrong_one_told(hindcast, tmp_path):
    words = ("compare", "pingpong", "-b", "8")
    told = hindcast(*words, cwd=tmp_path, env={"HINDCAST_MACHINE": "t3d"})
    assert told.stdout.startswith("pingpong, t3d, 2 ranks\n")
    wrong = hindcast(*words, cwd=tmp_path, env={"HINDCAST_MACHINE": "nowhere"})
    assert wrong.stderr.startswith("hindcast: unknown machine 'nowhere'")


def test_the_same_words_give_the_same_bytes_and_say_how_they_were_made(in_folder, tmp_path):
    words = ("compare", "pingpong", "-m", "ideal,t3d", "-b", "8,64")
    for folder in ("one", "two"):
        assert in_folder(*words, "--out", folder).returncode == 0
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / folder / "compare").iterdir()}
        for folder in ("one", "two")
    )
    (table,) = (name for name in one if name.endswith(".csv"))
    assert b"# command: hindcast compare pingpong -m ideal,t3d -b 8,64 --out one\n" in one[table]
    assert {name: content.replace(b"--out one", b"--out two") for name, content in one.items()} == two


def test_a_dry_run_gives_commands_for_a_shell(compare, in_folder, tmp_path):
    commands = in_folder("compare", "gather", "-n", "3", "-b", "8,64", "-a", "linear", "--dry-run").stdout.splitlines()
    printed = [
        subprocess.run(shlex.split(command), cwd=tmp_path, capture_output=True, text=True, check=True).stdout
        for command in commands
    ]
    compare("gather", "-n", "3", "-b", "8,64", "-a", "linear")
    rows = rows_of(table_file(tmp_path, "gather"))
    assert [text.splitlines()[-1] for text in printed[1:]] == [
        f"{row['bytes']},{row['ranks']},{row['time_us']}" for row in rows
    ]


def test_where_ranks_lie_is_passed_on_as_it_was_given(compare):
    """On nodes of several processors "block" and what the launcher takes by itself are different places."""
    commands = compare("gather", "-m", "cluster", "-n", "8", "-b", "8", "--map", "block", "--map", "slot", "--dry-run")
    assert ["--map block" in command for command in commands] == [False, True, False]
    lines = compare("gather", "-m", "cluster", "-n", "8", "-b", "8", "--map", "block", "--map", "slot")
    ((block, slot, *_),) = table_of(lines, "8 B")
    assert block != slot


def test_sizes_have_the_units_of_machines_files(compare):
    lines = compare("pingpong", "-b", "1.5KiB,0.5 kB,3KB")
    assert len(table_of(lines, "500 B", "1536 B", "3000 B")) == 3


def test_files_have_names_that_a_file_system_takes(compare, tmp_path):
    maps = [",".join(map(str, order)) for order in (range(100), reversed(range(100)))]
    compare("gather", "-n", "100", "-b", "8", "--map", maps[0], "--map", maps[1])
    compare("gather", "-n", "100", "-b", "8", "--map", maps[1], "--map", maps[0])
    names = [path.name for path in (tmp_path / "out" / "compare").glob("*.csv")]
    assert len(names) == 2
    assert all(name.startswith("gather.machine=ideal.") and len(name) < 200 for name in names)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ("allreduc", "no operation 'allreduc', did you mean 'allreduce'?"),
        ("pingpong -a ring", "--algorithms: pingpong has none, as it is no collective operation"),
        ("bcast -a binomial,binomial", "--algorithms binomial,binomial: values have to be there, and differ"),
        ("bcast -n 2 -b 8 -a bnomial", "'bnomial' is no algorithm of bcast, did you mean 'binomial'?"),
        ("pingpong --map slot --map slot", "--map slot --map slot: values have to be there, and differ"),
        ("pingpong -n 1", "--ranks: pingpong is between two ranks"),
        ("pingpong -n two", "--ranks two: has to be whole numbers from 1 on, such as 2,4,8"),
        ("pingpong -b 0", "--bytes 0: has to be sizes such as 8,512,64KiB"),
        ("pingpong -b 1.3KiB", "--bytes 1.3KiB: has to be sizes such as 8,512,64KiB"),
        ("pingpong -n 2.5", "--ranks 2.5: has to be whole numbers from 1 on, such as 2,4,8"),
        ("pingpong -b 8,8", "--bytes 8,8: numbers have to differ"),
        ("barrier -b 8", "--bytes: a barrier moves none; leave it out"),
        ("pingpong -m nowhere", "unknown machine 'nowhere'"),
        ("pingpong --set a=b", "--set a=b: unknown key"),
        ("pingpong -m ideal --set machine=t3d", "--set machine=t3d: --machine says it, as --machine t3d"),
        ("bcast -n 2,4 --set ranks=8", "--set ranks=8: --ranks says it, as --ranks 8"),
        ("allgather -n 5 -b 8 -a ring,recursive_doubling", "needs a power of two of ranks; this call is for 5 ranks"),
        ("bcast -n 4 -b 8 -a native", "native"),
        ("bcast -b 7", "--bytes: bcast is of whole doubles: give multiples of 8, not 7"),
        ("pingpong -b 8,4096MiB", "--bytes: 4096 MiB are too many: give 256 MiB at most"),
        ("bcast -m t3e-900 -n 3000", "3000 ranks, but the machine has at most 2048 nodes"),
        ("there.c", "there.c: no such file"),
        ("accumulate -b 9", "--bytes: accumulate is of whole doubles: give multiples of 8, not 9"),
        ("pingpong --ranks", "argument -n/-np/--ranks: expected one argument"),
    ],
)
def test_mistakes_get_a_line_and_leave_nothing(in_folder, tmp_path, words, says):
    done = in_folder("compare", *words.split())
    assert done.returncode == 1
    assert re.fullmatch(rf"hindcast: .*{re.escape(says)}.*\n", done.stderr)
    assert not (tmp_path / "out").exists()
