// What MPL keeps of a task's messages that mpc_send and mpc_recv have begun, by their ids.
#pragma once

#include <map>
#include <optional>

#include "mpi_impl/libraries/mpl/native/message.hpp"

namespace hindcast::mpl {

struct Request {
  Completion sent;
  std::optional<BufferReceive> receive;  // none: it is a send
  Bytes sent_bytes;
  int* source = nullptr;  // of a receive: the program's, told at the end
  int* type = nullptr;

  Completion& over() { return receive ? receive->over : sent; }
};

class Requests {
 public:
  // An id that no other message has had.
  int add() { return next_id_++; }
  Request& operator[](int id) { return requests_[id]; }
  // Null if no message in progress has this id.
  Request* find(int id) {
    const auto found = requests_.find(id);
    return found != requests_.end() ? &found->second : nullptr;
  }
  void end(int id) { requests_.erase(id); }
  std::map<int, Request>& all() { return requests_; }  // by id

 private:
  int next_id_ = 1;
  std::map<int, Request> requests_;
};

}  // namespace hindcast::mpl
