// How a rank has others born: at its clock whoever started the run is asked, and the rank waits for what comes of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/processes/soft.hpp"

namespace hindcast::mpi {

struct WantedBirth {
  Birth birth;
  std::optional<Soft> soft;  // fewer will do
};

class Bearing {
 public:
  // The children's remote group are the parents, in a communicator with this context.
  Bearing(Process& process, const std::vector<WantedBirth>& wanted, GroupPointer parents, std::uint32_t context);

  // Null if none was born: `problem` says why, unless they may be later.
  const World::Cohort* cohort() const { return cohort_; }
  // Places are about to come free, and with them there will be more than there would be now.
  bool may_succeed_later() const { return may_succeed_later_; }
  const std::string& problem() const { return problem_; }
  // How many of each.
  const std::vector<int>& born() const { return born_; }

 private:
  void bear(Process& process, const std::vector<WantedBirth>& wanted, GroupPointer parents, std::uint32_t context);
  static int number_with(const std::vector<WantedBirth>& wanted, int places);
  static std::vector<Birth> what_there_is_room_for(const std::vector<WantedBirth>& wanted, int places);

  World& world_;
  const World::Cohort* cohort_ = nullptr;
  std::string problem_;
  bool may_succeed_later_ = false;
  std::vector<int> born_;
};

}  // namespace hindcast::mpi
