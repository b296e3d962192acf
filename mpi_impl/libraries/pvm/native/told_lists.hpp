// Lists that calls have told a program of, which has pointers into them until it asks again.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "mpi_impl/libraries/pvm/include/pvm3.h"

namespace hindcast::pvm {

// The tasks may have gone meanwhile.
struct ToldTasks {
  std::deque<std::string> names;
  std::vector<pvmtaskinfo> infos;
};

struct ToldMailboxes {
  std::deque<std::string> names;
  std::deque<std::vector<int>> numbers;  // of each: indices, owners, flags
  std::vector<pvmmboxinfo> infos;
};

// What a program in Fortran, which has no pointers to lists, goes through by one call an entry: it stays as it was at
// the first of these calls until the list is at its end. Index 0 is before the first one.
struct ListsGoneThrough {
  std::vector<pvmhostinfo> hosts;
  int archs = 0;
  std::size_t next_host = 0;
  ToldTasks tasks;
  std::size_t next_task = 0;
  ToldMailboxes mailboxes;
  bool has_mailboxes = false;
  std::size_t next_mailbox = 0;
};

}  // namespace hindcast::pvm
