#include "mpi_impl/native/cellos_remote_memory.hpp"

#include <cstring>
#include <new>

#include "mpi_impl/native/cellos_cell.hpp"
#include "mpi_impl/native/cellos_steps.hpp"

namespace hindcast::cellos {

namespace {

// Calls visit(address, position among all bytes) for every item.
template <typename Visit>
void for_each_item(const Strided& items, Visit visit) {
  auto* address = static_cast<std::byte*>(items.first);
  std::size_t position = 0;
  for (int i = 0; i < items.items; ++i, address += items.stride, position += static_cast<std::size_t>(items.item_bytes))
    visit(address, position);
}

}  // namespace

// On its way there, then on its way back.
struct RemoteMemory::Operation : Transfer {
  Cell* caller = nullptr;
  Cell* other = nullptr;
  Strided read_from;
  Strided write_to;
  RemoteSink* done = nullptr;
  bool is_get = false;
  bool is_served = false;
  std::byte* data = nullptr;
};

RemoteMemory::RemoteMemory(System& system) : system_(system), owner_(system.engine().new_owner()) {}

void RemoteMemory::put(Cell& caller, Cell& other, const Strided& here, const Strided& there, RemoteSink& sink) {
  start(caller, other, here, there, sink, false);
}

void RemoteMemory::get(Cell& caller, Cell& other, const Strided& here, const Strided& there, RemoteSink& sink) {
  start(caller, other, there, here, sink, true);
}

void RemoteMemory::start(Cell& caller, Cell& other, const Strided& from, const Strided& to, RemoteSink& sink,
                         bool is_get) {
  Thread& thread = *Thread::current();
  auto& operation = *new (system_.pool().take(sizeof(Operation))) Operation();
  operation.sink = this;
  operation.message = caller.next_message();
  operation.caller = &caller;
  operation.other = &other;
  operation.read_from = from;
  operation.write_to = to;
  operation.done = &sink;
  operation.is_get = is_get;
  thread.take(caller.costs().send, operation.message);
  if (!is_get) read(operation);
  thread.act(*this, reinterpret_cast<std::uint64_t>(&operation), is_get ? Bytes() : from.bytes());
}

void RemoteMemory::read(Operation& operation) {
  operation.data = static_cast<std::byte*>(system_.pool().take(operation.read_from.bytes().count()));
  for_each_item(operation.read_from, [&](const std::byte* item, std::size_t position) {
    std::memcpy(operation.data + position, item, static_cast<std::size_t>(operation.read_from.item_bytes));
  });
}

void RemoteMemory::write(const Operation& operation) {
  for_each_item(operation.write_to, [&](std::byte* item, std::size_t position) {
    std::memcpy(item, operation.data + position, static_cast<std::size_t>(operation.write_to.item_bytes));
  });
}

void RemoteMemory::submit(Operation& operation, Cell& from, Cell& to, Bytes data) {
  operation.from = from.node();
  operation.to = to.node();
  operation.bytes = system_.costs().header + data;
  system_.submit(operation);
}

// The caller's call, or the end of the other cell's interruption.
void RemoteMemory::fire(const Event& event) {
  auto& operation = *reinterpret_cast<Operation*>(event.data);
  if (operation.is_served) return serve(operation);
  submit(operation, *operation.caller, *operation.other, operation.is_get ? Bytes() : operation.read_from.bytes());
}

void RemoteMemory::arrived(Transfer& transfer) {
  auto& operation = static_cast<Operation&>(transfer);
  if (!operation.is_served) return interrupt(operation);
  if (operation.is_get) write(operation);
  operation.done->done();
  system_.pool().give_back(operation.data, operation.read_from.bytes().count());
  operation.~Operation();
  system_.pool().give_back(&operation, sizeof(Operation));
}

void RemoteMemory::interrupt(Operation& operation) {
  Thread& thread = operation.other->rank().main_thread();
  const FixedStep& service = operation.other->costs().remote_service;
  ServedSteps steps(thread, thread.interrupt(service.cost));
  steps.take(service, operation.message);
  operation.is_served = true;
  system_.engine().at(steps.at(), EventKind::hardware, owner_, *this, reinterpret_cast<std::uint64_t>(&operation));
}

void RemoteMemory::serve(Operation& operation) {
  if (operation.is_get)
    read(operation);
  else
    write(operation);
  submit(operation, *operation.other, *operation.caller, operation.is_get ? operation.read_from.bytes() : Bytes());
}

}  // namespace hindcast::cellos
