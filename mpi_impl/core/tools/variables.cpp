#include "mpi_impl/core/tools/variables.hpp"

#include <algorithm>
#include <cstring>
#include <iterator>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/tools/tools.hpp"

namespace hindcast::mpi {

namespace {

struct FunctionRow {
  const char* name;
  const char* chapter;
};
constexpr FunctionRow function_rows[] = {
#include "mpi_impl/core/call_names.inc"
};

struct ObjectsRow {
  const char* name;
  std::size_t (*count)(Process&);
};
constexpr ObjectsRow objects_rows[] = {
    {"communicators", [](Process& process) { return process.comms.count(); }},
    {"groups", [](Process& process) { return process.groups.count(); }},
    {"requests", [](Process& process) { return process.requests.count(); }},
    {"operations", [](Process& process) { return process.ops.count(); }},
    {"error handlers", [](Process& process) { return process.errhandlers.count(); }},
    {"info objects", [](Process& process) { return process.infos.count(); }},
    {"keys of attributes", [](Process& process) { return process.keyvals.count(); }},
};

constexpr std::size_t first_of_functions = 1 + std::size(objects_rows);  // behind the phase; two of each
constexpr std::size_t all_variables = first_of_functions + 2 * std::size(function_rows);

int phase_of(const Process& process) {
  switch (process.phase) {
    case Process::Phase::before_init:
      return 0;
    case Process::Phase::initialized:
    case Process::Phase::restricted:
      return process.is_in_finalize ? 2 : 1;
    case Process::Phase::finalized:
      break;
  }
  return 3;
}

}  // namespace

int PerformanceVariable::of_class() const {
  switch (what) {
    case What::phase:
      return MPI_T_PVAR_CLASS_STATE;
    case What::objects:
      return MPI_T_PVAR_CLASS_LEVEL;
    case What::calls:
      return MPI_T_PVAR_CLASS_COUNTER;
    case What::time:
      break;
  }
  return MPI_T_PVAR_CLASS_TIMER;
}

MPI_Datatype PerformanceVariable::type() const {
  if (what == What::phase) return MPI_INT;
  return what == What::time ? MPI_DOUBLE : MPI_UNSIGNED_LONG_LONG;
}

int performance_variables() { return static_cast<int>(all_variables); }

PerformanceVariable performance_variable(int number) {
  using What = PerformanceVariable::What;
  const auto index = static_cast<std::size_t>(number);
  if (number < 0 || index >= all_variables) throw Error{MPI_T_ERR_INVALID_INDEX, ""};
  if (index == 0) return {What::phase, 0, "phase", "how far the rank is: before MPI_Init, between, ..."};
  if (index < first_of_functions) {
    const std::string name = objects_rows[index - 1].name;
    return {What::objects, index - 1, name, "how many " + name + " the rank has by now, predefined ones among them"};
  }
  const std::size_t row = (index - first_of_functions) / 2;
  const std::string function = function_rows[row].name;
  if ((index - first_of_functions) % 2 == 0)
    return {What::calls, row, "calls of " + function, "how often the rank has called " + function};
  return {What::time, row, "time in " + function, "simulated seconds that the rank has been in " + function};
}

std::uint64_t amount_of(Process& process, const PerformanceVariable& variable) {
  switch (variable.what) {
    case PerformanceVariable::What::phase:
      return static_cast<std::uint64_t>(phase_of(process));
    case PerformanceVariable::What::objects:
      return objects_rows[variable.row].count(process);
    case PerformanceVariable::What::calls:
      return process.tools().calls_of(function_rows[variable.row].name).count;
    case PerformanceVariable::What::time:
      break;
  }
  return static_cast<std::uint64_t>(process.tools().calls_of(function_rows[variable.row].name).time.in_ps());
}

namespace {

template <typename T>
void put(T value, void* place) {
  std::memcpy(place, &value, sizeof value);
}
template <typename T>
T get(const void* place) {
  T value{};
  std::memcpy(&value, place, sizeof value);
  return value;
}

}  // namespace

void put_amount(const PerformanceVariable& variable, std::uint64_t amount, void* place) {
  if (variable.type() == MPI_INT) return put(static_cast<int>(amount), place);
  if (variable.type() == MPI_DOUBLE) return put(Time::ps(static_cast<std::int64_t>(amount)).in_seconds(), place);
  put(static_cast<unsigned long long>(amount), place);
}

std::uint64_t get_amount(const PerformanceVariable& variable, const void* place) {
  if (variable.type() == MPI_DOUBLE) return static_cast<std::uint64_t>(Time::from_seconds(get<double>(place)).in_ps());
  return get<unsigned long long>(place);
}

std::span<const char* const> names_of_phases() {
  static constexpr const char* names[] = {"before MPI_Init", "initialized", "in MPI_Finalize", "finalized"};
  return names;
}

// The machine's keys, the objects, and the calls of each chapter of the standard's.
std::vector<Category> categories(int controls) {
  std::vector<Category> all = {{"machine", "what the machine's file says", {}, {}, {}},
                               {"objects", "what the rank has by now", {}, {}, {}},
                               {"calls", "calls of MPI's functions, a category a chapter", {}, {}, {}}};
  for (int control = 0; control < controls; ++control) all[0].controls.push_back(control);
  for (std::size_t index = 0; index < first_of_functions; ++index) all[1].variables.push_back(static_cast<int>(index));
  for (std::size_t row = 0; row < std::size(function_rows); ++row) {
    const char* chapter = function_rows[row].chapter;
    auto found = std::ranges::find(all.begin() + 3, all.end(), chapter, &Category::name);
    if (found == all.end()) {
      all[2].categories.push_back(static_cast<int>(all.size()));
      found = all.insert(all.end(), {chapter, std::string("calls of functions for ") + chapter, {}, {}, {}});
    }
    const auto first = static_cast<int>(first_of_functions + 2 * row);
    found->variables.insert(found->variables.end(), {first, first + 1});
  }
  return all;
}

}  // namespace hindcast::mpi
