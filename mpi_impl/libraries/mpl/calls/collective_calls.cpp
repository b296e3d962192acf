// The functions of mpl.h that all members of a group call together.
#include <algorithm>

#include "mpi_impl/libraries/mpl/calls/bodies.hpp"
#include "mpi_impl/libraries/mpl/calls/collective.hpp"

namespace hindcast::mpl {

namespace {

constexpr const char* length_of_message = "argument 3 (msglen)";
constexpr const char* length_of_block = "argument 3 (blklen)";

// A call with the memory that it reads, and that it writes.
struct Arguments {
  const programs::LibraryCall& call;
  Buffer out;
  Buffer in;
  int gid;
};

Members checked(const Arguments& arguments) {
  Node& self = caller(arguments.call);
  check_buffer(self, arguments.call.function(), arguments.out);
  check_buffer(self, arguments.call.function(), arguments.in);
  return Members(self, arguments.call.function(), arguments.gid);
}

template <typename Element, typename Operation>
void for_elements(const void* in1, const void* in2, void* out, const int* bytes, Operation operation) {
  const auto* const a = static_cast<const Element*>(in1);
  const auto* const b = static_cast<const Element*>(in2);
  const std::size_t count = static_cast<std::size_t>(*bytes) / sizeof(Element);
  std::transform(a, a + count, b, static_cast<Element*>(out), operation);
}

// The rank of the task that has all data, or gets it. Only there the call looks at the memory for that.
int checked_root(const Members& members, const char* argument, int task, const Buffer& there) {
  const int root = members.rank_of_argument(argument, task);
  if (root == members.rank()) check_buffer(members.self(), members.function(), there);
  return root;
}

void check_function(const Members& members, mpc_function function) {
  check_pointer(members.self(), members.function(), "argument 'func'", reinterpret_cast<const void*>(function));
}

}  // namespace

namespace bodies {

int mpc_sync(const programs::LibraryCall& call, int gid) {
  synchronize(Members(caller(call), call.function(), gid));
  return 0;
}

int mpc_bcast(const programs::LibraryCall& call, void* inoutmsg, size_t msglen, int source, int gid) {
  const Members members = checked({call, {inoutmsg, msglen, 1, "argument 2 (msglen)"}, {}, gid});
  broadcast(members, inoutmsg, msglen, members.rank_of_argument("argument 3 (source)", source));
  return 0;
}

int mpc_gather(const programs::LibraryCall& call, const void* outmsg, void* inmsg, size_t msglen, int dest, int gid) {
  const Members members = checked({call, {outmsg, msglen, 1, length_of_message}, {}, gid});
  gather(members, outmsg, inmsg, msglen,
         checked_root(members, "argument 4 (dest)", dest, {inmsg, msglen, 2, length_of_message}));
  return 0;
}

int mpc_scatter(const programs::LibraryCall& call, const void* outmsg, void* inmsg, size_t msglen, int source,
                int gid) {
  const Members members = checked({call, {}, {inmsg, msglen, 2, length_of_message}, gid});
  scatter(members, outmsg, inmsg, msglen,
          checked_root(members, "argument 4 (source)", source, {outmsg, msglen, 1, length_of_message}));
  return 0;
}

int mpc_concat(const programs::LibraryCall& call, const void* outmsg, void* inmsg, size_t blklen, int gid) {
  concatenate(checked({call, {outmsg, blklen, 1, length_of_block}, {inmsg, blklen, 2, length_of_block}, gid}), outmsg,
              inmsg, blklen);
  return 0;
}

int mpc_index(const programs::LibraryCall& call, const void* outmsg, void* inmsg, size_t blklen, int gid) {
  exchange_all(checked({call, {outmsg, blklen, 1, length_of_block}, {inmsg, blklen, 2, length_of_block}, gid}), outmsg,
               inmsg, blklen);
  return 0;
}

int mpc_shift(const programs::LibraryCall& call, const void* outmsg, void* inmsg, size_t msglen, int step, int option,
              int gid) {
  const Members members =
      checked({call, {outmsg, msglen, 1, length_of_message}, {inmsg, msglen, 2, length_of_message}, gid});
  if (option != 0 && option != 1) refuse(members.self(), call.function(), "argument 5 (option) is neither 0 nor 1");
  shift(members, outmsg, inmsg, msglen, step, option == 0);
  return 0;
}

int mpc_reduce(const programs::LibraryCall& call, const void* outmsg, void* inmsg, size_t msglen, int dest,
               mpc_function func, int gid) {
  const Members members = checked({call, {outmsg, msglen, 1, length_of_message}, {}, gid});
  check_function(members, func);
  reduce(members, outmsg, inmsg, msglen, func,
         checked_root(members, "argument 4 (dest)", dest, {inmsg, msglen, 2, length_of_message}));
  return 0;
}

int mpc_combine(const programs::LibraryCall& call, const void* outmsg, void* inmsg, size_t msglen, mpc_function func,
                int gid) {
  const Members members =
      checked({call, {outmsg, msglen, 1, length_of_message}, {inmsg, msglen, 2, length_of_message}, gid});
  check_function(members, func);
  reduce(members, outmsg, inmsg, msglen, func, 0);
  broadcast(members, inmsg, msglen, 0);
  return 0;
}

int mpc_prefix(const programs::LibraryCall& call, const void* outmsg, void* inmsg, size_t msglen, mpc_function func,
               int gid) {
  const Members members =
      checked({call, {outmsg, msglen, 1, length_of_message}, {inmsg, msglen, 2, length_of_message}, gid});
  check_function(members, func);
  combine_prefix(members, outmsg, inmsg, msglen, func);
  return 0;
}

}  // namespace bodies

}  // namespace hindcast::mpl

using namespace hindcast::mpl;

extern "C" {

#define MPL_ELEMENTS(name, Element, operation)                                                        \
  void name(const void* in1, const void* in2, void* out, int* bytes) {                                \
    for_elements<Element>(in1, in2, out, bytes, [](auto a, auto b) -> Element { return operation; }); \
  }
MPL_ELEMENTS(i_vadd, int, a + b)
MPL_ELEMENTS(i_vmul, int, a* b)
MPL_ELEMENTS(i_vmax, int, std::max(a, b))
MPL_ELEMENTS(i_vmin, int, std::min(a, b))
MPL_ELEMENTS(s_vadd, float, a + b)
MPL_ELEMENTS(s_vmul, float, a* b)
MPL_ELEMENTS(s_vmax, float, std::max(a, b))
MPL_ELEMENTS(s_vmin, float, std::min(a, b))
MPL_ELEMENTS(d_vadd, double, a + b)
MPL_ELEMENTS(d_vmul, double, a* b)
MPL_ELEMENTS(d_vmax, double, std::max(a, b))
MPL_ELEMENTS(d_vmin, double, std::min(a, b))
#undef MPL_ELEMENTS

}  // extern "C"
