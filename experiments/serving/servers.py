"""Launchers that serve: each runs one command after another, without the simulator's libraries being loaded anew, which
takes longer than many a run."""

import atexit
import contextlib
import os
import subprocess
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Lock


def launcher() -> str:
    return os.environ.get("HINDCAST_LAUNCHER", "hindcast")


class Server:
    """Runs commands in the folder and with the environment that there were when it was started."""

    def __init__(self) -> None:
        self.surroundings = _surroundings()
        self._folder = TemporaryDirectory(prefix="hindcast-")
        pipe = subprocess.PIPE
        self._process = subprocess.Popen([launcher(), "serve"], stdin=pipe, stdout=pipe)

    def run(self, words: list[str]) -> subprocess.CompletedProcess[str]:
        """To its end; if the server ends before, killed for one, with its status."""
        printed, said = Path(self._folder.name) / "printed", Path(self._folder.name) / "said"
        request = [str(printed), str(said), *words]
        try:
            self._process.stdin.write(b"".join(f"{word}\0".encode() for word in (len(request), *request)))
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except BrokenPipeError:
            answer = b""
        if not answer:
            status = self._process.wait() or 1
            return subprocess.CompletedProcess(words, status, "", f"hindcast serve ended with status {status}")
        texts = [file.read_text(errors="replace") if file.exists() else "" for file in (printed, said)]
        return subprocess.CompletedProcess(words, int(answer), *texts)

    def is_alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        self._process.kill()

    def close(self) -> None:
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()
        self._folder.cleanup()


_lock = Lock()
_idle: list[Server] = []


def _surroundings() -> tuple[str, dict[str, str]]:
    return str(Path.cwd()), dict(os.environ)


def take() -> Server:
    """One that is idle, or a new one."""
    with _lock:
        server = _idle.pop() if _idle else None
    if server is None:
        return Server()
    if server.is_alive() and server.surroundings == _surroundings():
        return server
    server.close()
    return take()


def give_back(server: Server) -> None:
    with _lock:
        _idle.append(server)


@atexit.register
def _close_all() -> None:
    while _idle:
        _idle.pop().close()


def ask(words: list[str]) -> subprocess.CompletedProcess[str]:
    """Runs a command of the launcher, alone."""
    server = take()
    done = server.run(words)
    give_back(server)
    return done
