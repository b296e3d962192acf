// put and get: data goes straight from one cell's memory to another's, with no copy at either end and no call there.
//
// The caller's message controller reads what is put from the program's memory, item by item, and it travels as one
// message. The other cell's system is interrupted to have it written, and answers with an empty message: it is done
// when that has come back. A get is an empty message, which interrupts the other cell, and the data comes back. Neither
// needs room in a ring buffer.
#pragma once

#include "mpi_impl/native/cellos_message.hpp"

namespace hindcast::cellos {

class System;

// So many items of so many bytes, each so far behind the one before.
struct Strided {
  void* first = nullptr;
  int items = 0;
  int item_bytes = 0;
  int stride = 0;

  Bytes bytes() const { return Bytes(static_cast<std::uint64_t>(items) * static_cast<std::uint64_t>(item_bytes)); }
};

// Told, in a handler, that an operation is over: the data is where it was to be, now.
class RemoteSink {
 public:
  virtual void done() = 0;

 protected:
  ~RemoteSink() = default;
};

class RemoteMemory final : public EventSink, private TransferSink {
 public:
  explicit RemoteMemory(System& system);

  // By a thread of `caller`. The items here and there may be cut differently, but are as many bytes. The caller's
  // memory may not change before a put, nor be looked at before a get, is over.
  void put(Cell& caller, Cell& other, const Strided& here, const Strided& there, RemoteSink& sink);
  void get(Cell& caller, Cell& other, const Strided& here, const Strided& there, RemoteSink& sink);

 private:
  struct Operation;

  void start(Cell& caller, Cell& other, const Strided& from, const Strided& to, RemoteSink& sink, bool is_get);
  void fire(const Event& event) override;
  void entered(Transfer&) override {}
  void arrived(Transfer& transfer) override;
  void submit(Operation& operation, Cell& from, Cell& to, Bytes data);
  void read(Operation& operation);
  void write(const Operation& operation);
  void interrupt(Operation& operation);
  void serve(Operation& operation);

  System& system_;
  EventOwner owner_;
};

}  // namespace hindcast::cellos
