"""docs/tutorial.md, tried word for word: its files, its commands, and what these print."""

import os
import re
import subprocess

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r"into `([\w.]+)`[^`]*\Z")


def blocks_of(text):
    """The kind of each block, its text, and the file that the words before it say it belongs in."""
    at = 0
    for block in BLOCK.finditer(text):
        named = FILE.search(text[at : block.start()])
        yield block[1], block[2], named[1] if named else None
        at = block.end()


def test_the_tutorial_can_be_followed_word_for_word(root, build, tmp_path):
    blocks = list(blocks_of((root / "docs" / "tutorial.md").read_text()))
    environment = {**os.environ, "PATH": f"{build / 'bin'}:{os.environ['PATH']}"}
    commands = 0
    for (kind, text, file), (next_kind, printed, _) in zip(blocks, [*blocks[1:], ("", "", None)], strict=True):
        if file is not None:
            assert kind in ("c", "toml", "csv")
            (tmp_path / file).write_text(text)
        if kind != "sh":
            continue
        commands += 1
        done = subprocess.run(
            ["bash", "-e", "-c", text], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False,
            timeout=300,
        )  # fmt: skip
        assert done.returncode == 0, f"{text}{done.stdout}{done.stderr}"
        if next_kind == "text":
            assert sorted((done.stderr + done.stdout).splitlines()) == sorted(printed.splitlines()), text
        else:
            assert done.stderr == "", text
    assert commands > 8
    assert (tmp_path / "ring.svg").read_text().startswith("<svg ")
    assert len(list((tmp_path / "out" / "pingpong").glob("*.png"))) == 2
    assert "by 'hindcast calibrate' from times.csv" in (tmp_path / "own.toml").read_text()
    bands = (tmp_path / "out" / "uncertainty" / "allreduce.own" / "allreduce.bands.csv").read_text()
    (at_1024,) = [line.split(",") for line in bands.splitlines() if '"MPI_Allreduce"' in line and ",1024," in line]
    told = re.search(r"draws lie, ([\d.]+) and ([\d.]+) us at 1,024 bytes", (root / "docs" / "tutorial.md").read_text())
    assert [f"{float(at_1024[place]):.4g}" for place in (4, 6)] == list(told.groups())
