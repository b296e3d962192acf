#include "mpi_impl/libraries/pvm/native/environment.hpp"

namespace hindcast::pvm {

namespace {

bool is_of(std::string_view assignment, std::string_view name) {
  return assignment.size() > name.size() && assignment.starts_with(name) && assignment[name.size()] == '=';
}

}  // namespace

const char* Environment::value_of(char** variables, std::string_view name) {
  for (; variables != nullptr && *variables != nullptr; ++variables)
    if (is_of(*variables, name)) return *variables + name.size() + 1;
  return nullptr;
}

void Environment::set(char**& variables, std::string_view name, std::string_view value) {
  std::string& assignment = assignments_.emplace_back(name);
  assignment.append("=").append(value);
  std::vector<char*>& list = lists_.emplace_back();
  for (char** variable = variables; variable != nullptr && *variable != nullptr; ++variable)
    if (!is_of(*variable, name)) list.push_back(*variable);
  list.push_back(assignment.data());
  list.push_back(nullptr);
  variables = list.data();
}

}  // namespace hindcast::pvm
