// A send by put, synchronous or too long for the system's buffers: what is sent is a request, a message without data
// whose header says how much there is. Who receives it answers where the data is to go, and the sender's library has it
// put there, from the program's memory straight to the program's memory. Both ends have a flag: the receive is over
// when the data has been written, the send when the sender knows that. Where nothing is to be put, the answer is the
// send's end, and sending it the receive's.
//
// The other end's memory has to lie together or in items of one size at one distance. Where it does not, the data goes
// to a buffer of the library's, which unpacks it.
#pragma once

#include <cstddef>
#include <memory>

#include "mpi_impl/libraries/cellos/native/cell.hpp"
#include "mpi_impl/transport/endpoint.hpp"

namespace hindcast::mpi {

Strided strided(const Items& items);

class PutSend final : private DoneSink {
 public:
  explicit PutSend(const SendOperation& send);

  Bytes bytes() const { return from_.bytes(); }

  // By the sender, which gives the program its memory back.
  void keep_data();

  // At the receiver, which answers: where the data is to go. False: there is none to come.
  bool accept(ReceiveOperation& receive, Engine& engine);

  // At the sender, which has the answer: the act that puts the data. Nothing: there is none.
  bool has_to_put() const { return std::min(from_.bytes(), to_.bytes()) > Bytes(); }
  std::uint64_t request(cellos::Cell& sender, cellos::Cell& receiver, MessageId message, DoneSink& done);

 private:
  void done() override;  // the data has been written

  Strided from_;
  std::unique_ptr<std::byte[]> kept_;
  Strided to_;
  ReceiveOperation* receive_ = nullptr;
  Engine* engine_ = nullptr;
};

}  // namespace hindcast::mpi
