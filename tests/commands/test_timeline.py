"""hindcast run --timeline: a row a rank, with its calls, its waits and the messages."""

import re
import xml.etree.ElementTree as ET

import pytest

PROGRAM = """
#include <mpi.h>
#include <hindcast.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, word = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (rank == 0) {
    hindcast_compute_seconds(8e-6);
    for (int to = 1; to < size; ++to) MPI_Send(&word, 1, MPI_INT, to, 0, MPI_COMM_WORLD);
  } else {
    MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Finalize();
  return 0;
}
"""


def boxes(picture, kind):
    return [box for box in picture.iter("{http://www.w3.org/2000/svg}rect") if box.get("class") == kind]


@pytest.mark.parametrize("ranks", [2, 64])
@pytest.mark.parametrize("mode", [[], ["--lockstep"]])
def test_a_timeline_shows_calls_waits_and_messages(run_program, tmp_path, ranks, mode):
    done = run_program(PROGRAM, ranks, launcher=[*mode, "--timeline", tmp_path / "out.svg"])
    assert (done.returncode, done.stderr) == (0, "")
    picture = ET.parse(tmp_path / "out.svg").getroot()
    texts = [text.text for text in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert [f"rank {rank}" in texts for rank in range(ranks)] == [True] * ranks
    titles = [title.text for title in picture.iter("{http://www.w3.org/2000/svg}title")]
    assert any(re.fullmatch(r"rank 0: MPI_Send, 8 us to 9\.\d+ us", title) for title in titles)
    assert sum("MPI_Recv, 0 ns to " in title for title in titles) == ranks - 1
    assert sum("MPI_Send, " in title for title in titles) == ranks - 1
    (computes,) = [box for box in boxes(picture, "c") if float(box.get("width")) != 14]
    waits = sorted(float(box.get("width")) for box in boxes(picture, "w") if float(box.get("width")) != 14)
    assert len(waits) >= ranks - 1
    assert waits[1 - ranks] > float(computes.get("width"))
    messages = [path for path in picture.iter("{http://www.w3.org/2000/svg}path") if path.get("class") == "m"]
    assert len(messages) >= ranks - 1
    assert float(picture.get("height")) < 1000


TO_AND_FRO = """
#include <mpi.h>
#include <hindcast.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, word = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < atoi(argv[1]); ++i) {
    if (rank == i % 2) MPI_Send(&word, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    if (rank != i % 2) MPI_Recv(&word, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    hindcast_compute_seconds(1e-6);
  }
  MPI_Finalize();
  return 0;
}
"""


def shares(picture, kind):
    """Of the ranks' time: how much of the two rows boxes of this kind take."""
    drawn = [box for box in boxes(picture, kind) if box.get("width") != "14"]
    area = sum(float(box.get("width")) * float(box.get("height")) for box in drawn)
    height = 0.65 * max(float(box.get("height")) for box in boxes(picture, "k"))  # the rest shows the call
    return area / (2 * 1130 * height)


def test_what_is_too_short_to_be_drawn_by_itself_is_drawn_as_shares(run_program, tmp_path):
    pictures = []
    for times in (20, 20_000):
        file = tmp_path / f"{times}.svg"
        run_program(TO_AND_FRO, 2, str(times), launcher=["--timeline", file])
        pictures.append(ET.parse(file).getroot())
    for kind in "cw":
        few, many = (shares(picture, kind) for picture in pictures)
        assert few > 0.1
        assert many == pytest.approx(few, rel=0.1)
    titles = [title.text for title in pictures[1].iter("{http://www.w3.org/2000/svg}title")]
    assert sum(re.fullmatch(r"rank [01]: MPI_Recv \d+, MPI_Send \d+", title) is not None for title in titles) > 2000
    for rank in (0, 1):
        calls = [title for title in titles if title.startswith(f"rank {rank}: ")]
        assert sum(int(n) for title in calls for n in re.findall(r"MPI_Send (\d+)", title)) == 10_000


def test_a_timeline_is_the_same_each_time_and_changes_nothing(run_program, tmp_path):
    for name in ("first", "second"):
        run_program(PROGRAM, 5, launcher=["--timeline", tmp_path / name])
    assert (tmp_path / "first").read_bytes() == (tmp_path / "second").read_bytes()


def test_what_cannot_be_written_is_refused_before_the_run(run_program, tmp_path):
    done = run_program(PROGRAM, 2, launcher=["--timeline", tmp_path / "none" / "out.svg"])
    assert done.returncode == 1
    assert "--timeline" in done.stderr
    assert "cannot be written" in done.stderr


def test_steps_are_counted_beside_a_timeline(run_program, tmp_path):
    done = run_program(PROGRAM, 2, launcher=["--timeline", tmp_path / "a", "--count", tmp_path / "b"])
    assert (done.returncode, done.stderr) == (0, "")
    run_program(PROGRAM, 2, launcher=["--timeline", tmp_path / "c"])
    run_program(PROGRAM, 2, launcher=["--count", tmp_path / "d"])
    assert (tmp_path / "a").read_bytes() == (tmp_path / "c").read_bytes()
    assert (tmp_path / "b").read_bytes() == (tmp_path / "d").read_bytes()
