"""Which build of the simulator runs are made with."""

import shutil
from pathlib import Path

from experiments.serving.digests import sha256_of
from experiments.serving.servers import launcher


def current_simulator() -> str:
    return simulator_file(Path(shutil.which(launcher()) or launcher()))


def simulator_file(found: Path) -> str:
    """A build of the same version may simulate otherwise."""
    library = found.resolve().parent.parent / "lib" / "libhindcast.so"
    file = library if library.exists() else found
    return f"simulator {file.name}, SHA-256 {sha256_of(file)}"
