// What numbers messages under way consist of. A receive whose datatype has others gets what no machine promises
// (MPI-3.1, 3.3.1): one that takes integers for floating-point numbers goes on with nonsense. A run that is told to
// look for it finds it here.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>

#include "mpi_impl/core/datatypes/signature.hpp"
#include "mpi_impl/core/error.hpp"
#include "mpi_impl/transport/operation.hpp"
#include "simulator/programs/places/program_place.hpp"

namespace hindcast::mpi {

struct Comm;
struct Datatype;
struct Request;
struct SendArguments;
class Process;

class SentElements {
 public:
  struct Sent {
    Envelope envelope;
    int destination;  // a rank of the world
    std::size_t bytes;
    SignaturePointer signature;
    programs::ProgramPlace place;
    int receiver;  // as the program has named it
    std::string comm;
  };

  // Of data that the library has packed to send them: what they are.
  void know_packed(const void* packed, const Datatype& type);
  // Right before the send begins, which must not wait for others in a backlog.
  void keep(Process& process, const Comm& comm, const SendArguments& arguments,
            programs::ProgramPlace place = programs::place_of_caller());
  // At the end of a receive, once: what is wrong with its datatype, if anything.
  std::optional<Error> difference(const Process& process, const ReceiveOperation& receive, const Datatype& type,
                                  const Comm& comm);
  // Whether the datatype of a receive with a request is wrong, of which error_of() then tells. At its end, once.
  bool differ(const Process& process, const Request& receive);
  const Error& error_of(const Request& receive) const { return errors_.at(&receive); }
  // Of a message that has been cancelled, or received with an error that is told already.
  void forget(MessageId message) { sent_.erase(message); }
  // What no receive has come to its end with.
  const std::unordered_map<MessageId, Sent>& not_received() const { return sent_; }

 private:
  SignaturePointer signature_of(const SendArguments& arguments);

  std::unordered_map<MessageId, Sent> sent_;
  std::unordered_map<const void*, SignaturePointer> packed_;  // until they are sent
  std::unordered_map<const Request*, Error> errors_;
};

}  // namespace hindcast::mpi
