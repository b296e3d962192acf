// What a program has begun and never brought to an end: requests that it has not completed by MPI_Finalize, and
// messages that no receive has taken. Both are erroneous (MPI-4.0, 11.2.2), and most machines let them pass. A run that
// is told to look for them says so at its end.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace hindcast::mpi {

class Process;
class World;

class Leftovers {
 public:
  // By a rank in MPI_Finalize.
  void look_at_requests(Process& process);
  // A line each rank and place, not more than a reader wants to see.
  std::vector<std::string> lines(World& world) const;

 private:
  std::map<int, std::string> lines_on_requests_;  // by rank
};

}  // namespace hindcast::mpi
