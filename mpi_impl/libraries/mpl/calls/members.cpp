#include "mpi_impl/libraries/mpl/calls/members.hpp"

#include <fmt/format.h>

namespace hindcast::mpl {

Members::Members(Node& self, const char* function, int gid)
    : self_(self),
      function_(function),
      id_(gid),
      group_(self.system().groups().find(gid)),
      rank_(rank_of(self.task())) {
  if (group_ == nullptr && gid != group_of_all)
    refuse(self, function,
           fmt::format("the group is {}, but there is none of this id; give what mpc_group or mpc_partition has set",
                       gid));
  if (rank_ < 0) refuse(self, function, fmt::format("task {} is not a member of group {}", self.task(), gid));
}

int Members::rank_of(int task) const {
  if (group_ != nullptr) return group_->rank_of(task);
  return task >= 0 && task < self_.system().tasks() ? task : -1;
}

int Members::rank_of_argument(const char* argument, int task) const {
  const int rank = rank_of(task);
  if (rank < 0)
    refuse(self_, function_, fmt::format("{} is {}, but task {} is not in the group", argument, task, task));
  return rank;
}

Outgoing Members::outgoing(int to, const void* data, std::size_t bytes) const {
  return {task_of(to), key_from(self_.task()), data, Bytes(bytes)};
}

void Members::send(int to, const void* data, std::size_t bytes) const {
  self_.send_and_wait(outgoing(to, data, bytes), MessageWait(function_, "until it has left for", task_of(to), id_));
}

void Members::receive(int from, void* data, std::size_t bytes) const {
  BufferReceive receive(data, Bytes(bytes));
  self_.receive_and_wait(receive, key_from(task_of(from)), wait_for(task_of(from)));
  check_length(receive);
}

void Members::exchange(int to, const void* data, int from, void* received, std::size_t bytes) const {
  BufferReceive receive(received, Bytes(bytes));
  self_.post(receive, key_from(task_of(from)));
  send(to, data, bytes);
  hindcast::wait_for(receive.over, wait_for(task_of(from)));
  self_.end_receive(receive.left_to_copy, receive.over.message);
  check_length(receive);
}

void Members::check_length(const BufferReceive& receive) const {
  if (receive.bytes != receive.room())
    refuse(
        self_, function_,
        fmt::format("the message of {} bytes from task {} is {} than the {} bytes that this task has said; all members "
                    "of the group have to make the same call with the same length",
                    receive.bytes.count(), receive.sent_as.source,
                    receive.bytes > receive.room() ? "longer" : "shorter", receive.room().count()));
}

}  // namespace hindcast::mpl
