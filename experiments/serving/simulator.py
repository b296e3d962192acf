"""Which build of the simulator runs are made with."""

import hashlib
import shutil
from functools import lru_cache
from pathlib import Path

from experiments.serving.servers import launcher


def current_simulator() -> str:
    return simulator_file(Path(shutil.which(launcher()) or launcher()))


def simulator_file(found: Path) -> str:
    """A build of the same version may simulate otherwise."""
    library = found.resolve().parent.parent / "lib" / "libhindcast.so"
    file = library if library.exists() else found
    is_now = file.stat()
    return f"simulator {file.name}, SHA-256 {_sha256_as_of(file, is_now.st_mtime_ns, is_now.st_size)}"


@lru_cache(maxsize=2)
def _sha256_as_of(file: Path, _mtime_ns: int, _size: int) -> str:
    """Asked for at each run."""
    return hashlib.sha256(file.read_bytes()).hexdigest()
