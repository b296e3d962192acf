"""The script that a newcomer starts: what it sets up, and what it says where it cannot."""

import os
import shutil
import subprocess

import pytest

TOOLS = ["bash", "cat", "find", "flock", "mkdir", "mktemp", "mv", "nproc", "readlink", "rm", "sed", "touch"]


@pytest.fixture
def elsewhere(root, tmp_path):
    """A copy of the script in a folder without anything built, on a machine with nothing but the barest tools."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for tool in TOOLS:
        (tools / tool).symlink_to(shutil.which(tool))
    project = tmp_path / "project"
    project.mkdir()
    shutil.copy(root / "hindcast", project)

    def start(*arguments, **stubs):
        for name, body in stubs.items():
            stub = tools / name.replace("_", "-")
            stub.write_text(f"#!{tools}/bash\n{body}\n")
            stub.chmod(0o755)
        command = [project / "hindcast", *arguments]
        return subprocess.run(
            command, capture_output=True, text=True, check=False, env={"PATH": str(tools)}, timeout=60
        )

    return start


def test_without_root_it_names_the_packages(elsewhere):
    done = elsewhere("build", id="echo 1000", dpkg_query='[ "${@: -1}" != cmake ] && echo -n installed')
    assert done.returncode == 1
    assert "needs root. As root: apt-get install -y --no-install-recommends cmake\n" in done.stderr
    assert done.stdout == ""


def test_without_a_network_it_says_so(elsewhere):
    done = elsewhere("build", id="echo 0", dpkg_query="exit 1", apt_get="echo cannot resolve the archive; exit 100")
    assert done.returncode == 1
    assert "cannot resolve the archive" in done.stderr
    assert "apt-get update failed (no network?)" in done.stderr
    for package in ("g++", "ninja-build", "libsimgrid-dev"):
        assert package in done.stderr


def test_with_sudo_it_installs_what_is_missing(elsewhere, tmp_path):
    done = elsewhere(
        "build",
        id="echo 1000",
        sudo='[ "$2" = true ] && exit; shift; exec "$@"',
        true="exit 0",
        dpkg_query='[ "${@: -1}" != ninja-build ] && echo -n installed',
        apt_get=f'echo "$@" >>{tmp_path}/asked',
        cmake="echo no CMakeLists; exit 1",
    )
    assert (tmp_path / "asked").read_text() == "update\ninstall -y --no-install-recommends ninja-build\n"
    assert done.returncode == 1
    assert "no CMakeLists" in done.stderr
    assert "cmake could not set up the build" in done.stderr


def test_on_another_system_it_lists_what_it_takes(elsewhere):
    done = elsewhere("build", cmake="exit 1")
    assert done.returncode == 1
    assert "this is not Debian" in done.stderr
    assert "libsimgrid-dev" in done.stderr


def test_it_builds_once_and_again_when_a_source_changes(elsewhere, tmp_path):
    steps = tmp_path / "steps"
    cmake = f'echo "$1" >>{steps}; mkdir -p build/release/bin; touch build/release/build.ninja'
    sources = tmp_path / "project" / "simulator"
    sources.mkdir()
    (sources / "clock.cpp").touch()
    stubs = {"id": "echo 0", "dpkg_query": "echo -n installed", "cmake": cmake}
    assert elsewhere("build", **stubs).returncode == 0
    assert steps.read_text() == "--preset\n--build\n"
    assert elsewhere("build", **stubs).returncode == 0
    assert steps.read_text() == "--preset\n--build\n"
    changed = sources / "clock.cpp"
    os.utime(changed, ns=(0, changed.stat().st_mtime_ns + 3_600_000_000_000))
    assert elsewhere("build", **stubs).returncode == 0
    assert steps.read_text() == "--preset\n--build\n--build\n"


def test_an_unknown_option_is_refused(elsewhere):
    done = elsewhere("test", "--everything")
    assert done.returncode == 1
    assert "unknown option --everything" in done.stderr


def test_env_puts_hindcast_and_the_wrappers_on_the_path(root, build):
    if build != root / "build" / "release":
        pytest.skip("the script starts the release build, and this is another")
    command = 'eval "$(./hindcast env)" && command -v hindcast hindcast-mpicc hindcast-mpicxx'
    done = subprocess.run(["bash", "-c", command], cwd=root, capture_output=True, text=True, check=False)
    assert done.stdout.split() == [str(build / "bin" / n) for n in ("hindcast", "hindcast-mpicc", "hindcast-mpicxx")]
