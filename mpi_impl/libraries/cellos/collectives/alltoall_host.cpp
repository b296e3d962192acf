// All-to-all by the machine's host: it gathers what all have for all, sorts it by receiver, and scatters that.
// Needs: the machine's host.
#include "mpi_impl/collectives/framework/pieces.hpp"
#include "mpi_impl/libraries/cellos/collectives/gather_host.hpp"
#include "mpi_impl/libraries/cellos/collectives/host_blocks.hpp"
#include "mpi_impl/libraries/cellos/collectives/scatter_host.hpp"

namespace hindcast::mpi {

namespace {

// A row of blocks for every rank.
class Matrix {
 public:
  Matrix(Collective& collective, std::size_t bytes_of_block)
      : ranks_(collective.size()),
        bytes_(bytes_of_block),
        memory_(collective.pool(), bytes_ * static_cast<std::size_t>(ranks_) * static_cast<std::size_t>(ranks_)) {}
  Block at(int row, int column) const {
    const auto place =
        static_cast<std::size_t>(row) * static_cast<std::size_t>(ranks_) + static_cast<std::size_t>(column);
    return bytes_at(memory_.bytes() + place * bytes_, bytes_);
  }
  Block row(int row) const { return bytes_at(at(row, 0).data, bytes_ * static_cast<std::size_t>(ranks_)); }
  // For a gather or a scatter: a row for every rank.
  Blocks rows() const { return {memory_.bytes(), row(0).type, row(0).count}; }

 private:
  int ranks_;
  std::size_t bytes_;
  Scratch memory_;
};

Task alltoall_host(Collective& collective, Blocks out, Blocks in) {
  const int host = host_in(collective);
  Assembled sent(collective, out), received(collective, in);
  sent.fill();
  // The host sorts blocks of the length that it receives: who sends longer ones knows that they are cut off.
  note_cut_block(collective, {nullptr, received.of(0).bytes(), sent.of(0).bytes()});
  const Block mine = sent.range(0, collective.size()), result = received.range(0, collective.size());
  if (collective.rank() == host) {
    const Matrix by_sender(collective, received.of(0).bytes()), by_receiver(collective, received.of(0).bytes());
    co_await gather_host(collective, mine, by_sender.rows(), host);
    for (int sender = 0; sender < collective.size(); ++sender)
      for (int receiver = 0; receiver < collective.size(); ++receiver)
        collective.copy(by_sender.at(sender, receiver), by_receiver.at(receiver, sender));
    co_await scatter_host(collective, by_receiver.rows(), result, host);
  } else {
    co_await gather_host(collective, mine, {}, host);
    co_await scatter_host(collective, {}, result, host);
  }
  received.put_back();
}

const Row<Algorithm> alltoall_host_row{{.operation = CollectiveOperation::alltoall,
                                        .place = 70,
                                        .name = "host",
                                        .function = alltoall_host,
                                        .means = means::host,
                                        .needs = need::host,
                                        .cost = "G((n-1) n m) + n (n+2) K(m) + H((n-1) n m)"}};

}  // namespace

}  // namespace hindcast::mpi
