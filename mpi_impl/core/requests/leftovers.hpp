// What a program has begun and never brought to an end: requests that it has not completed by MPI_Finalize, and
// messages that no receive has taken. Both are erroneous (MPI-4.0, 11.2.2), and most machines let them pass. A run that
// is told to look for them says so at its end.
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "simulator/programs/places/program_place.hpp"

namespace hindcast::mpi {

class Process;
class World;
struct Request;

class Leftovers {
 public:
  // In the call by which the program begins it.
  [[gnu::cold, gnu::noinline]] void keep_place(const Request& request);
  // Where that was.
  programs::ProgramPlace place_of(const Request& request) const { return places_.at(&request); }
  // By a rank in MPI_Finalize.
  void look_at_requests(Process& process);
  // A line each rank and place, not more than a reader wants to see.
  std::vector<std::string> lines(World& world) const;

 private:
  // Where each was begun that is in use. One that has gone is forgotten when another takes its place.
  std::unordered_map<const Request*, programs::ProgramPlace> places_;
  std::map<int, std::string> lines_on_requests_;  // by rank
};

}  // namespace hindcast::mpi
