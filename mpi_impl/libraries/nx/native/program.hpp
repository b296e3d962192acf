// What NX keeps of a node's process: its asynchronous messages, by their ids, and what the info calls tell.
#pragma once

#include <map>
#include <optional>

#include "mpi_impl/libraries/common/message_layer/message.hpp"

namespace hindcast::nx {

// An asynchronous message in progress.
struct Request {
  Completion sent;
  std::optional<layer::BufferReceive> receive;  // none: it is a send
  Completion& over() { return receive ? receive->over : sent; }
};

// Of the last message that a call has told the program of; -1 before the first.
struct Info {
  long count = -1;
  long node = -1;
  long type = -1;
};

class Program {
 public:
  Info info;

  // An id that no other message has had.
  long new_id() { return next_id_++; }
  Request& request(long id) { return requests_[id]; }
  // Null if no message in progress has this id.
  Request* find(long id) {
    const auto found = requests_.find(id);
    return found != requests_.end() ? &found->second : nullptr;
  }
  void end(long id) { requests_.erase(id); }

 private:
  long next_id_ = 0;
  std::map<long, Request> requests_;
};

}  // namespace hindcast::nx
