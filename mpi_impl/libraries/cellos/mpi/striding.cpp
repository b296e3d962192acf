// MPI's nonblocking operations by striding send and pre-receive: the data goes straight from the program's memory to
// the net, and from there to the program's memory. Data of one size at one distance goes as it lies.
//
// CellOS matches pre-receives as it matches other receives, in the order in which they were posted. A message that one
// takes needs the processor only where it has to be answered: then the library does that in the next call that makes
// progress.
#include <new>
#include <utility>

#include "mpi_impl/libraries/cellos/mpi/acknowledgement.hpp"
#include "mpi_impl/libraries/cellos/mpi/endpoint.hpp"
#include "mpi_impl/libraries/cellos/mpi/keys.hpp"

namespace hindcast::mpi {

using cellos::Message;

namespace {

// One that has not left the program's memory.
struct StridingSend final : DoneSink {
  StridingSend(SendOperation& send, cellos::System& system) : send(&send), system(system) {}

  void done() override {
    if (send != nullptr) {
      send->endpoint_state = nullptr;
      send->complete(system.engine().now());
    }
    BufferPool& pool = system.pool();
    this->~StridingSend();
    pool.give_back(this, sizeof(StridingSend));
  }

  SendOperation* send;  // null once the program has let go of it
  cellos::System& system;
};

struct PreReceived final : cellos::PreReceive {
  ReceiveOperation* operation = nullptr;
};

void give_back(PreReceived& pre_receive, BufferPool& pool) {
  pre_receive.~PreReceived();
  pool.give_back(&pre_receive, sizeof(PreReceived));
}

}  // namespace

void CellosEndpoint::send_striding(SendOperation& send, Acknowledgement* awaited) {
  cellos::System& system = cell_.system();
  StridingSend* under_way = nullptr;
  if (awaited == nullptr) {
    under_way = new (system.pool().take(sizeof(StridingSend))) StridingSend(send, system);
    send.endpoint_state = under_way;
  }
  const auto data = send.items != nullptr ? strided(*send.items) : in_one_piece(send.data, send.bytes);
  cell_.send_striding(
      {"striding send", cell_of(send), carrier_.space(), cellos_key(send.envelope), nullptr, send.bytes, awaited}, data,
      under_way);
}

void CellosEndpoint::forget_striding_send(SendOperation& send) {
  static_cast<StridingSend*>(std::exchange(send.endpoint_state, nullptr))->send = nullptr;
}

void CellosEndpoint::pre_receive(ReceiveOperation& receive) {
  make_progress(*Thread::current());
  auto& pre_receive = *new (cell_.system().pool().take(sizeof(PreReceived))) PreReceived();
  pre_receive.key = cellos_key(receive.pattern);
  pre_receive.space = carrier_.space();
  pre_receive.to =
      receive.items() != nullptr ? strided(*receive.items()) : in_one_piece(receive.data, receive.capacity);
  pre_receive.sink = this;
  pre_receive.operation = &receive;
  receive.endpoint_state = &pre_receive;
  ++to_do_;
  cell_.system().striding().pre_receive(cell_, pre_receive);
}

void CellosEndpoint::stop_pre_receive(ReceiveOperation& receive) {
  auto& pre_receive = *static_cast<PreReceived*>(receive.endpoint_state);
  mailbox().forget(pre_receive);
  give_back(pre_receive, cell_.system().pool());
}

void CellosEndpoint::received(cellos::PreReceive& pre_receive, Message& message, const cellos::Delivery& delivery) {
  ReceiveOperation& receive = *static_cast<PreReceived&>(pre_receive).operation;
  give_back(static_cast<PreReceived&>(pre_receive), cell_.system().pool());
  receive.endpoint_state = nullptr;
  if (message.announces) [[unlikely]]
    return pre_receive_announced(message, receive, delivery);
  receive.message = message.message;
  receive.envelope = {message.key.context, message.key.source, message.key.tag};
  receive.bytes = length_of(message);
  receive.is_in_items = receive.items() != nullptr;
  data_is_there(message, receive, delivery.at);
  if (message.note != nullptr) return answer_delivered(message, delivery);
  --to_do_;
  cell_.system().free_message(message);
}

// The kernel has put the announcement where the data will be. The parts are received by the library.
void CellosEndpoint::pre_receive_announced(Message& message, ReceiveOperation& receive,
                                           const cellos::Delivery& delivery) {
  message.taken_by = &receive;
  switch (delivery.by) {
    case cellos::DeliveredBy::controller:
      return parts_are_to_come(message, delivery.at);
    case cellos::DeliveredBy::calling:
      if (message.note != nullptr) {
        static_cast<Acknowledgement*>(message.note)->queued = nullptr;
        answer_now(message);
      }
      Thread::current()->settle();
      for (Message* part : begin_parts(message)) receive_now(*part, *static_cast<ReceiveOperation*>(part->taken_by));
      return;
    case cellos::DeliveredBy::call_in_past:
      const cellos::ServedSteps steps(library_thread(), delivery.at, delivery.order);
      if (message.note != nullptr) answer(message, steps, delivery.order);
      return library_thread().insert_work(delivery.at + work_in_call(message), delivery.order, *this,
                                          reinterpret_cast<std::uint64_t>(&message) | is_received);
  }
}

// Of an announcement that has been received itself: what has come of its parts.
std::vector<Message*> CellosEndpoint::begin_parts(Message& message) {
  std::vector<Message*> there;
  piece_is_there(expect_parts(message, static_cast<ReceiveOperation*>(message.taken_by), there),
                 cell_.system().engine().now());
  --to_do_;
  cell_.system().free_message(message);
  return there;
}

// It has just come, and they behind it.
void CellosEndpoint::parts_are_to_come(Message& message, Time at) {
  std::vector<Message*> there;
  piece_is_there(expect_parts(message, static_cast<ReceiveOperation*>(message.taken_by), there), at);
  message.taken_by = nullptr;
  if (message.note != nullptr) return arrived({&message, nullptr});
  --to_do_;
  cell_.system().free_message(message);
}

Time CellosEndpoint::work_in_call(const Message& message) const {
  cellos::CostOfSteps cost;
  if (message.note != nullptr) cellos::spend_send_start(cost, native(), carrier_.space(), message.message);
  return cost.sum();
}

// The receive may be over by the time that its message is answered.
void CellosEndpoint::answer_delivered(Message& message, const cellos::Delivery& delivery) {
  message.taken_by = nullptr;
  if (delivery.by == cellos::DeliveredBy::controller) return arrived({&message, nullptr});
  --to_do_;
  static_cast<Acknowledgement*>(message.note)->queued = nullptr;
  if (delivery.by == cellos::DeliveredBy::calling)
    answer_now(message);
  else
    answer(message, cellos::ServedSteps(library_thread(), delivery.at, delivery.order), delivery.order);
  cell_.system().free_message(message);
}

}  // namespace hindcast::mpi
