// MPI_Isendrecv and MPI_Isendrecv_replace: a send and a receive that are one operation, which ends when both have.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "mpi_impl/core/process.hpp"
#include "mpi_impl/core/requests/request.hpp"

namespace hindcast::mpi::body {

namespace {

using Copy = std::unique_ptr<std::byte[]>;

// Either peer may be MPI_PROC_NULL.
class Exchange final : public Activity {
 public:
  // The copy is what is sent, if that is not the program's own buffer.
  Exchange(Process& process, Comm& comm, const SendArguments& to, const ReceiveArguments& from, Copy copy)
      : Activity(*Thread::current()),
        process_(process),
        comm_(comm),
        copy_(std::move(copy)),
        received_type_(from.type),
        sends_(to.destination != MPI_PROC_NULL),
        receives_(from.source != MPI_PROC_NULL),
        on_send_(process.call(), comm, PeerWait::What::send, comm.context, to.destination, to.tag),
        on_receive_(process.call(), comm, PeerWait::What::receive, comm.context, from.source, from.tag) {
    if (sends_ && copy_ == nullptr && process.world().sent_buffers() != nullptr) [[unlikely]]
      watch(data_sent(to));
    send_.is_nonblocking = true;
    receive_.is_nonblocking = true;
    if (receives_) {
      prepare_receive(receive_, received_, comm.context, from);
      process.endpoint().receive(receive_);
      gate_.add(receive_);
    }
    if (sends_) {
      if (SentElements* sent = process.world().sent_elements()) sent->keep(process, comm, to);
      begin_send(process, send_, sent_, comm, comm.context, to, SendMode::standard);
      gate_.add(send_);
    }
    if (!sends_ && !receives_) end_now();
  }

  Time round_is_over_at() const override {
    return std::max(sends_ ? end_of(send_) : Time(), receives_ ? end_of(receive_) : Time());
  }
  void go_on() override {
    if (sends_) end_send(process_, send_);
    if (receives_) end_receive(process_, receive_, received_);
    if (receives_) look_at_received();
    end_now();
  }
  BlockedOn describe() const override {
    if (sends_ && receives_) return ExchangeWait(on_send_, on_receive_).describe();
    return sends_ ? on_send_.describe() : on_receive_.describe();
  }
  void tell(MPI_Status& status) const override {
    if (receives_)
      set_status(&status, receive_.envelope.source, receive_.envelope.tag, receive_.received().count());
    else
      set_null_peer_status(&status);
  }
  bool may_be_freed() const override { return true; }
  const char* name() const override { return "a send with a receive"; }

 private:
  void look_at_received() {
    if (SentElements* sent = process_.world().sent_elements())
      error_ = sent->difference(process_, receive_, received_type_, comm_);
    if (hindcast::mpi::error_of(receive_) != MPI_SUCCESS) error_ = truncation(receive_, comm_);
  }
  static std::unique_ptr<SentData> data_sent(const SendArguments& to) {
    return std::make_unique<SentData>(fmt::format("the send to rank {} with tag {}", to.destination, to.tag),
                                      std::vector<SentPiece>{{to.data, to.count, &to.type}});
  }
  static Time end_of(const Operation& operation) { return operation.is_known() ? operation.at() : Time::never(); }

  Process& process_;
  Comm& comm_;
  Copy copy_;
  const Datatype& received_type_;
  bool sends_;
  bool receives_;
  SendOperation send_;
  ReceiveOperation receive_;
  Staged sent_;
  Staged received_;
  PeerWait on_send_;
  PeerWait on_receive_;
};

void begin_exchange(Process& process, Comm& comm, const SendArguments& to, const ReceiveArguments& from, Copy copy,
                    MPI_Request& handle) {
  if (to.destination != MPI_PROC_NULL) refuse_what_is_too_long(process, comm, to.count, to.type);
  if (!process.background.is_empty()) process.background.make_progress();
  handle = make_request(process, comm, std::make_unique<Exchange>(process, comm, to, from, std::move(copy))).handle;
}

}  // namespace

void Isendrecv(Process& process, const void* sent, int send_count, const Datatype& send_type, int destination,
               int send_tag, void* received, int receive_count, const Datatype& receive_type, int source,
               int receive_tag, Comm& comm, MPI_Request& handle) {
  const SendArguments to{sent, send_count, send_type, destination, send_tag};
  const ReceiveArguments from{received, receive_count, receive_type, source, receive_tag};
  if (process.world().sent_buffers() != nullptr) [[unlikely]]
    refuse_one_buffer(comm, to, from);
  begin_exchange(process, comm, to, from, nullptr, handle);
}

void Isendrecv_replace(Process& process, void* data, int count, const Datatype& type, int destination, int send_tag,
                       int source, int receive_tag, Comm& comm, MPI_Request& handle) {
  const std::size_t bytes = destination == MPI_PROC_NULL ? 0 : type.bytes_of(count);
  auto copy = std::make_unique_for_overwrite<std::byte[]>(bytes);
  const std::byte* const sent = copy.get();
  if (bytes > 0) {
    pack(type, data, count, copy.get());
    process.endpoint().local().spend_copy(Bytes(bytes), 0);
    if (SentElements* elements = process.world().sent_elements()) [[unlikely]]
      elements->know_packed(copy.get(), type);
  }
  begin_exchange(process, comm,
                 {sent, static_cast<MPI_Count>(bytes), *predefined_datatype(MPI_PACKED), destination, send_tag},
                 {data, count, type, source, receive_tag}, std::move(copy), handle);
}

}  // namespace hindcast::mpi::body
