"""The program that a sweep runs: an executable of hindcast's compilers, or a source file that is compiled for it."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from experiments.problems import Problem
from experiments.runner import compiled
from experiments.serving.servers import ask
from experiments.shell.compilers import is_source
from experiments.shell.dry_run import in_a_folder


def find_program(name: str) -> Path:
    """The file that the launcher would take by this name. Problem if it would not run it."""
    if is_source(Path(name)):
        if not Path(name).is_file():
            raise Problem(f"{name}: no such source file")
        return Path(name)
    found = Path(name if "/" in name else shutil.which(name) or name)
    done = ask(["check", in_a_folder(found)])
    if done.returncode != 0:  # what a program lacks is said on standard output
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise Problem(said[0].removeprefix("hindcast: ") if said else f"{name}: cannot be run")
    return found


def name_of_results(program: Path) -> str:
    """A dot in the name of an executable is no ending: p.v1 and p.v2 are two programs."""
    return program.stem if is_source(program) else program.name


@contextmanager
def startable(program: Path) -> Iterator[Path | str]:
    """What the launcher is given to start, for as long as there are runs."""
    if not is_source(program):
        yield in_a_folder(program)
        return
    with compiled([program]) as programs:
        yield programs[program]
