#include "mpi_impl/libraries/cellos/native/put_and_get.hpp"

#include <algorithm>
#include <new>

#include "mpi_impl/libraries/cellos/native/cell.hpp"
#include "mpi_impl/libraries/cellos/native/steps.hpp"

namespace hindcast::cellos {

// On its way there, then on its way back.
struct PutAndGet::Operation : Transfer {
  Cell* caller = nullptr;
  Cell* other = nullptr;
  Strided read_from;
  Strided write_to;
  Bytes data_bytes;
  DoneSink* done = nullptr;
  DoneSink* written = nullptr;  // in the other cell
  bool is_get = false;
  bool is_served = false;
  std::byte* data = nullptr;
};

PutAndGet::PutAndGet(System& system) : system_(system), owner_(system.engine().new_owner()) {}

void PutAndGet::put(Cell& caller, Cell& other, const Strided& here, const Strided& there, DoneSink& sink) {
  start(caller, other, here, there, sink, false);
}

void PutAndGet::get(Cell& caller, Cell& other, const Strided& here, const Strided& there, DoneSink& sink) {
  start(caller, other, there, here, sink, true);
}

void PutAndGet::start(Cell& caller, Cell& other, const Strided& from, const Strided& to, DoneSink& sink, bool is_get) {
  Thread& thread = *Thread::current();
  Operation& operation = new_operation(caller, other, from, to, sink);
  operation.message = caller.next_message();
  operation.is_get = is_get;
  spend_put_start(thread, caller.costs(), operation.message);
  if (!is_get) read(operation);
  thread.act(*this, reinterpret_cast<std::uint64_t>(&operation), is_get ? Bytes() : operation.data_bytes);
}

PutAndGet::Operation& PutAndGet::new_operation(Cell& caller, Cell& other, const Strided& from, const Strided& to,
                                               DoneSink& sink) {
  auto& operation = *new (system_.pool().take(sizeof(Operation))) Operation();
  operation.sink = this;
  operation.caller = &caller;
  operation.other = &other;
  operation.read_from = from;
  operation.write_to = to;
  operation.data_bytes = std::min(from.bytes(), to.bytes());
  operation.done = &sink;
  return operation;
}

std::uint64_t PutAndGet::request_of(const LibraryPut& put) {
  Operation& operation = new_operation(put.caller, put.other, put.here, put.there, put.done);
  operation.message = put.message;
  operation.written = &put.written;
  read(operation);
  return reinterpret_cast<std::uint64_t>(&operation);
}

void PutAndGet::read(Operation& operation) {
  operation.data = static_cast<std::byte*>(system_.pool().take(operation.data_bytes.count()));
  gather(operation.read_from, operation.data_bytes, operation.data);
}

void PutAndGet::write(const Operation& operation) { scatter(operation.data, operation.data_bytes, operation.write_to); }

void PutAndGet::submit(Operation& operation, Cell& from, Cell& to, Bytes data) {
  operation.from = from.node();
  operation.to = to.node();
  operation.bytes = system_.costs().header + data;
  system_.submit(operation);
}

// The caller's call, or the end of the other cell's interruption.
void PutAndGet::fire(const Event& event) {
  auto& operation = *reinterpret_cast<Operation*>(event.data);
  if (operation.is_served) return serve(operation);
  submit(operation, *operation.caller, *operation.other, operation.is_get ? Bytes() : operation.data_bytes);
}

void PutAndGet::arrived(Transfer& transfer) {
  auto& operation = static_cast<Operation&>(transfer);
  if (!operation.is_served) return interrupt(operation);
  if (operation.is_get) write(operation);
  operation.done->done();
  system_.pool().give_back(operation.data, operation.data_bytes.count());
  operation.~Operation();
  system_.pool().give_back(&operation, sizeof(Operation));
}

void PutAndGet::interrupt(Operation& operation) {
  Thread& thread = operation.other->rank().main_thread();
  const FixedStep& service = operation.other->costs().remote_service;
  ServedSteps steps(thread, thread.interrupt(service.cost));
  steps.spend(service, operation.message);
  operation.is_served = true;
  system_.engine().at(steps.at(), EventKind::hardware, owner_, *this, reinterpret_cast<std::uint64_t>(&operation));
}

void PutAndGet::serve(Operation& operation) {
  if (operation.is_get)
    read(operation);
  else
    write(operation);
  if (operation.written != nullptr) operation.written->done();
  submit(operation, *operation.other, *operation.caller, operation.is_get ? operation.data_bytes : Bytes());
}

}  // namespace hindcast::cellos
