#include "mpi_impl/libraries/mpl/calls/call.hpp"

#include <fmt/format.h>

#include "simulator/programs/launcher.hpp"

namespace hindcast::mpl {

Node& caller(const programs::LibraryCall& call) {
  programs::RunningProgram& program = call.program();
  Node* node = Node::of(program.rank());
  if (node == nullptr)
    program.launch().abort_run(
        1, fmt::format("rank {}: {}: this node has no MPL; run the program on an SP, whose file has a table [mpl]",
                       program.rank().id, call.function()));
  return *node;
}

void refuse(Node& self, const char* function, const std::string& what) {
  self.system().end_run(fmt::format("rank {}: {}: {}", self.rank().id, function, what));
}

// Calls tell lengths as an int. What was a negative number is the largest of all here.
void check_buffer(Node& self, const char* function, const Buffer& buffer) {
  constexpr std::size_t length_max = INT32_MAX;
  if (buffer.bytes > length_max)
    refuse(self, function,
           fmt::format("{} is {}; it must not be negative, and at most {}", buffer.length,
                       static_cast<std::ptrdiff_t>(buffer.bytes), length_max));
  if (buffer.data == nullptr && buffer.bytes > 0)
    refuse(self, function,
           fmt::format("argument {} is a null pointer, but has {} bytes; give the address of the data", buffer.argument,
                       buffer.bytes));
}

void check_task(Node& self, const char* function, const char* argument, int task) {
  if (task < 0 || task >= self.system().tasks())
    refuse(self, function,
           fmt::format("{} is {}, but the partition has tasks 0 to {}; give one of them", argument, task,
                       self.system().tasks() - 1));
}

void check_pointer(Node& self, const char* function, const char* argument, const void* pointer) {
  if (pointer == nullptr)
    refuse(self, function, fmt::format("{} is a null pointer; give the address of a variable", argument));
}

BlockedOn MessageWait::describe() const {
  const std::string type = type_ == dontcare ? "any type" : fmt::format("type {}", type_);
  if (task_ == dontcare) return {function_, fmt::format("{} any task, {}", what_, type), {}};
  return {function_, fmt::format("{} task {}, {}", what_, task_, type), {task_}};
}

}  // namespace hindcast::mpl
