// A library, where LIBRARY is defined, and the program that uses it: that prints a third with as many digits as this
// rank has told the library, and what the library has thrown.
void set_digits(int digits);
void tell(double number);
void fail();

#ifdef LIBRARY

#include <iostream>
#include <stdexcept>

void set_digits(int digits) { std::cout.precision(digits); }

void tell(double number) { std::cout << number << std::endl; }

void fail() { throw std::runtime_error("failed"); }

#else

#include <mpi.h>

#include <cstdio>
#include <stdexcept>

int main(int argc, char** argv) {
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  set_digits(rank + 1);
  MPI_Barrier(MPI_COMM_WORLD);
  tell(1.0 / 3);
  try {
    fail();
  } catch (const std::runtime_error& error) {
    MPI_Barrier(MPI_COMM_WORLD);
    std::printf("%s\n", error.what());
  }
  MPI_Finalize();
  return 0;
}

#endif
