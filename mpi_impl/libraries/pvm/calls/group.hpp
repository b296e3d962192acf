// What calls about groups have in common, and what reduces in each language.
#pragma once

#include "mpi_impl/libraries/pvm/calls/call.hpp"

namespace hindcast::pvm {

// PvmOk, or PvmNullGroup for no name.
int check_group(const char* group);
// By a request to the group server, unless the group is frozen; then the task has kept what there is to know.
GroupAnswer members_of(Call& call, const std::string& group);
// Or an error code.
int instance_in(const GroupAnswer& group, int tid);
int member_at(const GroupAnswer& group, int instance);
// Of a group that the task has joined it knows.
int own_instance(Call& call, const std::string& group);

using ReduceFunction = void (*)(int* type, void* x, void* y, int* count, int* info);
namespace bodies {
int pvm_reduce(Call& call, ReduceFunction function, void* data, int count, int type, int tag, char* group, int root);
}

}  // namespace hindcast::pvm
