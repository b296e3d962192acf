// The functions of pvm3.h and pvmtev.h that say what a task's children have of it: variables of its environment, and
// which calls are to be traced.
#include "mpi_impl/libraries/pvm/calls/bodies.hpp"
#include "mpi_impl/libraries/pvm/calls/call.hpp"
#include "mpi_impl/libraries/pvm/calls/exports.hpp"
#include "mpi_impl/libraries/pvm/include/pvmtev.h"
#include "simulator/programs/rank_archive/rank_interface.h"

namespace hindcast::pvm {

namespace {

// Variables' names, with colons between.
constexpr std::string_view list_of_exports = "PVM_EXPORT";

char**& environment_of(const Task& task) {
  return *programs::RunningProgram::of(const_cast<Task&>(task).rank()).entry_points().environment;
}

std::vector<std::string> exported_names(const Task& task) {
  std::vector<std::string> names;
  const char* listed = Environment::value_of(environment_of(task), list_of_exports);
  for (std::string_view rest = listed != nullptr ? listed : ""; !rest.empty();) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) names.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return names;
}

int change_exports(Call& call, const char* name, bool is_exported) {
  if (name == nullptr) return PvmBadParam;
  std::vector<std::string> names = exported_names(call.task());
  std::erase(names, name);
  if (is_exported && *name != 0) names.emplace_back(name);
  std::string list;
  for (const std::string& each : names) list += (list.empty() ? "" : ":") + each;
  call.task().environment.set(environment_of(call.task()), list_of_exports, list);
  return PvmOk;
}

bool is_of_whom(int who) { return who == PvmTaskSelf || who == PvmTaskChild; }

}  // namespace

std::vector<std::string> exported_variables(const Task& task) {
  std::vector<std::string> names = exported_names(task);
  if (!names.empty()) names.emplace_back(list_of_exports);
  std::vector<std::string> variables;
  for (const std::string& name : names)
    if (const char* value = Environment::value_of(environment_of(task), name)) variables.push_back(name + "=" + value);
  return variables;
}

namespace bodies {

int pvm_export(Call& call, char* name) { return call.done(change_exports(call, name, true)); }

int pvm_unexport(Call& call, char* name) { return call.done(change_exports(call, name, false)); }

}  // namespace bodies

}  // namespace hindcast::pvm

using namespace hindcast::pvm;

extern "C" {

int pvm_settmask(int who, Pvmtmask mask) {
  Call call("pvm_settmask");
  if (!is_of_whom(who) || mask == nullptr) return call.done(PvmBadParam);
  call.task().trace_mask(who).assign(mask, strnlen(mask, TEV_MASK_LENGTH - 1));
  return call.done(PvmOk);
}

int pvm_gettmask(int who, Pvmtmask mask) {
  Call call("pvm_gettmask");
  if (!is_of_whom(who) || mask == nullptr) return call.done(PvmBadParam);
  TEV_MASK_INIT(mask);
  const std::string& kept = call.task().trace_mask(who);
  std::copy(kept.begin(), kept.end(), mask);
  return call.done(PvmOk);
}
}
