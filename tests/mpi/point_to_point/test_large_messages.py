"""Messages of more than 2^31 bytes."""

from pathlib import Path

LARGE_MESSAGES = Path(__file__).parent / "large_messages.c"


def test_long_messages_are_sent_and_counted(run_program):
    done = run_program(LARGE_MESSAGES, 2, flags=["-std=c99", "-Wall", "-Wextra", "-Werror"])
    assert (done.returncode, done.stderr) == (0, "")
    assert "ok\n" in done.stdout
