// Processes that start others.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <system_error>

#include "mpi_impl/core/communicators/agreement.hpp"
#include "mpi_impl/core/processes/at_clock.hpp"
#include "mpi_impl/core/processes/bearing.hpp"
#include "mpi_impl/core/processes/on_root.hpp"
#include "mpi_impl/transport/contexts.hpp"

namespace hindcast::mpi::body {

namespace {

std::string in_path(const std::string& command, const std::string& path) {
  if (command.find('/') != std::string::npos) return command;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string file = path.substr(begin, end - begin) + "/" + command;
    std::error_code none;
    if (end > begin && std::filesystem::is_regular_file(file, none) && ::access(file.c_str(), X_OK) == 0) return file;
    begin = end + 1;
  }
  return command;
}

WantedBirth wanted_birth(const char* command, char** arguments, int ranks, const Info* info) {
  WantedBirth wanted{{command, {}, {}, ranks}, {}};
  const bool has_arguments = arguments != nullptr && arguments != MPI_ARGV_NULL;
  for (char** argument = arguments; has_arguments && *argument != nullptr; ++argument)
    wanted.birth.arguments.emplace_back(*argument);
  if (info == nullptr) return wanted;
  if (const std::string* directory = info->hints.find("wdir")) wanted.birth.working_directory = *directory;
  if (const std::string* path = info->hints.find("path")) wanted.birth.program = in_path(command, *path);
  if (const std::string* soft = info->hints.find("soft")) {
    wanted.soft = Soft::parse(*soft);
    if (!wanted.soft)
      throw Error{MPI_ERR_SPAWN, fmt::format("the info key soft is '{}', which is no list of numbers, first:last or "
                                             "first:last:stride",
                                             *soft)};
  }
  return wanted;
}

// How many processes there are to be of each command, and how many there are: what the root knows, all come to know.
std::vector<int> numbers_of_root(Process& process, Comm& comm, int root, std::vector<int> numbers) {
  std::size_t count = numbers.size();
  broadcast_from(process, comm, root, writable_bytes_of(count));
  numbers.resize(count);
  broadcast_from(process, comm, root, std::as_writable_bytes(std::span(numbers)));
  return numbers;
}

void give_codes(const std::vector<int>& asked, const std::vector<int>& born, int* codes) {
  if (codes == MPI_ERRCODES_IGNORE || codes == nullptr) return;
  for (std::size_t i = 0; i < asked.size(); ++i)
    for (int process = 0; process < asked[i]; ++process) *codes++ = process < born[i] ? MPI_SUCCESS : MPI_ERR_SPAWN;
}

// Of the parents with their children, where members have to be ready for it: the parents are when this returns.
std::uint32_t context_of_family(Process& process, Comm& comm, const std::vector<int>& asked) {
  NewGroups groups = groups_of(comm);
  groups.to_be_born = std::accumulate(asked.begin(), asked.end(), 0);
  return agree_on_context(process, comm, groups);
}

struct Born {
  const World::Cohort* cohort;
  std::vector<int> numbers;  // of each command
};

// Who has just said goodbye to its parents has its place until it has come to its end.
Born bear_when_there_is_room(Process& process, const std::vector<WantedBirth>& wanted, const GroupPointer& parents,
                             std::uint32_t context) {
  for (;;) {
    const Bearing bearing(process, wanted, parents, context);
    if (bearing.cohort() != nullptr) return {bearing.cohort(), bearing.born()};
    LookInVain(process, "for processes to be started");
    if (!bearing.may_succeed_later()) throw Error{MPI_ERR_SPAWN, bearing.problem()};
  }
}

// `list_wanted` is called on the root.
template <typename ListWanted>
void spawn(Process& process, Comm& comm, int root, const ListWanted& list_wanted, MPI_Comm& handle, int* codes) {
  std::vector<WantedBirth> wanted;
  on_root_for_all(process, comm, root, [&] { wanted = list_wanted(); });
  std::vector<int> asked;
  for (const WantedBirth& each : wanted) asked.push_back(each.birth.ranks);
  asked = numbers_of_root(process, comm, root, std::move(asked));
  std::vector<int> born(asked.size());
  struct {
    std::uint32_t context = 0;
    int first_child = 0;  // in the world
  } family;
  Contexts* const limited = process.endpoint().contexts();
  try {
    if (limited != nullptr) family.context = context_of_family(process, comm, asked);
    on_root_for_all(process, comm, root, [&] {
      if (limited == nullptr) family.context = process.world().new_context();
      const Born children = bear_when_there_is_room(process, wanted, comm.group, family.context);
      born = children.numbers;
      family.first_child = children.cohort->group.world_rank(0);
    });
  } catch (const Error&) {
    if (family.context != 0 && limited != nullptr) limited->leave(family.context);
    give_codes(asked, born, codes);
    throw;
  }
  broadcast_from(process, comm, root, writable_bytes_of(family));
  give_codes(asked, numbers_of_root(process, comm, root, std::move(born)), codes);
  const GroupPointer& children = process.world().cohort_of(family.first_child).pointer;
  Comm& intercomm = make_intercomm(process, family.context, comm.group, children, *comm.errhandler);
  meet(process, intercomm);  // the children are in MPI_Init
  handle = intercomm.handle;
}

}  // namespace

void Comm_spawn(Process& process, const char* command, char** arguments, int ranks, const Info* info, int root,
                Comm& comm, MPI_Comm& handle, int* codes) {
  const auto list_wanted = [&] { return std::vector{wanted_birth(command, arguments, ranks, info)}; };
  spawn(process, comm, root, list_wanted, handle, codes);
}

void Comm_spawn_multiple(Process& process, int count, char** commands, char*** arguments, const int* ranks,
                         const MPI_Info* infos, int root, Comm& comm, MPI_Comm& handle, int* codes) {
  const bool has_arguments = arguments != nullptr && arguments != MPI_ARGVS_NULL;
  const auto list_wanted = [&] {
    std::vector<WantedBirth> wanted;
    for (int i = 0; i < count; ++i)
      wanted.push_back(
          wanted_birth(commands[i], has_arguments ? arguments[i] : nullptr, ranks[i], process.infos.find(infos[i])));
    return wanted;
  };
  spawn(process, comm, root, list_wanted, handle, codes);
}

void Comm_get_parent(Process& process, MPI_Comm& handle) {
  handle = process.parent != nullptr ? process.parent->handle : MPI_COMM_NULL;
}

}  // namespace hindcast::mpi::body
