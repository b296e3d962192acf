"""The script that a newcomer starts: what it sets up and builds, and what it says where it cannot."""

import os
import re
import subprocess

import pytest


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


def test_a_build_in_a_pipe_says_how_far_it_is(elsewhere):
    cmake = "mkdir -p build/release; touch build/release/build.ninja; [ $1 = --preset ] && exit; "
    cmake += 'echo "[312/640] Building CXX object clock.cpp.o"; sleep 3'
    environment = {"HINDCAST_SAYS_EVERY_S": "1"}
    done = elsewhere("build", environment=environment, id="echo 0", dpkg_query="echo -n installed", cmake=cmake)
    assert done.returncode == 0
    said = done.stderr.splitlines()
    assert "building into build/release" in said[0]
    assert said[1] in ("hindcast: building: 312 of 640 after 1 s", "hindcast: building: 312 of 640 after 2 s")
    assert 2 <= len(said) <= 4
    assert "clock.cpp" not in done.stderr


def test_a_build_on_a_terminal_shows_what_the_build_writes(elsewhere):
    cmake = "mkdir -p build/release; touch build/release/build.ninja; [ $1 = --preset ] && exit; "
    cmake += 'echo "[312/640] Building CXX object clock.cpp.o"; sleep 2'
    environment = {"HINDCAST_SAYS_EVERY_S": "1"}
    ours, its = os.openpty()
    elsewhere("build", environment=environment, stderr=its, id="echo 0", dpkg_query="echo -n installed", cmake=cmake)
    os.close(its)
    said = os.read(ours, 10000).decode()
    os.close(ours)
    assert "[312/640] Building CXX object clock.cpp.o" in said
    assert "after" not in said


def test_a_build_that_fails_shows_what_the_compiler_wrote(elsewhere):
    cmake = "mkdir -p build/release; touch build/release/build.ninja; [ $1 = --preset ] && exit; "
    cmake += 'echo "clock.cpp:7: no such clock"; exit 1'
    done = elsewhere("build", id="echo 0", dpkg_query="echo -n installed", cmake=cmake)
    assert done.returncode == 1
    assert "clock.cpp:7: no such clock" in done.stderr
    assert "the build failed: see above" in done.stderr


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


def test_what_the_tutorial_begins_with_sets_up_all_that_it_needs(elsewhere, root, tmp_path):
    project = tmp_path / "project"
    hindcast = "build/release/bin/hindcast"
    stubs = {
        "id": "echo 0",
        "dpkg_query": "echo -n installed",
        "cmake": f"mkdir -p build/release/bin; echo '#!/bin/bash' >{hindcast}; chmod +x {hindcast}",
        "chmod": 'exec /bin/chmod "$@"',
        "python3": 'mkdir -p "$3/bin"; echo "#!/bin/bash" >"$3/bin/python"; chmod +x "$3/bin/python"',
    }
    beginning = (root / "docs" / "tutorial.md").read_text().partition("## Setting up")[2].partition("\n## ")[0]
    lines = re.findall(r"^    .*\./hindcast ([\w ]+)", beginning, re.MULTILINE)
    assert lines
    for words in lines:
        done = elsewhere(*words.split(), **stubs)
        assert done.returncode == 0, done.stderr
    assert (project / hindcast).exists()
    assert (project / ".venv" / ".made").exists()
