"""`hindcast experiment run` of an experiment with models: what is run, tables and figures, --set, and mistakes."""

import csv

import pytest

from experiments.machines import free_arithmetic

PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of known times: 20 log2 p + 0.01 log2 p n as "tree", 4 p + 0.002 (p - 1) n as "line"; "sum" is a tree that takes
   0.004 (p - 1) n more. */
static const double log2_of[] = {0, 0, 1, 1.5849625, 2, 0, 2.5849625, 0, 3};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, p;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &p);
  if (rank == 0) printf("bytes,ranks,time_us\n");
  for (int i = 2; rank == 0 && i < argc; ++i) {
    const double n = atof(argv[i]), levels = log2_of[p];
    const int is_line = strcmp(argv[1], "line") == 0, is_sum = strcmp(argv[1], "sum") == 0;
    double time = is_line ? 4 * p + 0.002 * (p - 1) * n : 20 * levels + 0.01 * levels * n;
    if (is_sum) time += 0.004 * (p - 1) * n;
    printf("%.0f,%d,%.6f\n", n, p, time);
  }
  MPI_Finalize();
  return 0;
}
"""

EXPERIMENT = """\
name = "known"
title = "Known times"
source = "nowhere"
rule = "none"

[machine]
name = "ideal"
ranks = "ranks"

[sizes]
name = "ranks"
label = "processors"
values = [2, 3, 4, 6, 8]

[models]
bytes = [0, { from = 1024, to = 4096, times = 2 }]

[[curve]]
name = "tree"
program = "known.c"
arguments = ["tree"]
model = {}

[[curve]]
name = "line"
program = "known.c"
arguments = ["line"]
model = { t_s = "a p", carries = "p (p - 1)" }

[[curve]]
name = "sum"
program = "known.c"
arguments = ["sum"]
model = { without = "tree" }

[[curve]]
name = "message"
program = "known.c"
arguments = ["tree"]
model = { carries = "1", ranks = [2] }
"""


@pytest.fixture
def known(tmp_path):
    (tmp_path / "known.c").write_text(PROGRAM)
    (tmp_path / "known.toml").write_text(EXPERIMENT)
    return tmp_path


@pytest.fixture
def run(known, in_folder):
    def start(*settings):
        return in_folder("experiment", "run", "known.toml", *(word for text in settings for word in ("--set", text)))

    return start


def rows_of(path):
    return list(csv.DictReader(line for line in path.read_text().splitlines() if not line.startswith("#")))


def coefficients(path):
    return {
        (row["operation"], row["part"], row["coefficient"]): float(row["value"])
        for row in rows_of(path)
        if row["coefficient"]
    }


def test_models_come_out_of_runs(known, run):
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    folder = known / "out" / "known"
    for end in (".csv", ".models.csv", ".lines.csv", ".tex", ".png", ".pdf", ".svg", ".caption.txt"):
        assert (folder / f"known{end}").stat().st_size > 100
    assert coefficients(folder / "known.models.csv") == pytest.approx(
        {
            ("tree", "t_s", "a"): 20,
            ("tree", "t_b", "a"): 0.010,
            ("line", "t_s", "a"): 4,
            ("line", "t_b", "a"): 0.002,
            ("sum", "t_s", "a"): 20,
            ("sum", "t_b", "a"): 0.010,
            ("sum", "t_c", "a"): 0.004,
            ("message", "t_s", "a"): 20,
            ("message", "t_b", "a"): 0.010,
        },
        rel=1e-5,
    )
    forms = {(row["operation"], row["part"]): row["form"] for row in rows_of(folder / "known.models.csv")}
    assert forms["tree", "t_b"] == forms["sum", "t_s"] == "a log2 p"
    assert forms["line", "t_b"] == forms["sum", "t_c"] == "a (p - 1)"
    assert forms["message", "t_s"] == "a"


def test_metrics_are_those_of_the_fitted_curves(known, run):
    run()
    found = {
        (row["operation"], row["part"]): (float(row["value"]), row["form"], row["unit"])
        for row in rows_of(known / "out" / "known" / "known.models.csv")
        if not row["coefficient"]
    }
    assert found["tree", "aggregated specific performance"] == (
        pytest.approx(1e6 / 1024 * 7 / 60, rel=1e-4), "at p = 8", "KiB/s",
    )  # fmt: skip
    assert found["line", "aggregated bandwidth"][0] == pytest.approx(1e6 / 2**20 * 8 / 0.002, rel=1e-4)  # p(p-1)/(p-1)
    assert found["line", "half-peak length"] == (pytest.approx(4 * 8 / (0.002 * 7), rel=1e-4), "at p = 8", "B")
    assert found["tree", "half-peak length"] == (pytest.approx(2000, rel=1e-4), "at p = 2", "B")
    assert found["message", "aggregated bandwidth"][0] == pytest.approx(1e6 / 2**20 * 100, rel=1e-4)


def test_the_table_says_what_the_models_are(run):
    printed = run().stdout
    lines = [line.split() for line in printed[printed.index("ideal") :].splitlines()]
    (line,) = (cells for cells in lines if cells[:1] == ["line"])
    assert " ".join(line).startswith("line 4 p 0.002 (p - 1) 0.0% ")
    (sum_,) = (" ".join(cells) for cells in lines if cells[:1] == ["sum"])
    assert sum_.startswith("sum 20 log2 p 0.01 log2 p 0.004 (p - 1) 0.0%")
    assert sum_.endswith("2.5 to 1.07")  # 10/4, 30/28


def test_few_operations_are_columns_as_papers_have_them(known, run):
    printed = run("operation=tree,line").stdout.splitlines()
    assert any(line.split() == ["operation", "tree", "line"] for line in printed)
    assert any(line.split() == ["t_s(p)", "(us)", "20", "log2", "p", "4", "p"] for line in printed)
    (tex,) = (known / "out" / "known").glob("*.tex")
    text = tex.read_text()
    assert r"$t_s(p)$ ($\mu$s) & $20 \log_2 p$ & $4 p$ \\" in text
    assert r"$n_{1/2}^{mag}$ (B) & $2000$ ($p = 2$) & $2285.7$ ($p = 8$) \\" in text
    assert r"$\pi_s^{ag}(p)$ (KB/s) & $k_1 (p - 1)/(20 \log_2 p)$ & $k_1 (p (p - 1))/(4 p)$ \\" in text
    assert r"$Bw_{as}(p)$ (MB/s) & $k_2/(0.01 \log_2 p)$ & $k_2/(0.002 (p - 1))$ \\" in text
    assert r"$n_{1/2}(p)$ (B) & $2000$ & $(4 p)/(0.002 (p - 1))$ \\" in text
    assert r"worst error & 0.0\% & 0.0\% \\" in text
    assert text.count("{") == text.count("}")


def test_the_lines_stand_beside_what_the_forms_say(known, run):
    run("operation=tree")
    (path,) = (known / "out" / "known").glob("*.lines.csv")
    rows = [row for row in rows_of(path) if row["part"] == "t_s"]
    assert [row["ranks"] for row in rows] == ["2", "3", "4", "6", "8"]
    assert all(float(row["value"]) == pytest.approx(float(row["fitted"]), rel=1e-5) for row in rows)


def test_keys_choose_operations_processors_and_lengths(known, run, in_folder):
    words = [word for text in ("operation=line,sum", "ranks=2,4", "bytes=0,64") for word in ("--set", text)]
    listed = in_folder("experiment", "run", "known.toml", "-n", *words).stdout.splitlines()
    ends = [line.partition(" -n ")[2].split(" ", 1) for line in listed if " run " in line]
    assert sorted((ranks, rest.split()[2:]) for ranks, rest in ends) == [
        (ranks, [name, "0", "64"]) for ranks in ("2", "4") for name in ("line", "sum", "tree")
    ]
    assert run("operation=line,sum", "ranks=2,4", "bytes=0,64").returncode == 0
    path = known / "out" / "known" / "known.operation=line,sum.ranks=2,4.bytes=0,64.models.csv"
    assert {row["operation"] for row in rows_of(path)} == {"line", "sum"}
    assert "# changed parameters: operation=line,sum ranks=2,4 bytes=0,64" in path.read_text()


def test_several_machines_have_tables_and_figures_of_their_own(known, run):
    done = run("machine=ideal,ap1000", "operation=line", "ranks=2,4,8")
    assert done.returncode == 0, done.stderr
    names = {file.name for file in (known / "out" / "known").iterdir()}
    start = "known.operation=line.ranks=2,4,8.machine=ideal,ap1000"
    assert {f"{start}.{machine}.png" for machine in ("ideal", "ap1000")} <= names
    rows = rows_of(known / "out" / "known" / f"{start}.models.csv")
    assert {row["machine"] for row in rows} == {"ideal", "ap1000"}


def test_the_same_models_have_the_same_bytes(known, in_folder):
    for out in ("a", "b"):
        assert in_folder("experiment", "run", "known.toml", "--out", out).returncode == 0
    first, second = (sorted((known / out / "known").iterdir()) for out in ("a", "b"))
    assert [file.name for file in first] == [file.name for file in second]
    assert [file.read_bytes() for file in first] == [file.read_bytes() for file in second]


def test_an_operation_without_a_model_is_told_and_the_others_have_theirs(known, run):
    program = known / "known.c"
    program.write_text(program.read_text().replace("is_line ? 4 * p", "is_line ? -1 - 4 * p"))
    done = run("operation=tree,line")
    assert done.returncode == 0
    assert "no model: line, p = 2: a time has to be above 0, and at 0 bytes it is -9 us" in done.stdout
    assert "20 log2 p" in done.stdout


@pytest.mark.parametrize(
    ("setting", "said"),
    [
        ("operation=tre", "--set operation=tre: known has no such operation, did you mean 'tree'?"),
        ("ranks=1,2", "--set ranks=1,2: has to be whole numbers from 2 on"),
        ("bytes=64", "--set bytes=64: a line needs two lengths or more"),
        ("bytes=0,x", "--set bytes=0,x: has to be whole numbers from 0 on"),
    ],
)
def test_a_wrong_key_is_refused_before_anything_runs(known, run, setting, said):
    done = run(setting)
    assert (done.returncode, done.stderr) == (1, f"hindcast: {said}\n")
    assert not (known / "out").exists()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('ranks = "ranks"', "ranks = 4", "machine.ranks: has to be 'ranks': models are of several numbers"),
        ("values = [2, 3,", "values = [1, 3,", "sizes.values: models are of two processors and more, not 1"),
        ("bytes = [0, {", "bytes = [{", ""),
        ("bytes = [0, { from = 1024, to = 4096, times = 2 }]", "bytes = [8]", "models.bytes: has to be two lengths"),
        ("[models]\n", "[model]\n", "model: unknown key, did you mean 'models'?"),
        ('without = "tree"', 'without = "three"', "curve.model.without: no curve 'three', did you mean 'tree'?"),
        ('t_s = "a p"', 't_s = "22 p"', "curve.model.t_s: '22 p' has no coefficient"),
        ('t_s = "a p"', 't_c = "a p"', "curve.model.t_c: needs 'without'"),
        ('carries = "1"', 'carries = "n"', "curve.model.carries: 'n' has a letter other than p"),
        ("ranks = [2]", "ranks = [1]", "curve.model.ranks: has to be whole numbers from 2 on"),
        ("model = {}", 'model = { form = "a" }', "curve.model.form: unknown key"),
    ],
)
def test_a_mistake_in_the_file_is_named_with_its_place(known, in_folder, old, new, said):
    text = (known / "known.toml").read_text()
    assert old in text
    (known / "known.toml").write_text(text.replace(old, new, 1))
    done = in_folder("experiment", "run", "known.toml", "-n")
    assert (done.returncode, done.stderr.count("\n")) == ((1, 1) if said else (0, 0))
    assert said in done.stderr


def test_models_need_their_table(known, in_folder):
    text = (known / "known.toml").read_text()
    table = "[models]\nbytes = [0, { from = 1024, to = 4096, times = 2 }]\n"
    assert table in text
    (known / "known.toml").write_text(text.replace(table, ""))
    done = in_folder("experiment", "run", "known.toml", "-n")
    assert "curve.model: needs a table [models]" in done.stderr


def test_the_projects_own_experiment_serves_any_machine(in_folder):
    done = in_folder(
        "experiment", "run", "models", "--set", "machine=ideal", "--set", "operation=message,bcast,reduce",
        "--set", "ranks=2,4", "--set", "bytes=8,64,512",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "no model" not in done.stdout
    assert "log2 p" in done.stdout


@pytest.mark.parametrize(
    ("machine", "rate_key", "operations_per_us"),
    [("ideal", "processor.combine_rate", 200), ("cluster", "node.smp.combine_rate", 100)],
)
def test_arithmetic_is_told_by_a_machine_that_does_it_in_no_time(
    in_folder, tmp_path, machine, rate_key, operations_per_us
):
    """Between two, the root adds as many doubles as it gets, whatever the rest of the reduction costs."""
    for factor in (1, 2):
        words = [f"machine={machine}", f"{rate_key}={operations_per_us * factor} Mop/s"]
        words += ["operation=reduce", "ranks=2,4", "bytes=8,64,128"]
        options = [word for text in words for word in ("--set", text)]
        done = in_folder("experiment", "run", "models", *options, "--out", str(factor))
        assert done.returncode == 0, done.stderr
        (path,) = (tmp_path / str(factor)).glob("*/*.lines.csv")
        (costs,) = (row for row in rows_of(path) if (row["part"], row["ranks"]) == ("t_c", "2"))
        assert float(costs["value"]) == pytest.approx(1 / 8 / (operations_per_us * factor), rel=1e-3)


def test_every_rate_of_arithmetic_of_a_machine_is_set(root):
    assert free_arithmetic("ideal") == ("processor.combine_rate=1000000 Gop/s",)
    assert [setting.partition("=")[0] for setting in free_arithmetic("grid")] == [
        "node.single.combine_rate", "node.smp.combine_rate", "node.large.combine_rate"
    ]  # fmt: skip


@pytest.fixture
def messages(known):
    """The times of a message, with a run for each length."""
    text = (known / "known.toml").read_text()
    text = text[: text.index('[[curve]]\nname = "line"')]
    for old, new in (
        ('ranks = "ranks"', "ranks = 2"),
        ('name = "ranks"', 'name = "bytes"'),
        ("values = [2, 3, 4, 6, 8]", "values = [0, 1000, 5000]"),
        ("bytes = [0, { from = 1024, to = 4096, times = 2 }]\n", ""),
        ('arguments = ["tree"]', 'arguments = ["tree", "{bytes}"]'),
    ):
        assert old in text
        text = text.replace(old, new)
    (known / "known.toml").write_text(text)
    return known


def test_messages_may_have_their_lengths_as_sizes(messages, run):
    done = run()
    assert (done.returncode, done.stderr) == (0, "")
    shown = [line.split() for line in done.stdout.splitlines()]
    assert ["t_s", "(us)", "20"] in shown
    assert ["n1/2", "(B)", "2000"] in shown
    assert ["pi_s", "(KB/s)", "48.828"] in shown
    assert r"$Bw_{as}$ (MB/s) & $95.367$ \\" in (messages / "out" / "known" / "known.tex").read_text()
    assert run("bytes=0,10").returncode == 0
    assert (messages / "out" / "known" / "known.bytes=0,10.models.csv").exists()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[models]", "[models]\nbytes = [1, 2]", "models.bytes: the sizes are the lengths: either has to go"),
        ("values = [0, 1000, 5000]", "values = [8]", "sizes.values: a line needs two lengths or more"),
    ],
)
def test_messages_have_their_lengths_once(messages, in_folder, old, new, said):
    text = (messages / "known.toml").read_text()
    (messages / "known.toml").write_text(text.replace(old, new))
    done = in_folder("experiment", "run", "known.toml", "-n")
    assert (done.returncode, done.stderr.count("\n")) == (1, 1)
    assert said in done.stderr


def test_messages_are_between_two(messages, run):
    done = run("ranks=2,4")
    assert (done.returncode, done.stderr) == (1, "hindcast: --set ranks=2,4: known is of messages between two\n")
