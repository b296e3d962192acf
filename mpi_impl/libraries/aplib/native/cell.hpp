// One cell of APlib: its context in the machine's message layer, and its messages in progress. Costs of calls are the
// layer's own.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "mpi_impl/libraries/ap3000/native/node.hpp"
#include "mpi_impl/libraries/common/native.hpp"
#include "mpi_impl/libraries/common/waiting.hpp"

namespace hindcast::aplib {

// What APlib has besides the layer's costs, and the contexts of its messages.
struct Settings {
  Bytes crashes_from;  // the machine does, with messages of so many bytes or more
  RatedStep combine;   // two numbers of a reduction
  // Of programs' messages, and of those that barriers and reductions are made of. Nobody's until the first cell.
  std::uint32_t of_programs = 0;
  std::uint32_t of_library = 0;
};

// An asynchronous message in progress.
struct Request {
  Completion sent;
  std::optional<layer::BufferReceive> receive;  // none: it is a send
  Completion& over() { return receive ? receive->over : sent; }
};

class Cell : public NativePart<Cell> {
 public:
  Cell(ap3000::Node& node, const Settings& settings) : node_(node), settings_(settings) { attach(node.rank(), *this); }
  ~Cell() { detach(node_.rank(), *this); }
  Cell(const Cell&) = delete;
  Cell& operator=(const Cell&) = delete;

  static Cell* of(const Rank& rank) { return native_part<Cell>(rank); }

  ap3000::Node& node() { return node_; }
  const Settings& settings() const { return settings_; }
  int number() const { return node_.number(); }
  int cells() const { return node_.system().ranks(); }

  // An id that no other message of the cell has had.
  int new_id() { return next_id_++; }
  Request& request(int id) { return requests_[id]; }
  // Null if no message in progress has this id.
  Request* find(int id);
  void end(int id) { requests_.erase(id); }

  // The reduction that it is in, or was in last.
  const char* reduction = "";

  // Of the library's own, for barriers and reductions.
  void send_own(int to, int tag, const void* data, Bytes bytes, const Wait& why);
  void receive_own(int from, int tag, void* data, Bytes bytes, const Wait& why);

 private:
  ap3000::Node& node_;
  const Settings& settings_;
  int next_id_ = 0;
  std::map<int, Request> requests_;
};

}  // namespace hindcast::aplib
