"""hindcast-mpifort, by all its names."""

import pytest

SUM = """program sums
  use mpi
  implicit none
  integer :: me, total, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  call MPI_Reduce(me, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  if (me == 0) print '(i0)', total
  call MPI_Finalize(ierror)
end program
"""
FIXED = """C     In columns, with a type for each buffer.
      PROGRAM SUMS
      INCLUDE 'mpif.h'
      INTEGER ME, TOTAL, IERR
      DOUBLE PRECISION X, Y
      X = 0.5D0
      CALL MPI_INIT(IERR)
      CALL MPI_COMM_RANK(MPI_COMM_WORLD, ME, IERR)
      CALL MPI_REDUCE(ME, TOTAL, 1, MPI_INTEGER, MPI_SUM, 0,
     1                MPI_COMM_WORLD, IERR)
      CALL MPI_ALLREDUCE(X, Y, 1, MPI_DOUBLE_PRECISION, MPI_SUM,
     1                   MPI_COMM_WORLD, IERR)
      IF (ME .EQ. 0 .AND. Y .EQ. 1.5D0) PRINT '(I0)', TOTAL
      CALL MPI_FINALIZE(IERR)
      END
"""


@pytest.fixture
def source(tmp_path):
    path = tmp_path / "sums.f90"
    path.write_text(SUM)
    return path


@pytest.fixture
def wrapper(run_command, path_env, tmp_path):
    def start(*words, name="hindcast-mpifort", **options):
        return run_command([*name.split(), *words], env=path_env, cwd=tmp_path, **options)

    return start


@pytest.mark.parametrize("name", ["hindcast-mpifort", "hindcast-mpif90", "hindcast-mpif77", "hindcast fc"])
def test_all_names_compile_and_link(name, wrapper, source, hindcast, tmp_path):
    done = wrapper("-o", "sums", source, name=name)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert hindcast("run", "-m", "ideal", "-n", "3", tmp_path / "sums").stdout == "3\n"


def test_fixed_form(wrapper, hindcast, tmp_path):
    (tmp_path / "sums.f").write_text(FIXED)
    assert wrapper("-o", "sums", "sums.f").returncode == 0
    assert hindcast("run", "-m", "ideal", "-n", "3", tmp_path / "sums").stdout == "3\n"


def test_mpif_h_in_free_form_with_the_strictest_warnings(wrapper, tmp_path):
    (tmp_path / "strict.f90").write_text(
        "program strict\n  implicit none\n  include 'mpif.h'\n  integer :: ierror\n  call mpi_init(ierror)\n"
        "  call mpi_finalize(ierror)\nend program\n"
    )
    done = wrapper("-std=f2008", "-Wall", "-Werror", "-c", "strict.f90")
    assert (done.returncode, done.stderr) == (0, "")


ALL_TYPES = """subroutine all_types(a, b, c, truth)
  use MODULE
  implicit none
  integer :: a(3), size, ierror
  real(kind(1d0)) :: b
  character(4) :: c(2)
  logical :: truth
  call MPI_Send(a, 3, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, ierror)
  call MPI_Send(b, 1, MPI_REAL8, 0, 1, MPI_COMM_WORLD, ierror)
  call MPI_Send(c(:)(2:3), 4, MPI_CHARACTER, 0, 1, MPI_COMM_WORLD, ierror)
  call MPI_Sizeof(truth, size, ierror)
end subroutine
"""


@pytest.mark.parametrize("standard", ["gnu", "f2018", "f2008", "f2003", "f95", "legacy"])
@pytest.mark.parametrize("module", ["mpi", "mpi_f08"])
def test_choice_buffers_give_no_warnings(module, standard, wrapper, tmp_path):
    (tmp_path / "all.f90").write_text(ALL_TYPES.replace("MODULE", module))
    done = wrapper("-Wall", "-Wextra", f"-std={standard}", "-pedantic", "-c", "all.f90")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("module", ["mpi", "mpi_f08"])
def test_constants_for_the_widest_registers_give_no_warnings(module, wrapper, tmp_path):
    (tmp_path / "wide.f90").write_text(
        f"program wide\n  use {module}\n  integer :: number = 1, ierror\n  call MPI_Init(ierror)\n"
        "  call MPI_Allreduce(MPI_IN_PLACE, number, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)\n"
        "  call MPI_Recv(number, 1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)\nend program\n"
    )
    done = wrapper("-O3", "-mavx512f", "-o", "wide", "wide.f90")
    assert (done.returncode, done.stderr) == (0, "")


def test_time_where_double_precision_is_wider(wrapper, hindcast, tmp_path):
    (tmp_path / "wide.f90").write_text(
        "program wide\n  implicit none\n  include 'mpif.h'\n  integer :: ierror\n  double precision :: start\n"
        "  call MPI_Init(ierror)\n  start = MPI_Wtime()\n  call sleep(2)\n  print '(f0.3)', MPI_Wtime() - start\n"
        "  call MPI_Finalize(ierror)\nend program\n"
    )
    assert wrapper("-fdefault-real-8", "-o", "wide", "wide.f90").returncode == 0
    assert hindcast("run", "-m", "ideal", "-n", "1", tmp_path / "wide").stdout == "2.000\n"


@pytest.mark.parametrize("module", ["mpi", "mpi_f08"])
@pytest.mark.parametrize("prefix", ["MPI", "PMPI"])
def test_a_wrong_argument_is_an_error(prefix, module, wrapper, tmp_path):
    (tmp_path / "wrong.f90").write_text(
        f"program wrong\n  use {module}\n  integer :: ierror\n  call {prefix}_Barrier('world', ierror)\nend program\n"
    )
    done = wrapper("-c", "wrong.f90")
    assert done.returncode != 0
    assert "Type mismatch in argument" in done.stderr


def test_show_and_separate_steps(wrapper, source, hindcast, tmp_path):
    shown = wrapper("-show", "-c", source).stdout.split()
    assert shown[0] == "gfortran"
    assert {"-c", "-fPIC", str(source)} <= set(shown)
    assert wrapper("-c", source).returncode == 0
    assert wrapper("-o", "sums", "sums.o", "-static-libgfortran").returncode == 0
    assert hindcast("run", "-m", "ideal", "-n", "4", tmp_path / "sums").stdout == "6\n"


def test_another_compiler(run_command, path_env, source, tmp_path):
    shown = run_command(["hindcast-mpifort", "-show", source], env={**path_env, "HINDCAST_FC": "gfortran -O3"})
    assert shown.stdout.startswith("gfortran -O3 ")


@pytest.mark.parametrize(
    "option,why",
    [
        ("-fdefault-integer-8", "integers are of 4 bytes"),
        ("-finteger-4-integer-8", "integers are of 4 bytes"),
        ("-static", "loaded once for every rank"),
        ("-fsecond-underscore", "one underscore"),
        ("-ff2c", "one underscore"),
    ],
)
def test_what_cannot_be_is_refused(option, why, wrapper, source):
    done = wrapper(option, "-c", source)
    assert done.returncode != 0
    assert done.stderr.startswith(f"hindcast: {option}: ")
    assert why in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_library_of_the_programs_own(wrapper, hindcast, tmp_path):
    (tmp_path / "part.f90").write_text(
        "subroutine part(total)\n  use mpi\n  integer :: total, mine, ierror\n  integer, save :: calls = 0\n"
        "  call MPI_Comm_rank(MPI_COMM_WORLD, mine, ierror)\n  calls = calls + 1 + mine\n  total = calls\n"
        "  call MPI_Allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)\nend subroutine\n"
    )
    (tmp_path / "whole.f90").write_text(
        "program whole\n  use mpi\n  integer :: total, ierror\n  call MPI_Init(ierror)\n  call part(total)\n"
        "  call part(total)\n  print '(i0)', total\n  call MPI_Finalize(ierror)\nend program\n"
    )
    assert wrapper("-shared", "-o", "libpart.so", "part.f90").returncode == 0
    done = wrapper("-o", "whole", "whole.f90", "-L.", "-lpart", "-Wl,-rpath,$ORIGIN")
    assert done.returncode == 0, done.stderr
    assert hindcast("run", "-m", "ideal", "-n", "3", tmp_path / "whole").stdout == "12\n" * 3


@pytest.fixture
def calls_what_is_missing(wrapper, tmp_path):
    """An object, and a program: what it calls was there when it was linked, and is gone when it is looked at."""
    (tmp_path / "later.f90").write_text("subroutine MPI_Telepathy(ierror)\n  integer :: ierror\nend subroutine\n")
    (tmp_path / "sums.f90").write_text(SUM.replace("if (me", "call MPI_Telepathy(ierror)\n  if (me"))
    for words in (
        ["-shared", "-o", "liblater.so", "later.f90"],
        ["-c", "sums.f90"],
        ["-o", "sums", "sums.o", "-L.", "-llater"],
    ):
        done = wrapper(*words)
        assert done.returncode == 0, done.stderr
    (tmp_path / "liblater.so").unlink()
    return tmp_path


@pytest.mark.parametrize("name", ["sums", "sums.o"])
def test_check_names_what_a_program_lacks(name, calls_what_is_missing, hindcast):
    done = hindcast("check", calls_what_is_missing / name)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines() == [
        f"{calls_what_is_missing / name}: calls what is missing",
        "calls 5 of MPI's functions: mpi_comm_rank_, mpi_finalize_, mpi_init_, mpi_reduce_, mpi_telepathy_",
        "missing 1: mpi_telepathy_",
    ]


@pytest.mark.parametrize("module", ["mpi", "mpi_f08"])
def test_check_lacks_nothing_of_a_program_that_can_run(module, wrapper, source, hindcast, tmp_path):
    source.write_text(SUM.replace("use mpi", f"use {module}"))
    assert wrapper("-o", "sums", source).returncode == 0
    done = hindcast("check", tmp_path / "sums")
    assert (done.returncode, done.stderr) == (0, "")
    assert "ready to run" in done.stdout


# What gfortran calls of a library of coarrays, by MPI; a descriptor of Fortran's begins with the address of the data.
COARRAYS = """#include <mpi.h>
static int me, images;
void _gfortran_caf_init(int* argc, char*** argv) {
  MPI_Init(argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &images);
}
void _gfortran_caf_finalize(void) { MPI_Finalize(); }
int _gfortran_caf_this_image(int distance) { return me + 1; }
int _gfortran_caf_num_images(int distance, int failed) { return images; }
void _gfortran_caf_sync_all(int* stat, char* message, int length) { MPI_Barrier(MPI_COMM_WORLD); }
void _gfortran_caf_co_sum(void** descriptor, int image, int* stat, char* message, int length) {
  MPI_Allreduce(MPI_IN_PLACE, *descriptor, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}
"""


def test_coarrays_of_a_library_that_the_program_brings(wrapper, run_command, path_env, hindcast, tmp_path):
    (tmp_path / "library.c").write_text(COARRAYS)
    (tmp_path / "images.f90").write_text(
        "program images\n  implicit none\n  integer :: total\n  total = this_image()\n  call co_sum(total)\n"
        "  sync all\n  if (this_image() == num_images()) print '(i0, 1x, i0)', total, num_images()\nend program\n"
    )
    done = run_command(["hindcast-mpicc", "-c", "library.c"], env=path_env, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = wrapper("-fcoarray=lib", "-o", "images", "images.f90", "library.o")
    assert done.returncode == 0, done.stderr
    assert hindcast("run", "-m", "ideal", "-n", "4", tmp_path / "images").stdout == "10 4\n"
