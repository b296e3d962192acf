"""Processes that threads start and wait for, and that all end when whoever wants their results is interrupted."""

import subprocess
from concurrent.futures import CancelledError
from pathlib import Path
from threading import Lock
from types import TracebackType
from typing import Self


class Processes:
    """Those that go on. An interrupt reaches what runs then, but not what a thread is just about to start: so after an
    exception the first are killed, and no other is started."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._going: set[subprocess.Popen] = set()
        self._may_start = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is None:
            return
        with self._lock:
            self._may_start = False
            for process in self._going:
                process.kill()

    def run(self, command: list[str | Path]) -> subprocess.CompletedProcess[str]:
        """To its end, with what it printed. CancelledError if no more are started."""
        pipe = subprocess.PIPE
        options = {"stdin": subprocess.DEVNULL, "stdout": pipe, "stderr": pipe, "text": True, "errors": "replace"}
        with self._lock:
            if not self._may_start:
                raise CancelledError
            process = subprocess.Popen(command, **options)
            self._going.add(process)
        with process:
            printed, said = process.communicate()
        with self._lock:
            self._going.remove(process)
        return subprocess.CompletedProcess(command, process.returncode, printed, said)
