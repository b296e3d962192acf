// Processes that start others.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <numeric>

#include "mpi_impl/core/communicators/agreement.hpp"
#include "mpi_impl/core/processes/bearing.hpp"

namespace hindcast::mpi::body {

namespace {

// What all parents have to know of it; the problem's text follows, if there is one.
struct Outcome {
  std::uint32_t context = 0;
  int first_child = 0;  // in the world
  int commands = 0;
  std::uint64_t problem_length = 0;
};

std::string in_path(const std::string& command, const std::string& path) {
  if (command.find('/') != std::string::npos) return command;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    const std::string file = path.substr(begin, end - begin) + "/" + command;
    if (end > begin && access(file.c_str(), X_OK) == 0) return file;
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

// What is known on the root alone becomes known to all: the record, then as many ints as each command has processes,
// asked for and born, or why there are none.
struct Born {
  Outcome outcome;
  std::vector<int> asked;
  std::vector<int> born;
  std::string problem;
};

Born bear_on_root(Process& process, Comm& comm, const std::vector<WantedBirth>& wanted) {
  Born result;
  for (const WantedBirth& each : wanted) result.asked.push_back(each.birth.ranks);
  result.outcome.commands = static_cast<int>(wanted.size());
  result.outcome.context =
      take_context(process, comm.size + std::accumulate(result.asked.begin(), result.asked.end(), 0));
  const Bearing bearing(process, wanted, comm.group, result.outcome.context);
  result.born = bearing.born();
  result.problem = bearing.problem();
  result.outcome.problem_length = result.problem.size();
  if (bearing.cohort() != nullptr) result.outcome.first_child = bearing.cohort()->group.world_rank(0);
  return result;
}

void tell_all(Process& process, Comm& comm, int root, Born& result) {
  broadcast_from(process, comm, root, writable_bytes_of(result.outcome));
  result.problem.resize(result.outcome.problem_length);
  result.asked.resize(static_cast<std::size_t>(result.outcome.commands));
  result.born.resize(result.asked.size());
  broadcast_from(process, comm, root, std::as_writable_bytes(std::span(result.asked)));
  if (result.outcome.problem_length > 0)
    broadcast_from(process, comm, root, std::as_writable_bytes(std::span(result.problem)));
  else
    broadcast_from(process, comm, root, std::as_writable_bytes(std::span(result.born)));
}

void give_codes(const Born& result, int* codes) {
  if (codes == MPI_ERRCODES_IGNORE || codes == nullptr) return;
  for (std::size_t i = 0; i < result.asked.size(); ++i)
    for (int process = 0; process < result.asked[i]; ++process)
      *codes++ = process < result.born[i] ? MPI_SUCCESS : MPI_ERR_SPAWN;
}

void spawn(Process& process, Comm& comm, int root, const std::vector<WantedBirth>& wanted, MPI_Comm& handle,
           int* codes) {
  Born result;
  if (comm.rank == root) result = bear_on_root(process, comm, wanted);
  tell_all(process, comm, root, result);
  give_codes(result, codes);
  if (result.outcome.problem_length > 0) throw Error{MPI_ERR_SPAWN, result.problem};
  const GroupPointer& children = process.world().cohort_of(result.outcome.first_child).pointer;
  Comm& intercomm = make_intercomm(process, result.outcome.context, comm.group, children, *comm.errhandler);
  meet(process, intercomm);  // the children are in MPI_Init
  handle = intercomm.handle;
}

}  // namespace

void Comm_spawn(Process& process, const char* command, char** arguments, int ranks, const Info* info, int root,
                Comm& comm, MPI_Comm& handle, int* codes) {
  std::vector<WantedBirth> wanted;
  if (comm.rank == root) wanted.push_back(wanted_birth(command, arguments, ranks, info));
  spawn(process, comm, root, wanted, handle, codes);
}

void Comm_spawn_multiple(Process& process, int count, char** commands, char*** arguments, const int* ranks,
                         const MPI_Info* infos, int root, Comm& comm, MPI_Comm& handle, int* codes) {
  const bool has_arguments = arguments != nullptr && arguments != MPI_ARGVS_NULL;
  std::vector<WantedBirth> wanted;
  for (int i = 0; comm.rank == root && i < count; ++i)
    wanted.push_back(
        wanted_birth(commands[i], has_arguments ? arguments[i] : nullptr, ranks[i], process.infos.find(infos[i])));
  spawn(process, comm, root, wanted, handle, codes);
}

void Comm_get_parent(Process& process, MPI_Comm& handle) {
  handle = process.parent != nullptr ? process.parent->handle : MPI_COMM_NULL;
}

}  // namespace hindcast::mpi::body
