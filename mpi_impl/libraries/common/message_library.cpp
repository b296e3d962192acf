#include "mpi_impl/libraries/common/message_library.hpp"

#include <algorithm>
#include <iterator>

namespace hindcast {

namespace {

struct NamedLibrary {
  const char* name;
  MakeMessageLibrary make;
};
constexpr NamedLibrary libraries[] = {
    {"plain", make_plain_library},
    {"cellos", make_cellos_library},
    {"t3e", make_t3e_library},
};

}  // namespace

std::unique_ptr<MessageLibrary> MessageLibrary::make(Engine& engine, Machine& machine, int ranks,
                                                     const mpi::CollectiveChoices& choices, const EndRun& end_run) {
  std::vector<std::string> names;
  for (const NamedLibrary& row : libraries) names.emplace_back(row.name);
  const std::string name = machine.parameters().choice("messages.library", names);
  const auto row =
      std::find_if(std::begin(libraries), std::end(libraries), [&](const NamedLibrary& r) { return r.name == name; });
  return row->make(engine, machine, ranks, choices, end_run);
}

std::string MessageLibrary::complaint_at_exit(const Rank& rank) {
  const mpi::Process* process = mpi::Process::of(rank);
  const bool is_open = process != nullptr && process->phase == mpi::Process::Phase::initialized;
  return is_open ? "without calling MPI_Finalize" : std::string();
}

}  // namespace hindcast
