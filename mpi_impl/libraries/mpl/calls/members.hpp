// A group as a call of one of its members uses it: who has which rank, and messages between them. They have a context
// of their own, and the group's id as their type.
#pragma once

#include <cstddef>

#include "mpi_impl/libraries/mpl/calls/call.hpp"

namespace hindcast::mpl {

class Members {
 public:
  // Ends the run if there is no such group, or the caller is none of its members.
  Members(Node& self, const char* function, int gid);

  Node& self() const { return self_; }
  const char* function() const { return function_; }
  int size() const { return group_ != nullptr ? group_->size() : self_.system().tasks(); }
  int rank() const { return rank_; }
  int label() const { return group_ != nullptr ? group_->label : 0; }
  int task_of(int rank) const { return group_ != nullptr ? group_->members[static_cast<std::size_t>(rank)] : rank; }
  // -1: it is not a member.
  int rank_of(int task) const;
  // The same, of an argument that names a member.
  int rank_of_argument(const char* argument, int task) const;

  // By ranks.
  void send(int to, const void* data, std::size_t bytes) const;
  void receive(int from, void* data, std::size_t bytes) const;
  void exchange(int to, const void* data, int from, void* received, std::size_t bytes) const;

 private:
  Outgoing outgoing(int to, const void* data, std::size_t bytes) const;
  matching::Key key_from(int task) const { return {context_of_groups, task, id_}; }
  MessageWait wait_for(int task) const { return {function_, "for a message of the group from", task, id_}; }
  void check_length(const BufferReceive& receive) const;

  Node& self_;
  const char* const function_;
  const int id_;
  const Group* const group_;  // null: of all tasks
  const int rank_;
};

}  // namespace hindcast::mpl
