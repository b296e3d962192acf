"""What Fortran's own library keeps and does, in a program of many ranks."""

import re
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent / "programs"
LOADERS = [pytest.param((), id="clones"), pytest.param(("--separate-files",), id="copies")]


@pytest.fixture
def run_text(run_program):
    """Runs a Fortran program that is given as text."""

    def run_it(text, n=2, *args, **options):
        return run_program(text, n, *args, fortran=True, **options)

    return run_it


def everybody_is_right(done, n):
    assert sorted(done.stdout.splitlines()) == sorted(f"{i} right: T" for i in range(n))
    assert (done.stderr, done.returncode) == ("", 0)


@pytest.mark.parametrize("launcher", LOADERS)
@pytest.mark.parametrize("name", ["private_variables", "units"])
def test_each_rank_has_its_own(name, launcher, run_program, compile_program, hindcast, tmp_path):
    program = compile_program(SOURCES / f"{name}.f90")
    done = hindcast("run", "-m", "ideal", "-n", "8", "--lockstep", *launcher, program, cwd=tmp_path)
    everybody_is_right(done, 8)
    assert list(tmp_path.iterdir()) == []


def test_units_of_many_ranks(compile_program, hindcast, tmp_path):
    done = hindcast("run", "-m", "ideal", "-n", "64", compile_program(SOURCES / "units.f90"), cwd=tmp_path)
    everybody_is_right(done, 64)


def test_clocks_are_simulated(run_program):
    done = run_program(SOURCES / "clocks.f90", 2)
    lines = [line.split() for line in done.stdout.splitlines()]
    for line in lines:
        assert line[1:4] == ["2.500", "2.500", "2.500"]
        assert line[4] == "20000101"
        assert line[6] == "2000"
    assert lines[0][7:] != lines[1][7:]
    assert run_program(SOURCES / "clocks.f90", 2).stdout == done.stdout


def test_random_seed_and_init_repeat(run_text):
    done = run_text(
        """program draws
  use mpi
  implicit none
  real :: a(2), b(2)
  integer :: n, ierror
  integer, allocatable :: seed(:)
  call MPI_Init(ierror)
  call random_seed(size=n)
  allocate (seed(n), source=3)
  call random_seed(put=seed)
  call random_number(a)
  call random_seed(put=seed)
  call random_number(b)
  print '(l1)', all(a == b)
  call MPI_Finalize(ierror)
end program
"""
    )
    assert done.stdout == "T\nT\n"


def test_lines_appear_at_their_time(run_text):
    done = run_text(
        """program lines
  use mpi
  implicit none
  integer :: me, ierror, i
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  do i = 1, 3
    call hindcast_compute_seconds(1d0 + me * 0.1d0)
    write (*, '(a, i0)', advance='no') 'rank ', me
    print '(a, i0)', ' step ', i
  end do
  if (me == 0) write (0, *) 'to standard error'
  call MPI_Finalize(ierror)
end program
"""
    )
    assert done.stdout == "".join(f"rank {rank} step {step}\n" for step in (1, 2, 3) for rank in (0, 1))
    assert done.stderr == " to standard error\n"


def test_standard_output_to_a_file_is_whole(compile_program, build, run_command, tmp_path):
    program = compile_program(
        "program long\n  use mpi\n  integer :: i, ierror\n  call MPI_Init(ierror)\n  do i = 1, 2000\n"
        "    print '(i0)', i\n  end do\n  call MPI_Finalize(ierror)\nend program\n",
        fortran=True,
    )
    file = tmp_path / "output"
    file.write_text("before\n")
    run_command(["sh", "-c", f"{build}/bin/hindcast run -m ideal -n 2 {program} >> {file}"])
    lines = file.read_text().splitlines()
    assert lines[0] == "before"
    assert sorted(map(int, lines[1:])) == sorted(2 * list(range(1, 2001)))


def test_standard_input_is_rank_0s(run_text):
    done = run_text(
        """program reads
  use mpi
  implicit none
  integer :: me, a, b, status, ierror
  character(len=20) :: word
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  read (*, *, iostat=status) a, b
  if (me == 0) read (*, '(a)') word
  if (me == 0) print '(i0, 1x, a)', a + b, trim(word)
  if (me == 1) print '(i0)', status
  call MPI_Finalize(ierror)
end program
""",
        input="3 4\nhello\n",
    )
    assert sorted(done.stdout.splitlines()) == ["-1", "7 hello"]


def test_arguments_and_environment(run_text):
    done = run_text(
        """program arguments
  use mpi
  implicit none
  integer :: me, ierror
  character(len=20) :: first, value
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  call get_command_argument(1, first)
  call get_environment_variable('TEA', value)
  if (me == 1) print '(i0, 3(1x, a))', command_argument_count(), trim(first), trim(value), trim(host())
  call MPI_Finalize(ierror)
contains
  character(len=20) function host()
    call hostnm(host)
  end function
end program
""",
        2,
        "one",
        "two",
        env={"TEA": "green"},
    )
    assert done.stdout.startswith("2 one green ")


STOPS = """program stops
  use mpi
  implicit none
  integer :: me, ierror
  integer, allocatable :: a(:)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  call hindcast_compute_seconds(1d-3 * (me + 1))
  if (me == 1) then
    HOW
  end if
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  call MPI_Finalize(ierror)
end program
"""


@pytest.mark.parametrize(
    "how,status,text",
    [
        ("stop 7", 7, "STOP 7"),
        ("stop 'no more'", 0, "STOP no more"),
        ("error stop 9", 9, "ERROR STOP 9"),
        ("error stop 'all is lost'", 1, "ERROR STOP all is lost"),
        ("call exit(5)", 5, ""),
        ("call abort", 134, ""),
        ("call MPI_Abort(MPI_COMM_WORLD, 6, ierror)", 6, ""),
    ],
)
def test_stops(how, status, text, run_text):
    done = run_text(STOPS.replace("HOW", how))
    assert text in done.stderr
    assert done.returncode == (status or done.returncode)
    assert "rank 1" in done.stderr


@pytest.mark.parametrize(
    "how,message,flags",
    [
        ("open (10, file='/no/such/file', status='old')", "Cannot open file '/no/such/file'", ()),
        ("read (12, *) me", "End of file", ()),
        ("allocate (a(2)); a(me + 2) = 1", "Index '3' of dimension 1", ("-fcheck=bounds",)),
        ("allocate (a(2)); allocate (a(2))", "already allocated", ()),
    ],
)
def test_run_time_errors_name_rank_and_line(how, message, flags, run_text, tmp_path):
    done = run_text(STOPS.replace("HOW", how), flags=flags, cwd=tmp_path)
    assert done.returncode == 2
    assert "rank 1: " in done.stderr
    assert "At line 10 of file" in done.stderr
    assert message in done.stderr
    assert "Backtrace" not in done.stderr


@pytest.mark.parametrize(
    "how,message,where,status",
    [
        (
            "allocate (a(me + 2)); a = matmul(reshape([1, 2, 3, 4], [2, 2]), a)",
            r"Fortran runtime error: Incorrect extent in argument B in MATMUL .*",
            r"\n  in MAIN__ \(program-\d+\.f90:10\)",
            2,
        ),
        ("allocate (a(me * 4000000000000000_8))", r"In file '\S+'", ", around line 11: Error allocating ", 1),
    ],
)
def test_run_time_errors_of_the_library_name_rank_and_line(how, message, where, status, run_text):
    done = run_text(STOPS.replace("HOW", how), flags=["-O0"])
    assert done.returncode == status
    assert re.match(f"rank 1: {message}{where}", done.stderr), done.stderr


def test_what_is_like_an_error_is_written_as_it_is(run_text):
    done = run_text(STOPS.replace("HOW", "write (0, '(a)') 'At line 3 of file x'"))
    assert (done.stderr, done.returncode) == ("At line 3 of file x\n", 0)


def test_a_fatal_signal_names_rank_and_line(run_text):
    how = "me = me / (ierror - ierror); a(me) = me"
    done = run_text(STOPS.replace("HOW", how), flags=("-O0",))
    assert done.returncode == 128 + 8
    assert "rank 1" in done.stderr
    assert "program" in done.stderr and ":10" in done.stderr


def test_stops_without_mpi_finalize_by_end_of_program(run_text):
    done = run_text("program ends\n  use mpi\n  integer :: ierror\n  call MPI_Init(ierror)\nend program\n")
    assert "MPI_Finalize" in done.stderr


def test_a_program_started_by_itself(compile_program, run_command):
    program = compile_program(
        "program alone\n  use mpi\n  integer :: n, ierror\n  call MPI_Init(ierror)\n"
        "  call MPI_Comm_size(MPI_COMM_WORLD, n, ierror)\n  print '(i0)', n\n"
        "  call MPI_Finalize(ierror)\nend program\n",
        fortran=True,
    )
    done = run_command([program])
    assert (done.stdout, done.stderr, done.returncode) == ("1\n", "", 0)


def test_memory_that_nobody_touches_is_not_taken(run_text):
    """A common block of 320 MB on each of 64 ranks; the process has far less."""
    done = run_text(
        """program large
  use mpi
  implicit none
  real(8) :: numbers(40000000)
  common /large_block/ numbers
  integer :: me, ierror, kilobytes
  character(len=80) :: line
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  numbers(20000000 + me) = me
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  if (numbers(20000000 + me) /= me .or. sum(numbers(20000064:20000100)) /= 0) error stop 'not private'
  if (me == 0) then
    open (10, file='/proc/self/status', status='old', action='read')
    do
      read (10, '(a)') line
      if (line(:6) == 'VmHWM:') exit
    end do
    read (line(7:index(line, 'kB') - 1), *) kilobytes
    print '(l1)', kilobytes < 300000
  end if
  call MPI_Finalize(ierror)
end program
""",
        64,
    )
    assert (done.stdout, done.stderr) == ("T\n", "")


@pytest.mark.parametrize("access", ["use mpi_f08", "use mpi", "include 'mpif.h'"])
def test_a_deadlock_names_the_calls_as_mpi_does(access, run_text):
    module, text = (access, "") if access.startswith("use") else ("", access)
    done = run_text(
        f"program odd\n  {module}\n  implicit none\n  {text}\n  integer :: rank, error\n"
        "  double precision :: mine = 1, most\n"
        "  call MPI_Init(error)\n  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)\n"
        "  if (rank == 0) &\n"
        "    call MPI_Allreduce(mine, most, 1, MPI_DOUBLE_PRECISION, MPI_MAX, MPI_COMM_WORLD, error)\n"
        "  call MPI_Finalize(error)\nend program\n",
        2,
        machine="ap1000",
    )
    assert done.returncode == 1
    assert "rank 0: waits in MPI_Allreduce (xy_dmax) until all cells have called it" in done.stderr
    assert "rank 1: waits in MPI_Finalize (sync) until all cells have called it" in done.stderr
