// How long it takes to broadcast an array that is new, is known, and is new again: at the same address, after the first
// was given back.
#include <mpi.h>
#include <sys/mman.h>

#include <cstdio>
#include <cstdlib>

// Of a shared library of the program's own.
extern "C" void library_gives_back(void* array);

namespace {

constexpr int bytes = 40'000;

struct Way {
  const char* name;
  char* (*get)();
  void (*give_back)(char* array);
};

char* mapped() {
  return static_cast<char*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

char* allocated() { return static_cast<char*>(std::malloc(bytes)); }

const Way ways[] = {
    {"free", allocated, [](char* array) { std::free(array); }},
    {"realloc", allocated, [](char* array) { std::free(std::realloc(array, bytes)); }},
    {"delete", [] { return new char[bytes]; }, [](char* array) { delete[] array; }},
    {"munmap", mapped, [](char* array) { munmap(array, bytes); }},
    {"library", allocated, [](char* array) { library_gives_back(array); }},
};

double time_of_broadcast(char* array) {
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  MPI_Bcast(array, bytes, MPI_CHAR, 0, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime() - begin;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (const Way& way : ways) {
    char* array = way.get();
    const auto address = reinterpret_cast<std::size_t>(array);
    const double first = time_of_broadcast(array);
    const double known = time_of_broadcast(array);
    way.give_back(array);
    array = way.get();
    const double anew = time_of_broadcast(array);
    if (rank == 0)
      std::printf("%s %s %.9f %.9f %.9f\n", way.name,
                  reinterpret_cast<std::size_t>(array) == address ? "there" : "elsewhere", first, known, anew);
    way.give_back(array);
  }
  MPI_Finalize();
}
