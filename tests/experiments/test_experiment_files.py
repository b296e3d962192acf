"""What is wrong with an experiment file is said in one line: file, line, column, key, and the nearest right one."""

import pytest

from experiments.load import load, names

MISTAKES = [
    # old text, new text, where the error is (the first such text), what is said
    ("ranks = 2", "rank = 2", "rank = 2", "machine.rank: unknown key, did you mean 'ranks'?"),
    ("ranks = 2", 'ranks = "two"', "ranks =", "machine.ranks: has to be a whole number from 1 on, or 'bytes'"),
    ("ranks = 2", "ranks = 2.5", "ranks =", "machine.ranks: has to be a whole number or a text in quotes, not 2.5"),
    ("ranks = 2", "ranks = 0", "ranks =", "machine.ranks: has to be a whole number from 1 on, or 'bytes'"),
    ('"ideal"', '"idela"', "name = \"idela", "machine.name: unknown machine 'idela', did you mean 'ideal'?"),
    ('"ideal"', '"mine.toml"', 'name = "mine', "machine.name: no file 'mine.toml'\n"),
    ('"ideal"', '"../ideal"', 'name = "../ideal', "machine.name: no file '../ideal'\n"),
    ('title = "A', 'title = 7 # "', "title", "title: has to be a text in quotes, not 7"),
    ('"there.c"', '"their.c"', 'program = "their', "curve.program: no file 'their.c', did you mean 'there.c'?"),
    ('"there.c"', '"small.toml"', 'program = "small',
     "curve.program: 'small.toml' is no source in C (.c), C++ (.cc, .cpp, .cxx, .C) or Fortran"),
    ('name = "slow MPI"', 'name = "MPI"\n', 'name = "MPI"\n\n', "curve.name: there is a curve 'MPI' already"),
    ('set = ["processor.send_overhead=9 us"]', 'set = ["fast"]', '"fast"', "curve.set: 'fast' is not 'key=value'"),
    ('program = "there.c"', 'program = "there.c"\narguments = ["{byte}"]', '"{byte}"',
     "curve.arguments: unknown name '{byte}', did you mean 'bytes'?"),
    ('set = ["processor.send_overhead=9 us"]', 'set = ["processor.send_overhead={byte} us"]', '"processor',
     "curve.set: unknown name '{byte}', did you mean 'bytes'?"),
    ('unit = "us"', 'unit = "usec"', 'unit = "usec"',
     "figure.panel.y.unit: unknown unit of a time 'usec', did you mean 'us'?"),
    ('unit = "MB/s"', 'unit = "MBps"', 'unit = "MBps"',
     "claim.unit: unknown unit of a bandwidth 'MBps', did you mean 'MB/s'?"),
    ('unit = "MB/s"', 'unit = "us"', 'unit = "us"\ntol', "claim.unit: unknown unit of a bandwidth 'us'; there are "),
    ('"predicts"', '"predict"', 'kind =',
     "claim.kind: 'predict' is not one of 'calibrates', 'predicts', 'input' or 'held-out'"),
    ('how = "rate"', 'how = "rates"', "measure =", "claim.measure: how: unknown measure 'rates', did you mean 'rate'?"),
    ('how = "rate", curve', 'how = "rate", curves', "curves = ",
     "claim.measure.curves: unknown key, did you mean 'curve'?"),
    ('curve = "MPI"', 'curve = "MIP"', 'curve = "MIP"', "claim.measure.curve: no curve 'MIP', did you mean 'MPI'?"),
    ("tolerance = 0.01", "exact = true\nfactor = 2.0", "[[claim]]",
     "claim.tolerance: needs one of 'tolerance', 'factor', 'between', 'exact'"),
    ("step = 1000", "stop = 1000", "stop", "sizes.values.stop: unknown key, did you mean 'step'?"),
    ("step = 1000 }", "step = 1000, times = 2 }", "{ from", "sizes.values: needs either 'step' or 'times'"),
    ("step = 1000 }", "step = 0 }", "step = 0", "sizes.values.step: has to be 1 or more"),
    ("step = 1000 }", "times = 1 }", "times = 1", "sizes.values.times: has to be 2 or more"),
    ("step = 1000 }", "step = 1.5 }", "step = 1.5", "sizes.values.step: has to be a whole number, not 1.5"),
    ("from = 1000, to", "from = 5000, to", "from = 5000", "sizes.values.from: 5000 is above 'to', which is 4000"),
    ("from = 1000, ", "", "{ to", "sizes.values.from: missing"),
    ("values = [0, {", 'values = ["0", {', '"0", {', "sizes.values: has to be a whole number or a table, not '0'"),
    ("values = [0, { from = 1000, to = 4000, step = 1000 }]", "values = []", "values",
     "sizes.values: is empty: has to have 1 or more"),
    ('unit = "us" }', 'unit = "us", range = [9] }', "range =", "figure.panel.y.range: has 1: has to have 2 or more"),
    ('unit = "us" }', 'unit = "us", range = [1, 2, 3] }', "range =",
     "figure.panel.y.range: has 3: has to have 2 at most"),
    ('caption = "A', 'height_mm = 0\ncaption = "A', "height_mm", "figure.height_mm: has to be 20 or more"),
    ('caption = "A', 'height_mm = 1e6\ncaption = "A', "height_mm", "figure.height_mm: has to be 1000 or less"),
    ('unit = "us" }', 'unit = "us", range = [0, inf] }', "inf", "figure.panel.y.range: has to be a finite number"),
    ("published = 171.4", "published = nan", "published", "claim.published: has to be a finite number"),
    ("tolerance = 0.01", "between = [9, 2]", "between", "claim.between: has nothing between 9 and 2"),
    ("tolerance = 0.01", "factor = 1", "factor", "claim.factor: has to be above 1"),
    ("tolerance = 0.01", "tolerance = -1", "tolerance", "claim.tolerance: has to be 0 or more"),
    ('rule = "rank 0\'s time"\n', "", "name = ", "rule: missing"),
    ('x = { label = "Bytes" }', 'x = { label = "Bytes", scale = "log" }', 'scale =',
     "figure.x.scale: a logarithmic axis has only numbers above 0, and a size is 0"),
    ('x = { label = "Bytes" }', 'x = { label = "Bytes", scale = "log", range = [0, 9] }', 'range =',
     "figure.x.range: a logarithmic axis has only numbers above 0, not 0"),
    ('unit = "us" }', 'unit = "us", range = [9, 1] }', 'range =',
     "figure.panel.y.range: is the wrong way round: [1, 9]"),
    ('name = "ideal"', 'name = ["ideal", "t3d"]', 'name = ["ideal',
     "machine.name: claims, and comparisons of algorithms, are of one machine"),
    ('name = "ideal"', 'name = ["ideal", "t3f"]', 'name = ["ideal',
     "machine.name: unknown machine 't3f', did you mean "),
    ("published = 171.4", 'published = "fast"', "published",
     "claim.published: has to be a number, as 'rate' gives one"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "where", "said"), MISTAKES, ids=[mistake[3][:40] for mistake in MISTAKES])
def test_a_mistake_is_named_with_its_place(small, in_folder, old, new, where, said):
    small.change(old, new)
    done = in_folder("experiment", "run", "small.toml")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.startswith(f"hindcast: small.toml:{small.position(where)}: {said}")
    assert done.stderr.count("\n") == 1
    assert not (small.folder / "out").exists()


def test_text_that_is_not_toml_is_named_with_its_place(small, in_folder):
    small.change("ranks = 2", "ranks = ")
    done = in_folder("experiment", "run", "small.toml")
    line = small.position("ranks =").partition(":")[0]
    assert done.stderr == f"hindcast: small.toml:{line}:9: Invalid value\n"


def test_positions_are_those_of_keys_in_all_of_tomls_forms():
    from experiments.toml_positions import positions_in

    text = (
        'a.b = 1\n"c d" = { e = [1,\n  { f = 2 }] }\n[[g]]\n  h = 1\n[[g]] # again\nh = { i.j = 3 }\n[g.k]\nl = 4\n'
        "[[g.m]]\nn = 5\n"
    )
    positions = positions_in(text).of
    assert positions["a", "b"] == (1, 1)
    assert positions["c d", "e", 1, "f"] == (3, 5)
    assert positions["g", 0, "h"] == (5, 3)
    assert positions["g", 1, "h", "i", "j"] == (7, 7)
    assert positions["g", 1, "k", "l"] == (9, 1)
    assert positions["g", 1, "m", 0, "n"] == (11, 1)


def test_every_experiment_of_the_project_is_right(hindcast, root):
    done = hindcast("experiment", "list")
    assert done.returncode == 0, done.stderr
    listed = {line.split()[0] for line in done.stdout.splitlines()[1:]}
    paths = [(path.parent.name.replace("_", "-"), path.stem) for path in (root / "experiments").glob("*/*.toml")]
    files = {stem if stem == folder else f"{folder}-{stem}" for folder, stem in paths}
    assert listed == files
    assert "ap1000-fig03" in listed


def test_no_other_file_is_read_for_the_name_of_a_projects_results(monkeypatch):
    every = {name: load(path) for name, path in names().items()}
    monkeypatch.setattr("experiments.load.names", lambda: pytest.fail("all experiments are read again"))
    assert {name: experiment.results_name for name, experiment in every.items()} == {name: name for name in every}


def test_an_experiment_that_is_like_none_is_named_with_where_they_are_listed(hindcast):
    done = hindcast("experiment", "run", "qqq")
    assert done.stderr == "hindcast: no experiment 'qqq' ('hindcast experiment list' lists them)\n"


def test_a_file_that_lies_here_is_named(hindcast, tmp_path):
    (tmp_path / "mine.toml").write_text("")
    done = hindcast("experiment", "run", "mine", cwd=tmp_path)
    assert done.stderr == "hindcast: no experiment 'mine', did you mean 'mine.toml'?\n"
    done = hindcast("uncertainty", "mine", "ap1000-fig03", cwd=tmp_path)
    assert done.stderr == "hindcast: no machine 'mine', did you mean 'mine.toml'? (hindcast machines)\n"
    done = hindcast("show", "mine", cwd=tmp_path)
    assert done.stderr.startswith("hindcast: unknown machine 'mine', did you mean 'mine.toml'?")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["run", "ap1000-fig03", "--bogus"], "unrecognized arguments: --bogus (hindcast experiment run --help)"),
        (["list", "--bogus"], "unrecognized arguments: --bogus (hindcast experiment list --help)"),
        (
            ["run", "ap1000-fig03", "--set", "operation=bcast"],
            "--set operation: ap1000-fig03 has none; comparisons and models have",
        ),
        (["run", "collectives", "--bands"], "--bands: collectives compares algorithms, and has none"),
        (
            ["run", "ap1000-fig03", "--bands", "--set", "cellos.line_sending=on"],
            "--bands: they are of the experiment as its file has it; leave out --set",
        ),
        (["run", "models", "--bands"], "--bands: models has no figure to draw them in"),
        (
            ["run", "ap1000-fig03", "-n", "--set", "operation=bcast"],
            "--set operation: ap1000-fig03 has none; comparisons and models have",
        ),
        (["run", "ap1000-fig03", "-n", "--bands"], "--bands: with -n nothing is drawn; leave one of them out"),
        (["run", "ap1000-fig03", "-n", "--times"], "--times: with -n nothing is run; leave one of them out"),
    ],
)
def test_options_that_do_nothing_are_refused(hindcast, tmp_path, options, message):
    done = hindcast("experiment", *options, cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"hindcast: {message}\n")


def test_a_score_that_runs_nothing_has_no_times(hindcast, tmp_path):
    done = hindcast("score", "--times", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "hindcast: --times: nothing is run without --run; give it too, or leave --times out\n"


def test_an_unknown_experiment_is_named(hindcast):
    done = hindcast("experiment", "run", "ap1000-fig3")
    assert done.returncode == 1
    assert done.stderr == "hindcast: no experiment 'ap1000-fig3', did you mean 'ap1000-fig03'?\n"
