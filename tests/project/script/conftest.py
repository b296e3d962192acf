"""The script that a newcomer starts, copied to where its tests can say what is there."""

import shutil
import subprocess

import pytest

TOOLS = ["bash", "cat", "find", "flock", "grep", "mkdir", "mktemp", "mv", "nproc", "readlink", "rm", "sed", "sleep"]
TOOLS += ["sort", "touch", "tr", "xargs"]


@pytest.fixture(scope="session")
def write_stub():
    """write_stub(file, "echo no"): a command of that name, which does that."""

    def write(file, body, bash="/bin/bash"):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"#!{bash}\n{body}\n")
        file.chmod(0o755)

    return write


@pytest.fixture
def elsewhere(root, write_stub, tmp_path):
    """A copy of the script in a folder without anything built, on a machine with nothing but the barest tools."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in TOOLS:
        (tools / tool).symlink_to(shutil.which(tool))
    project = tmp_path / "project"
    project.mkdir()
    shutil.copy(root / "hindcast", project)

    def start(*arguments, environment=None, cwd=project, stderr=subprocess.PIPE, **stubs):
        for name, body in stubs.items():
            write_stub(tools / name.replace("_", "-"), body, bash=tools / "bash")
        command = [project / "hindcast", *arguments]
        environment = {"PATH": str(tools), **(environment or {})}
        return subprocess.run(
            command, stdout=subprocess.PIPE, stderr=stderr, text=True, check=False, cwd=cwd, env=environment, timeout=60
        )

    return start
