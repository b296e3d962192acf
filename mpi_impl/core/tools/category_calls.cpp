// Categories of variables.
#include <algorithm>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/tools/tools.hpp"

namespace hindcast::mpi::body {

namespace {

std::vector<Category> all_categories(Process& process) {
  return categories(static_cast<int>(process.world().settings().size()));
}

Category category(Process& process, int number) {
  std::vector<Category> all = all_categories(process);
  if (number < 0 || static_cast<std::size_t>(number) >= all.size()) throw Error{MPI_T_ERR_INVALID_INDEX, ""};
  return std::move(all[static_cast<std::size_t>(number)]);
}

int length_of(const std::vector<int>& list) { return static_cast<int>(list.size()); }

// Gives as many numbers as there is room for.
void give_numbers(const std::vector<int>& numbers, int room, int* places) {
  if (room > 0) required(places);
  std::copy_n(numbers.begin(), std::clamp(room, 0, length_of(numbers)), places);
}

}  // namespace

void T_category_get_num(Process& process, int* count) {
  give_to_tool(static_cast<int>(all_categories(process).size()), count);
}

void T_category_get_info(Process& process, int number, char* name, int* name_length, char* description,
                         int* description_length, int* controls, int* variables, int* categories) {
  const Category about = category(process, number);
  give_to_tool(about.name, name, name_length);
  give_to_tool(about.description, description, description_length);
  give_to_tool(length_of(about.controls), controls);
  give_to_tool(length_of(about.variables), variables);
  give_to_tool(length_of(about.categories), categories);
}

void T_category_get_index(Process& process, const char* name, int* number) {
  const std::vector<Category> all = all_categories(process);
  const auto found = std::ranges::find(all, &required(name), &Category::name);
  if (found == all.end()) throw Error{MPI_T_ERR_INVALID_NAME, ""};
  required(number) = static_cast<int>(found - all.begin());
}

void T_category_get_cvars(Process& process, int number, int room, int* numbers) {
  give_numbers(category(process, number).controls, room, numbers);
}

void T_category_get_pvars(Process& process, int number, int room, int* numbers) {
  give_numbers(category(process, number).variables, room, numbers);
}

void T_category_get_categories(Process& process, int number, int room, int* numbers) {
  give_numbers(category(process, number).categories, room, numbers);
}

// They are the same from the beginning of a run to its end.
void T_category_changed(Process&, int* stamp) { give_to_tool(1, stamp); }

}  // namespace hindcast::mpi::body
