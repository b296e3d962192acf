"""Processes of threads: they print, they fail, and an interrupt ends all of them and lets no other begin."""

import time
from concurrent.futures import CancelledError, ThreadPoolExecutor

import pytest

from experiments.processes import Processes


def test_what_it_printed_and_its_status():
    with Processes() as processes:
        done = processes.run(["sh", "-c", "echo out; echo said >&2; exit 3"])
    assert (done.returncode, done.stdout, done.stderr) == (3, "out\n", "said\n")


def test_an_interrupt_ends_those_that_go_on_and_those_that_wait_never_start(tmp_path):
    def start(name):
        return pool.submit(processes.run, ["sh", "-c", f"touch {tmp_path / name}; exec sleep 600"])

    with pytest.raises(KeyboardInterrupt), ThreadPoolExecutor(1) as pool, Processes() as processes:
        first, second = start("first"), start("second")
        while not (tmp_path / "first").exists():
            time.sleep(0.01)
        raise KeyboardInterrupt
    assert first.result().returncode < 0
    assert isinstance(second.exception(), CancelledError)
    assert not (tmp_path / "second").exists()
