#include "mpi_impl/libraries/cellos/mpi/put_send.hpp"

#include "mpi_impl/libraries/cellos/mpi/acknowledgement.hpp"
#include "mpi_impl/libraries/cellos/mpi/endpoint.hpp"
#include "mpi_impl/libraries/cellos/mpi/keys.hpp"

namespace hindcast::mpi {

namespace {

const Row<LongerMessages> put_row{{"put", Longer::goes_by_put}};

}  // namespace

Strided strided(const Items& items) { return {items.first, items.count, items.bytes, items.stride}; }

PutSend::PutSend(const SendOperation& send)
    : from_(send.items != nullptr ? strided(*send.items) : in_one_piece(send.data, send.bytes)) {}

void PutSend::keep_data() {
  kept_ = std::make_unique_for_overwrite<std::byte[]>(bytes().count());
  gather(from_, bytes(), kept_.get());
  from_ = in_one_piece(kept_.get(), bytes());
}

bool PutSend::accept(ReceiveOperation& receive, Engine& engine) {
  receive.is_in_items = receive.items() != nullptr;
  to_ = receive.is_in_items ? strided(*receive.items()) : in_one_piece(receive.data, receive.capacity);
  receive_ = &receive;
  engine_ = &engine;
  return has_to_put();
}

std::uint64_t PutSend::request(cellos::Cell& sender, cellos::Cell& receiver, MessageId message, DoneSink& done) {
  return sender.system().put_and_get().request_of({sender, receiver, from_, to_, message, done, *this});
}

void PutSend::done() { receive_->complete(engine_->now()); }

// --- by the endpoint ---

void CellosEndpoint::send_request(SendOperation& send, Acknowledgement& awaited) {
  awaited.put.emplace(send);
  carrier_.send({nullptr, cell_of(send), carrier_.space(), cellos_key(send.envelope), nullptr, Bytes(), &awaited});
}

// The call that waits has to answer before there is any data, or to receive what is announced, as it does if it finds
// the request or the announcement in the queue.
void CellosEndpoint::first_taken_directly(cellos::Message& message) {
  first_in_direct_ = &message;
  library_thread().wake(message.message);
}

}  // namespace hindcast::mpi
