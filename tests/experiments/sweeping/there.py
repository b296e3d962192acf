"""The program of the tests of sweeps, small sweeps of it, and what they leave."""

import hashlib
import json

# PROGRAM BYTES [WORD]: rank 0 sends to rank 1, which answers. Each run leaves a letter in the file "started". With the
# words of the files that are there a run fails, or does not end.
PROGRAM = r"""
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int bytes = atoi(argv[1]);
  const char* word = argc > 2 ? argv[2] : "none";
  if (rank == 0) fputs("x", fopen("started", "a"));
  fflush(NULL);
  if (rank == 0 && access("fails", F_OK) == 0 && word[0] == 'f') {
    fprintf(stderr, "no luck\nand more of it\n");
    exit(7);
  }
  while (access("endless", F_OK) == 0 && word[0] == 'e') fclose(fopen("going", "w"));
  char* data = calloc(bytes + 1, 1);
  const double start = MPI_Wtime();
  if (rank == 0) MPI_Send(data, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD);
  if (rank == 0) MPI_Recv(data, 0, MPI_BYTE, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Recv(data, bytes, MPI_BYTE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 1) MPI_Send(data, 0, MPI_BYTE, 0, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("bytes,ranks,time_us\n%d,%d,%.6f\n", bytes, ranks, (MPI_Wtime() - start) * 1e6);
  MPI_Finalize();
  return 0;
}
"""
SILENT = "#include <mpi.h>\nint main(int n, char** words) { MPI_Init(&n, &words); MPI_Finalize(); return 0; }\n"

LATENCY = "network.hop_latency"
SMALL = ("-n", "2,4", "--set", f"{LATENCY}=1 us,3 us", "--with", "bytes=8,4000", "--", "./there", "{bytes}")
WORDS = ("-n", "2", "--with", "word=quick,f,e", "--", "./there", "8", "{word}")


def head_and_table(path):
    lines = path.read_text().splitlines(keepends=True)
    return [line[2:-1] for line in lines if line.startswith("# ")], "".join(
        line for line in lines if not line.startswith("#")
    )


def sha256(file):
    return hashlib.sha256(file.read_bytes()).hexdigest()


def started(folder):
    """How many runs there were so far."""
    return len((folder / "started").read_text()) if (folder / "started").exists() else 0


def kept_runs(folder):
    return {file: json.loads(file.read_text()) for file in (folder / "runs").glob("*.json")}
