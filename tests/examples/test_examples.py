"""Every example gives what the .expected file beside it says, simulated times included."""

import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parent.parent.parent / "examples"
NAMES = sorted(file.stem for file in EXAMPLES.glob("*/*.expected"))


@pytest.mark.parametrize("name", NAMES)
def test_example_gives_what_it_must(name, run_command, build):
    done = run_command([sys.executable, EXAMPLES / "run.py", name], env={"HINDCAST_BUILD": str(build)})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "right" in done.stdout
    assert "WRONG" not in done.stdout
