#include "mpi_impl/libraries/common/native.hpp"

namespace hindcast {

void attach(Rank& rank, Native& part) {
  part.next = static_cast<Native*>(rank.native);
  rank.native = &part;
}

void detach(Rank& rank, Native& part) {
  if (rank.native == &part) {
    rank.native = part.next;
    return;
  }
  auto* before = static_cast<Native*>(rank.native);
  while (before->next != &part) before = before->next;
  before->next = part.next;
}

}  // namespace hindcast
