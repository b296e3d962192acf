// Buffered sends: messages wait in the buffer that the program has attached, and its size is a real limit. The buffer
// is a ring of messages, as in the standard's model (MPI-3.1, 3.6.1).
//
// Room is made only when it is needed, and only by messages that have ended by the thread's clock once it has polled
// and settled: what happens to fit then does not depend on how far ahead the thread ran.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>

#include "mpi_impl/core/requests/point_to_point.hpp"
#include "mpi_impl/transport/endpoint.hpp"

namespace hindcast::mpi {

class BufferedSends {
 public:
  void attach(void* buffer, std::size_t bytes);
  // Waits until all messages have left.
  void detach(Process& process, void*& buffer, std::size_t& bytes);
  void wait_for_all(Process& process);

  void send(Process& process, Comm& comm, const SendArguments& arguments);

 private:
  struct Message {
    SendOperation operation;
    std::size_t begin = 0;
    std::size_t end = 0;
    Comm* comm = nullptr;
  };

  std::optional<std::size_t> place_for(std::size_t bytes) const;
  std::size_t make_place(Process& process, const Comm& comm, std::size_t bytes);
  void drop_ended(Process& process);
  void drop_first(Process& process);

  std::byte* buffer_ = nullptr;
  std::size_t bytes_ = 0;
  std::size_t next_ = 0;  // where the message after the last one begins
  std::deque<Message> messages_;
};

}  // namespace hindcast::mpi
