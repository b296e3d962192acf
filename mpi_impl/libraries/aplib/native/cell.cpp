#include "mpi_impl/libraries/aplib/native/cell.hpp"

namespace hindcast::aplib {

Request* Cell::find(int id) {
  const auto found = requests_.find(id);
  return found != requests_.end() ? &found->second : nullptr;
}

void Cell::send_own(int to, int tag, const void* data, Bytes bytes, const Wait& why) {
  node_.send_and_wait({.to = to, .key = {settings_.of_library, number(), tag}, .data = data, .bytes = bytes}, why);
}

void Cell::receive_own(int from, int tag, void* data, Bytes bytes, const Wait& why) {
  layer::BufferReceive receive(data, bytes);
  node_.post(receive, {settings_.of_library, from, tag});
  wait_for(receive.over, why);
  node_.end_receive(receive.left_to_copy, receive.bytes, receive.over.message);
}

}  // namespace hindcast::aplib
