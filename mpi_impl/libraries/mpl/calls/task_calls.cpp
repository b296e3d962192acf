// The functions of mpl.h about tasks.
#include <fmt/format.h>

#include <array>

#include "mpi_impl/libraries/mpl/calls/call.hpp"
#include "mpi_impl/libraries/mpl/include/mpl.h"

namespace hindcast::mpl {

namespace {

template <std::size_t count>
void tell_numbers(Node& self, int* nbuf, int nelem, const std::array<int, count>& numbers) {
  if (nelem != static_cast<int>(count))
    refuse(self, "mpc_task_query",
           fmt::format("argument 2 (nelem) is {}, but there are {} numbers of this qtype; give that", nelem, count));
  std::copy(numbers.begin(), numbers.end(), nbuf);
}

}  // namespace

}  // namespace hindcast::mpl

using namespace hindcast;
using namespace hindcast::mpl;

extern "C" {

int mpc_environ(int* numtask, int* taskid) {
  const programs::LibraryCall library_call("mpc_environ");
  Node& self = caller(library_call);
  check_pointer(self, "mpc_environ", "argument 1 (numtask)", numtask);
  check_pointer(self, "mpc_environ", "argument 2 (taskid)", taskid);
  *numtask = self.system().tasks();
  *taskid = self.task();
  return 0;
}

int mpc_task_query(int* nbuf, int nelem, int qtype) {
  const programs::LibraryCall library_call("mpc_task_query");
  Node& self = caller(library_call);
  check_pointer(self, "mpc_task_query", "argument 1 (nbuf)", nbuf);
  if (qtype == 3)
    tell_numbers<4>(self, nbuf, nelem, {dontcare, all_messages, no_task, group_of_all});
  else if (qtype == 2)
    tell_numbers<2>(self, nbuf, nelem, {0, type_max});
  else
    refuse(self, "mpc_task_query",
           fmt::format("argument 3 (qtype) is {}; here it may be 2, for types, or 3, for what stands for any", qtype));
  return 0;
}

int mpc_stopall(int errcode) {
  const programs::LibraryCall library_call("mpc_stopall");
  Node& self = caller(library_call);
  refuse(self, "mpc_stopall", fmt::format("the program has stopped all tasks, with code {}", errcode));
}

}  // extern "C"
