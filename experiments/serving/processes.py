"""The launcher's runs that threads start and wait for, all ended when whoever wants their results is interrupted."""

import subprocess
from concurrent.futures import CancelledError
from threading import Lock
from types import TracebackType
from typing import Self

from experiments.serving.servers import Server, give_back, take


class Processes:
    """Those that go on. An interrupt reaches what runs then, but not what a thread is just about to start: so after an
    exception the first are killed, and no other is started."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._going: set[Server] = set()
        self._may_start = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if kind is None:
            return
        with self._lock:
            self._may_start = False
            for server in self._going:
                server.kill()

    def run(self, words: list[str]) -> subprocess.CompletedProcess[str]:
        """A command of the launcher to its end, with what it printed. CancelledError if no more are started."""
        with self._lock:
            if not self._may_start:
                raise CancelledError
            server = take()
            self._going.add(server)
        done = server.run(words)
        with self._lock:
            self._going.remove(server)
        give_back(server)
        return done
