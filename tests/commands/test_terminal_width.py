"""Lists fit the terminal that they are written to; what is no terminal gets a row a line."""

import fcntl
import os
import pty
import struct
import subprocess
import termios

import pytest

from tests.support.terminal import written_to


@pytest.fixture
def on_a_terminal(build):
    """What a command writes to a terminal so many characters wide."""

    def start(width, *words):
        here, there = pty.openpty()
        fcntl.ioctl(there, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
        with subprocess.Popen([build / "bin" / "hindcast", *words], stdout=there) as command:
            os.close(there)
            written = written_to(here)
        assert command.returncode == 0
        return written

    return start


def table(text):
    """The lines before what is said of all."""
    return text.split("\n\n")[0].splitlines()


OF_A_RUN = ("collectives", "-m", "ap1000", "-n", "64", "-b", "8")


def test_algorithms_are_paragraphs_where_their_rows_are_too_long(on_a_terminal, hindcast):
    lines = table(on_a_terminal(100, *OF_A_RUN))
    assert max(len(line) for line in lines) <= 100
    at = lines.index("bcast  native")
    assert lines[at + 1] == "    needs: the machine's broadcast"
    assert lines[at + 2].startswith("    seconds: 0.000")
    assert lines[at + 3 : at + 5] == ["    cost: B(m)", "    taken by the table: 1. else"]

    rows = table(hindcast(*OF_A_RUN).stdout)
    assert len(rows) == 1 + sum(not line.startswith(" ") for line in lines)
    assert table(on_a_terminal(len(max(rows, key=len)), *OF_A_RUN)) == rows


def test_sources_are_wrapped_under_their_column(on_a_terminal, hindcast):
    lines = on_a_terminal(150, "show", "t3e-900").splitlines()[2:]
    column = lines[0].index("SOURCE")
    assert any(line.startswith(" " * column) for line in lines)
    assert all(len(line) <= 150 for line in lines if line.startswith(" " * column))
    rows = hindcast("show", "t3e-900").stdout
    assert " ".join(" ".join(lines).split()) == " ".join(" ".join(rows.splitlines()[2:]).split())
