"""Standard output that may be full or closed: what is computed all the same goes to its files, and the failure is told
once, at the end."""

import io
import os
import sys


class Descriptor(io.RawIOBase):
    """Writes to a file descriptor, and remembers the first failure instead of raising it. That nobody reads any more
    is raised: it ends the command quietly."""

    def __init__(self, descriptor: int) -> None:
        super().__init__()
        self._descriptor = descriptor
        self.failure: OSError | None = None

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return os.isatty(self._descriptor)

    def write(self, data) -> int:
        if self.failure is None:
            try:
                return os.write(self._descriptor, data)
            except BrokenPipeError:
                raise
            except OSError as failure:
                self.failure = failure
        return len(data)


def open_standard_output() -> Descriptor:
    """Takes the place of what Python opened, which raises wherever something is printed, or is None."""
    encoding, errors = ("utf-8", "strict") if sys.stdout is None else (sys.stdout.encoding, sys.stdout.errors)
    if sys.stdout is None:
        # A file that is opened later must not become standard output. What is written here fails, as it should.
        os.dup2(os.open(os.devnull, os.O_RDONLY), 1)
    if sys.stderr is None:
        sys.stderr = io.TextIOWrapper(io.FileIO(os.devnull, "w"))
    raw = Descriptor(1)
    sys.stdout = io.TextIOWrapper(io.BufferedWriter(raw), encoding, errors, line_buffering=raw.isatty())
    return raw
