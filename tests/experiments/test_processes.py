"""Runs of the launcher from threads: they print, they fail; an interrupt ends all of them and lets no other begin."""

import time
from concurrent.futures import CancelledError, ThreadPoolExecutor

import pytest

from experiments.serving.processes import Processes

TOLD = """
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  puts("out");
  fputs("said\\n", stderr);
  return atoi(argv[1]);
}
"""
ENDLESS = """
#include <stdio.h>
int main(int argc, char** argv) {
  fclose(fopen(argv[1], "w"));
  for (volatile int i = 0;; ++i) {}
}
"""


@pytest.fixture
def run_words(build, compile_program, tmp_path, monkeypatch):
    """The launcher's words for a program of one rank."""
    monkeypatch.setenv("HINDCAST_LAUNCHER", str(build / "bin" / "hindcast"))

    def words(text, *arguments):
        source = tmp_path / "program.c"
        source.write_text(text)
        program = compile_program(source)
        return ["run", "-n", "1", str(program), *map(str, arguments)]

    return words


def test_each_tells_what_it_printed_and_its_status(run_words):
    with Processes() as processes:
        done = [processes.run(run_words(TOLD, status)) for status in (3, 0)]
    assert [(one.returncode, one.stdout) for one in done] == [(3, "out\n"), (0, "out\n")]
    assert done[0].stderr.startswith("said\n")
    assert done[1].stderr == "said\n"


def test_what_the_launcher_refuses_is_said(run_words):
    with Processes() as processes:
        done = processes.run(["run", "-m", "nowhere", "-n", "1", "true"])
    assert done.returncode != 0
    assert "nowhere" in done.stderr


def test_another_environment_is_heeded(run_words, tmp_path, monkeypatch):
    with Processes() as processes:
        before = processes.run(["show", "my-own"])
        (tmp_path / "my-own.toml").write_text("")
        monkeypatch.setenv("HINDCAST_PLATFORMS", str(tmp_path))
        after = processes.run(["show", "my-own"])
    assert before.stderr != after.stderr


def test_an_interrupt_ends_those_that_go_on_and_those_that_wait_never_start(run_words, tmp_path):
    def start(name):
        return pool.submit(processes.run, run_words(ENDLESS, tmp_path / name))

    with pytest.raises(KeyboardInterrupt), ThreadPoolExecutor(1) as pool, Processes() as processes:
        first, second = start("first"), start("second")
        while not (tmp_path / "first").exists():
            time.sleep(0.01)
        raise KeyboardInterrupt
    assert first.result().returncode < 0
    assert isinstance(second.exception(), CancelledError)
    assert not (tmp_path / "second").exists()
