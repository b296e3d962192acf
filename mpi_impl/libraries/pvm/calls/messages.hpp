// Sending and receiving, by a call: what groups and single tasks have in common.
#pragma once

#include "mpi_impl/libraries/pvm/calls/call.hpp"

namespace hindcast::pvm {

// An array of items of one type, in a program's memory.
struct TypedData {
  void* data;
  int count;
  int type;
  std::size_t bytes() const { return bytes_of_item(type) * static_cast<std::size_t>(count); }
  bool is_right() const { return bytes_of_item(type) > 0 && count >= 0 && (data != nullptr || count == 0); }
};

// Each returns PvmOk, a number, or an error code.
int send_buffer(Call& call, int tid, int tag);
int send_to_each(Call& call, const std::vector<int>& tids, int tag);
int send_data(Call& call, int tid, int tag, const TypedData& data);
// As much as there is room for. The message's envelope and all its bytes are told.
int receive_data(Call& call, int tid, int tag, const TypedData& data, Envelope& envelope, std::size_t& bytes);

// For messages of these in this context.
int add_handler(Call& call, int tid, int tag, int context, std::function<int(int bufid)> handler);

}  // namespace hindcast::pvm
