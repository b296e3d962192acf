// The functions of mpl.h about tasks.
#include <fmt/format.h>

#include <array>

#include "mpi_impl/libraries/mpl/calls/bodies.hpp"
#include "mpi_impl/libraries/mpl/calls/call.hpp"

namespace hindcast::mpl {

namespace {

template <std::size_t count>
void tell_numbers(Node& self, const char* function, int* nbuf, int nelem, const std::array<int, count>& numbers) {
  if (nelem != static_cast<int>(count))
    refuse(self, function,
           fmt::format("argument 2 (nelem) is {}, but there are {} numbers of this qtype; give that", nelem, count));
  std::copy(numbers.begin(), numbers.end(), nbuf);
}

}  // namespace

namespace bodies {

int mpc_environ(const programs::LibraryCall& call, int* numtask, int* taskid) {
  Node& self = caller(call);
  check_pointer(self, call.function(), "argument 1 (numtask)", numtask);
  check_pointer(self, call.function(), "argument 2 (taskid)", taskid);
  *numtask = self.system().tasks();
  *taskid = self.task();
  return 0;
}

int mpc_task_query(const programs::LibraryCall& call, int* nbuf, int nelem, int qtype) {
  Node& self = caller(call);
  check_pointer(self, call.function(), "argument 1 (nbuf)", nbuf);
  if (qtype == 3)
    tell_numbers<4>(self, call.function(), nbuf, nelem, {dontcare, all_messages, no_task, group_of_all});
  else if (qtype == 2)
    tell_numbers<2>(self, call.function(), nbuf, nelem, {0, type_max});
  else
    refuse(self, call.function(),
           fmt::format("argument 3 (qtype) is {}; here it may be 2, for types, or 3, for what stands for any", qtype));
  return 0;
}

int mpc_stopall(const programs::LibraryCall& call, int errcode) {
  Node& self = caller(call);
  refuse(self, call.function(), fmt::format("the program has stopped all tasks, with code {}", errcode));
}

}  // namespace bodies

}  // namespace hindcast::mpl
