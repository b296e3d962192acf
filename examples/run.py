"""Runs the examples, and holds what they print, simulated times included, to the .expected file beside each.

    examples/run.py [--update] [NAME ...]

An .expected file is a transcript: a line "$ COMMAND" and then what it must print, for each command in turn.
"""

import argparse
import difflib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
BUILD = Path(os.environ.get("HINDCAST_BUILD") or HERE.parent / "build" / "release").resolve()


def transcript(expected, folder):
    """What the commands of an .expected file print now, in its form."""
    environment = {**os.environ, "PATH": f"{BUILD / 'bin'}:{os.environ['PATH']}"}
    written = []
    for line in expected.splitlines():
        if not line.startswith("$ "):
            continue
        done = subprocess.run(
            line[2:], shell=True, cwd=folder, env=environment, capture_output=True, text=True, timeout=300, check=False
        )
        written += [line, *done.stdout.splitlines(), *done.stderr.splitlines()]
        if done.returncode != 0:
            written.append(f"exit status {done.returncode}")
    return "".join(line + "\n" for line in written)


def run_example(expected_file, update):
    """Whether the example gave what it must."""
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "examples").symlink_to(HERE)
        written = transcript(expected_file.read_text(), folder)
    if update:
        expected_file.write_text(written)
    print(written, end="", flush=True)
    expected = expected_file.read_text()
    if written == expected:
        return True
    print(f"{expected_file.stem}: not what {expected_file.name} says:")
    sys.stdout.writelines(difflib.unified_diff(expected.splitlines(True), written.splitlines(True), "expected", "now"))
    return False


def main():
    parser = argparse.ArgumentParser(description="run the examples and compare what they print with what they must")
    parser.add_argument("names", nargs="*", metavar="NAME", help="examples to run (all)")
    parser.add_argument("--update", action="store_true", help="write what they print now as what they must")
    options = parser.parse_args()
    known = {file.stem: file for file in sorted(HERE.glob("*/*.expected"))}
    for name in options.names:
        if name not in known:
            parser.error(f"no example {name}: there are {', '.join(known)}")
    results = [run_example(known[name], options.update) for name in options.names or known]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
