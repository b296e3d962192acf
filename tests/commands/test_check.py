"""hindcast check: whether a program can run, before it is run."""

import json
import shutil

import pytest

PROGRAM = """
#include <mpi.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  PMPI_Barrier(MPI_COMM_WORLD);
  return MPI_Finalize();
}
"""


def test_a_program_that_can_run_is_told_so(hindcast, compile_program):
    program = compile_program(PROGRAM)
    done = hindcast("check", program)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{program}: ready to run\ncalls 3 of MPI's functions: MPI_Finalize, MPI_Init, PMPI_Barrier\n"


def test_json_says_the_same(hindcast, compile_program):
    program = compile_program(PROGRAM)
    assert json.loads(hindcast("check", "--json", program).stdout) == {
        "program": str(program),
        "fit": True,
        "problem": None,
        "called": ["MPI_Finalize", "MPI_Init", "PMPI_Barrier"],
        "missing": [],
    }


def test_what_is_missing_is_named(hindcast, compile_program, run_command, tmp_path):
    (tmp_path / "later.c").write_text("int MPI_Telepathy(void) { return 0; }\nint mpi_telepathy_(void) { return 0; }\n")
    library = tmp_path / "liblater.so"  # there when the program is linked, and gone when it is looked at
    done = run_command(["gcc", "-shared", "-fPIC", "-o", library, tmp_path / "later.c"])
    assert done.returncode == 0, done.stderr
    declared = PROGRAM.replace("int main", "int MPI_Telepathy(void);\nint mpi_telepathy_(void);\nint main", 1)
    called = declared.replace("return", "MPI_Telepathy(); mpi_telepathy_(); return")
    program = compile_program(called, f"-L{tmp_path}", "-llater")
    library.unlink()
    done = hindcast("check", program)
    assert done.returncode == 1
    assert "calls what is missing" in done.stdout
    assert done.stdout.endswith("missing 2: MPI_Telepathy, mpi_telepathy_\n")
    assert done.stderr == ""


def test_what_a_library_of_the_programs_lacks_is_named(hindcast, path_env, compile_program, run_command, tmp_path):
    """The system's loader would bind it when it is called; here all is bound when a rank begins."""
    part = "int nobody_has(void);\nint part(int calls) { return calls ? nobody_has() : 0; }\n"
    (tmp_path / "part.c").write_text(part)
    library = tmp_path / "libpart.so"
    done = run_command(["hindcast-mpicc", "-shared", "-fPIC", "-o", library, tmp_path / "part.c"], env=path_env)
    assert done.returncode == 0, done.stderr
    calls = PROGRAM.replace("int main", "int part(int);\nint main", 1).replace("return", "return part(0) +")
    program = compile_program(calls, f"-L{tmp_path}", "-lpart", f"-Wl,-rpath,{tmp_path}")
    done = hindcast("check", program)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith(f"{program}: calls what is missing\n")
    assert done.stdout.endswith("missing 1: nobody_has\n")
    done = hindcast("run", "-n", 2, program)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == f"hindcast: {program}: libpart.so: undefined symbol: nobody_has\n"


@pytest.mark.parametrize("interface", ["use mpi_f08", "use mpi", "include 'mpif.h'"])
def test_what_is_missing_of_a_fortran_program_is_named(hindcast, build, run_command, tmp_path, interface):
    is_a_module = interface.startswith("use")
    (tmp_path / "part.f90").write_text(
        "subroutine part(ierror)\n"
        + (f"  {interface}\n  implicit none\n" if is_a_module else f"  implicit none\n  {interface}\n")
        + "  integer, intent(out) :: ierror\n"
        "  external :: MPI_Telepathy\n"
        "  call MPI_Barrier(MPI_COMM_WORLD, ierror)\n"
        "  call MPI_Telepathy(ierror)\n"
        "end subroutine part\n"
    )
    done = run_command([build / "bin" / "hindcast-mpifort", "-c", "-o", tmp_path / "part.o", tmp_path / "part.f90"])
    assert done.returncode == 0, done.stderr
    done = hindcast("check", tmp_path / "part.o")
    assert (done.returncode, done.stderr) == (1, "")
    assert "calls what is missing" in done.stdout
    assert done.stdout.endswith("missing 1: mpi_telepathy_\n")


def test_a_program_that_needs_another_library_of_its_own_is_looked_at_as_a_whole(
    hindcast, compile_program, build, run_command, tmp_path
):
    (tmp_path / "part.c").write_text("#include <mpi.h>\nint part(void) { return MPI_Barrier(MPI_COMM_SELF); }\n")
    library = tmp_path / "libpart.so"
    done = run_command([build / "bin" / "hindcast-mpicc", "-shared", "-fPIC", "-o", library, tmp_path / "part.c"])
    assert done.returncode == 0, done.stderr
    using = PROGRAM.replace("int main", "int part(void);\nint main").replace("PMPI_Barrier(MPI_COMM_WORLD)", "part()")
    program = compile_program(using, f"-L{tmp_path}", "-lpart", f"-Wl,-rpath,{tmp_path}")
    assert "MPI_Barrier" in hindcast("check", program).stdout


@pytest.mark.skipif(shutil.which("mpicc") is None, reason="there is no other MPI")
def test_a_program_of_another_mpi_is_told_apart(hindcast, run_command, tmp_path):
    (tmp_path / "program.c").write_text(PROGRAM)
    done = run_command(["mpicc", "-o", tmp_path / "program", tmp_path / "program.c"])
    assert done.returncode == 0, done.stderr
    done = hindcast("check", "--json", tmp_path / "program")
    assert done.returncode == 1
    findings = json.loads(done.stdout)
    assert "built by another MPI (it needs libmpi" in findings["problem"]
    assert findings["called"] == ["MPI_Finalize", "MPI_Init", "PMPI_Barrier"]
    assert not findings["fit"]


def test_other_files_are_refused(hindcast, run_command, tmp_path):
    (tmp_path / "plain.c").write_text("int main(void) { return 0; }\n")
    assert run_command(["gcc", "-o", tmp_path / "plain", tmp_path / "plain.c"]).returncode == 0
    done = hindcast("check", tmp_path / "plain")
    assert done.returncode == 1
    assert "not an MPI program" in done.stdout
    done = hindcast("check", tmp_path / "none")
    assert done.returncode == 1
    assert "program not found" in done.stderr


def test_a_folder_and_a_script_are_told_apart(hindcast, tmp_path):
    done = hindcast("check", tmp_path)
    assert (done.returncode, done.stderr) == (1, f"hindcast: {tmp_path}: a directory, not a program\n")
    script = tmp_path / "script.sh"
    script.write_text("#!/bin/sh\n./program\n")
    script.chmod(0o755)
    done = hindcast("check", script)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{script}: a script, which 'hindcast run' starts once, ")


def test_json_tells_of_machines_and_of_what_is_not_there_too(hindcast, root, tmp_path):
    done = hindcast("check", "ideal", "--json")
    findings = json.loads(done.stdout)
    assert (done.returncode, findings["fit"], findings["problem"]) == (0, True, None)
    assert findings["nodes"] == 1048576
    assert (root / findings["machine"]).samefile(root / "platforms" / "ideal.toml")
    (tmp_path / "mine.toml").write_text("[machine\n")
    for subject, sort in (("nosuch", "program"), (tmp_path / "mine.toml", "machine"), (tmp_path, "program")):
        done = hindcast("check", subject, "--json")
        findings = json.loads(done.stdout)
        assert (done.returncode, done.stderr, findings["fit"]) == (1, "", False)
        assert findings[sort] == str(subject)
        assert str(subject) in findings["problem"]
