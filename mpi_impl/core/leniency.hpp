// What a program relies on that the standard does not promise, though every MPI takes it. A run that is told to look
// for it says so at its end.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace hindcast::mpi {

struct Datatype;
struct Op;

class Leniency {
 public:
  // By a rank, of what an operation is to combine.
  void look_at(const char* call, int rank, const Op& op, const Datatype& type);
  // Each once, with the first of the ranks.
  std::vector<std::string> lines() const;

 private:
  std::map<std::string, int> first_ranks_;
};

}  // namespace hindcast::mpi
