// The interface for tools as a whole, enumerations, and control variables: what the machine's file says, to be read.
#include <algorithm>
#include <cstring>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/tools/tools.hpp"

namespace hindcast::mpi {

void give_to_tool(std::string_view text, char* place, int* length) {
  if (length == nullptr) return;
  if (place != nullptr && *length > 0) {
    const std::size_t given = std::min(text.size(), static_cast<std::size_t>(*length) - 1);
    text.copy(place, given);
    place[given] = '\0';
  }
  *length = static_cast<int>(text.size()) + 1;
}

namespace body {

namespace {

std::span<const char* const> items_of(MPI_T_enum enumeration) {
  if (enumeration != HINDCAST_PHASES) throw Error{MPI_T_ERR_INVALID_HANDLE, ""};
  return names_of_phases();
}

const Setting& setting(Process& process, int number) {
  const std::vector<Setting>& settings = process.world().settings();
  if (number < 0 || static_cast<std::size_t>(number) >= settings.size()) throw Error{MPI_T_ERR_INVALID_INDEX, ""};
  return settings[static_cast<std::size_t>(number)];
}

ControlHandle& control_of(Process& process, MPI_T_cvar_handle handle) {
  ControlHandle* found = process.tools().controls.find(handle);
  if (found == nullptr) throw Error{MPI_T_ERR_INVALID_HANDLE, ""};
  return *found;
}

}  // namespace

void T_init_thread(Process& process, int required, int* provided) {
  ++process.tools().initializations;
  give_to_tool(std::clamp(required, MPI_THREAD_SINGLE, MPI_THREAD_MULTIPLE), provided);
}

void T_finalize(Process& process) { --process.tools().initializations; }

void T_enum_get_info(Process&, MPI_T_enum enumeration, int* items, char* name, int* name_length) {
  give_to_tool(static_cast<int>(items_of(enumeration).size()), items);
  give_to_tool("phases", name, name_length);
}

void T_enum_get_item(Process&, MPI_T_enum enumeration, int index, int* value, char* name, int* name_length) {
  const auto items = items_of(enumeration);
  if (index < 0 || static_cast<std::size_t>(index) >= items.size()) throw Error{MPI_T_ERR_INVALID_ITEM, ""};
  give_to_tool(index, value);
  give_to_tool(items[static_cast<std::size_t>(index)], name, name_length);
}

void T_cvar_get_num(Process& process, int* count) {
  give_to_tool(static_cast<int>(process.world().settings().size()), count);
}

void T_cvar_get_info(Process& process, int number, char* name, int* name_length, int* verbosity, MPI_Datatype* type,
                     MPI_T_enum* enumeration, char* description, int* description_length, int* bind, int* scope) {
  const Setting& about = setting(process, number);
  give_to_tool(about.name, name, name_length);
  give_to_tool(MPI_T_VERBOSITY_USER_BASIC, verbosity);
  give_to_tool(MPI_CHAR, type);
  give_to_tool(MPI_T_ENUM_NULL, enumeration);
  give_to_tool(about.description, description, description_length);
  give_to_tool(MPI_T_BIND_NO_OBJECT, bind);
  give_to_tool(MPI_T_SCOPE_CONSTANT, scope);
}

void T_cvar_get_index(Process& process, const char* name, int* number) {
  const std::vector<Setting>& settings = process.world().settings();
  const auto found = std::ranges::find(settings, std::string_view(&required(name)), &Setting::name);
  if (found == settings.end()) throw Error{MPI_T_ERR_INVALID_NAME, ""};
  required(number) = static_cast<int>(found - settings.begin());
}

void T_cvar_handle_alloc(Process& process, int number, void*, MPI_T_cvar_handle* handle, int* count) {
  const Setting& about = setting(process, number);
  MPI_T_cvar_handle& place = required(handle);
  ControlHandle& made = process.tools().controls.create();
  made.variable = number;
  place = made.handle;
  give_to_tool(static_cast<int>(about.value.size()) + 1, count);
}

void T_cvar_handle_free(Process& process, MPI_T_cvar_handle* handle) {
  process.tools().controls.destroy(control_of(process, required(handle)));
  *handle = MPI_T_CVAR_HANDLE_NULL;
}

void T_cvar_read(Process& process, MPI_T_cvar_handle handle, void* place) {
  const Setting& about = setting(process, control_of(process, handle).variable);
  std::memcpy(&required(static_cast<char*>(place)), about.value.c_str(), about.value.size() + 1);
}

void T_cvar_write(Process& process, MPI_T_cvar_handle handle, const void*) {
  control_of(process, handle);
  throw Error{MPI_T_ERR_CVAR_SET_NEVER, ""};
}

}  // namespace body

}  // namespace hindcast::mpi
