// Scan by recursive doubling: in round k each rank tells the one 2^k further on what the last 2^k ranks have come to,
// and puts what it hears before its own.
// Needs: nothing. Rank 0, which only sends, copies its operand; an operation of the program's own takes two copies
// more.
#include <bit>

#include "mpi_impl/collectives/framework/algorithm.hpp"
#include "mpi_impl/collectives/scan/running_sum.hpp"

namespace hindcast::mpi {

namespace {

Task scan_recursive_doubling(Collective& collective, Block mine, Block result) {
  const int rank = collective.rank();
  const int rounds_heard = std::bit_width(static_cast<unsigned>(rank));
  RunningSum sum(collective, mine, result, rounds_heard);
  for (int distance = 1; distance < collective.size(); distance *= 2) {
    const int to = rank + distance < collective.size() ? rank + distance : MPI_PROC_NULL;
    const int from = rank >= distance ? rank - distance : MPI_PROC_NULL;
    co_await sum.exchange(to, from, true);
  }
  sum.put_in_result();
}

const Row<Algorithm> scan_recursive_doubling_row{{.operation = CollectiveOperation::scan,
                                                  .place = 10,
                                                  .name = "recursive_doubling",
                                                  .function = scan_recursive_doubling,
                                                  .means = means::messages,
                                                  .cost = "doubling(n: m, C(m), K(m))"}};

}  // namespace

}  // namespace hindcast::mpi
