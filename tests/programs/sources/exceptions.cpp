// Each rank rethrows its own exception, though others have thrown theirs meanwhile, and unwinds through deep frames.
#include <unistd.h>

#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>

struct Guard {
  explicit Guard(int& counted) : count(counted) {}
  ~Guard() { ++count; }
  int& count;
};

void dive(int depth, int rank, int& unwound) {
  Guard guard(unwound);
  usleep(1);
  if (depth == 0) throw std::runtime_error("of rank " + std::to_string(rank));
  dive(depth - 1, rank, unwound);
}

int main() {
  const int rank = getpid() - 1000;
  const std::string expected = "of rank " + std::to_string(rank);
  int right = 0;
  int unwound = 0;
  for (int turn = 0; turn < 5; ++turn) {
    try {
      try {
        dive(rank + 3, rank, unwound);
      } catch (const std::exception&) {
        usleep(7 + static_cast<unsigned>(rank));  // other ranks throw, catch and rethrow now
        if (std::uncaught_exceptions() != 0) return 2;
        throw;
      }
    } catch (const std::runtime_error& error) {
      const std::exception_ptr kept = std::current_exception();
      usleep(3);
      if (error.what() == expected && kept == std::current_exception()) ++right;
    }
  }
  if (right != 5 || unwound != 5 * (rank + 4)) {
    std::cout << "rank " << rank << ": " << right << " right, " << unwound << " unwound" << std::endl;
    return 1;
  }
}
