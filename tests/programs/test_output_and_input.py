"""Standard output and error by whole lines in simulated time order; standard input for rank 0."""

import subprocess
from pathlib import Path

import pytest

SOURCES = Path(__file__).parent / "sources"


@pytest.mark.parametrize("launcher", [[], ["--lockstep"], ["--separate-files"]])
def test_lines_are_whole_and_in_the_order_of_time(run_program, launcher):
    done = run_program(SOURCES / "lines.c", 5, launcher=launcher)
    assert done.stdout == "".join(f"rank {rank} line {line}\n" for line in range(6) for rank in range(5))
    assert done.returncode == 0


def test_labels(run_program):
    done = run_program(SOURCES / "lines.c", 3, launcher=["--label"])
    assert done.stdout == "".join(f"[{rank}] rank {rank} line {line}\n" for line in range(6) for rank in range(3))


def test_standard_error_is_labelled_and_stays_apart(run_program):
    text = '#include <stdio.h>\nint main(void) { fprintf(stderr, "err\\n"); puts("out"); perror("why"); }\n'
    done = run_program(text, 2, launcher=["--label"])
    assert done.stdout == "[0] out\n[1] out\n"
    assert [line[:7] for line in done.stderr.splitlines()] == ["[0] err", "[0] why", "[1] err", "[1] why"]


def test_a_lines_end_may_never_come(run_program):
    text = '#include <stdio.h>\nint main(void) { printf("x"); fflush(stdout); printf("y"); return 0; }\n'
    assert run_program(text, 3).stdout == "xyxyxy"


@pytest.mark.parametrize("launcher", [[], ["--lockstep"]])
def test_a_line_may_come_in_many_pieces(run_program, launcher):
    """Some with its end within them; and a rank's line is whole also if others flush what there is of it."""
    text = (
        "#include <mpi.h>\n#include <stdio.h>\nint main(int argc, char** argv) { int rank; MPI_Init(&argc, &argv);\n"
        "  MPI_Comm_rank(MPI_COMM_WORLD, &rank); for (int i = 1; i <= 3000; ++i) { MPI_Wtime();\n"
        '    printf(i % 500 == 0 ? "(\\n)" : "%d", rank); fflush(i % 7 == 0 ? NULL : stdout); }\n'
        "  MPI_Finalize(); return 0; }\n"
    )
    lines = run_program(text, 3, launcher=launcher).stdout.splitlines()
    for rank in "012":
        of_rank = [line for line in lines if rank in line]
        assert of_rank == [rank * 499 + "("] + [")" + rank * 499 + "("] * 5
    assert len(lines) == 19 and lines[-1] == ")))"


def test_output_that_the_program_buffers_itself(run_program):
    text = (
        "#include <stdio.h>\n#include <unistd.h>\nint main(void) { setvbuf(stdout, NULL, _IOFBF, 4096);\n"
        '  usleep(10 - (getpid() - 1000)); printf("a\\n"); usleep(50); printf("b\\n"); return 0; }\n'
    )
    assert run_program(text, 3).stdout == "a\nb\n" * 3


@pytest.mark.parametrize("launcher", [[], ["--lockstep"]])
def test_a_line_is_printed_once_however_often_others_flush_all_streams(run_program, launcher):
    """Also while the rank, which prints much between two calls, gives way to them within a write."""
    text = (
        "#include <mpi.h>\n#include <stdio.h>\nint main(int argc, char** argv) { int rank; MPI_Init(&argc, &argv);\n"
        "  MPI_Comm_rank(MPI_COMM_WORLD, &rank); for (int i = 0; i < 500; ++i) { MPI_Wtime();\n"
        '    if (rank == 0) printf("%d\\n", i); else fflush(NULL); } MPI_Finalize(); return 0; }\n'
    )
    assert run_program(text, 3, launcher=launcher).stdout == "".join(f"{line}\n" for line in range(500))


def test_redirected_by_the_program(run_program, tmp_path):
    text = (
        "#include <stdio.h>\n#include <unistd.h>\nint main(int argc, char** argv) { char name[512];\n"
        '  snprintf(name, sizeof name, "%s/%d", argv[1], getpid()); puts("before");\n'
        '  if (freopen(name, "w", stdout) == NULL) return 1;\n'
        '  for (int i = 0; i < 40; ++i) { printf("in %d\\n", getpid()); fprintf(stderr, "%d\\n", i); }\n'
        "  return argc - 2; }\n"
    )
    done = run_program(text, 3, tmp_path, launcher=["--lockstep"])
    assert (done.returncode, done.stdout) == (0, "before\n" * 3)
    for rank in range(3):
        assert (tmp_path / str(1000 + rank)).read_text() == f"in {1000 + rank}\n" * 40


def test_standard_files_that_are_not_open_are_empty(build, compile_program):
    """And what the program opens is none of them."""
    source = (
        "#include <mpi.h>\n#include <stdio.h>\nint main(int argc, char** argv) { MPI_File file; char line[9];\n"
        '  MPI_Init(&argc, &argv); printf("printed\\n"); fflush(stdout);\n'
        "  MPI_File_open(MPI_COMM_WORLD, argv[1], MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);\n"
        "  if (fgets(line, sizeof line, stdin) == NULL)\n"
        '    MPI_File_write(file, "empty", 5, MPI_CHAR, MPI_STATUS_IGNORE);\n'
        '  printf("printed\\n"); MPI_File_close(&file); MPI_Finalize(); return 0; }\n'
    )
    program = compile_program(source)
    written = program.parent / "written"
    command = f"{build}/bin/hindcast run -n 1 {program} {written} <&- >&- 2>&-"
    assert subprocess.run(command, shell=True, check=False, timeout=60).returncode == 0
    assert written.read_text() == "empty"


def test_closed_by_the_program(run_program):
    text = (
        '#include <stdio.h>\nint main(void) { puts("said"); return fclose(stdout) + fclose(stderr) + fclose(stdin); }\n'
    )
    done = run_program(text, 3)
    assert (done.returncode, done.stdout, done.stderr) == (0, "said\n" * 3, "")


def test_much_output_comes_in_order_and_whole(run_program):
    text = (
        "#include <stdio.h>\n#include <unistd.h>\nint main(void) { for (int i = 0; i < 3000; ++i) {\n"
        '  printf("%d of %d, with some words to make it longer\\n", i, getpid()); usleep(7); } }\n'
    )
    done = run_program(text, 4)
    expected = [f"{i} of {1000 + rank}, with some words to make it longer" for i in range(3000) for rank in range(4)]
    assert done.stdout.splitlines() == expected


def test_input_goes_to_rank_0(run_program):
    done = run_program(SOURCES / "input.c", 3, input="one\ntwo\nthree")
    assert done.stdout.splitlines() == [
        "before inputrank 0: one",
        "rank 0: two",
        "rank 0: threerank 0: 3 lines, end 1",
        "before inputrank 1: 0 lines, end 1",
        "before inputrank 2: 0 lines, end 1",
    ]
    done = run_program(SOURCES / "input.c", 3, "read", input="one\ntwo\n")
    assert done.stdout == "rank 0 read 8\nrank 1 read 0\nrank 2 read 0\n"


def test_input_from_a_file_can_be_searched(run_program, hindcast, compile_program, tmp_path):
    text = (
        "#include <stdio.h>\nint main(void) { char line[64]; fgets(line, 64, stdin); fseek(stdin, 0, SEEK_SET);\n"
        "  while (fgets(line, 64, stdin)) fputs(line, stdout); }\n"
    )
    program = compile_program(text)
    (tmp_path / "lines").write_text("one\ntwo\n")
    with (tmp_path / "lines").open() as lines:
        assert hindcast("run", program, stdin=lines).stdout == "one\ntwo\n"
