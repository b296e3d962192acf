// put and get: data goes straight from one cell's memory to another's, with no copy at either end and no call there.
//
// The caller's message controller reads what is put from the program's memory, item by item, and it travels as one
// message. The other cell's system is interrupted to have it written, and answers with an empty message: it is done
// when that has come back. A get is an empty message, which interrupts the other cell, and the data comes back. Neither
// needs room in a ring buffer. Moving it is remote memory's affair (simulator/hardware/node/remote_memory.hpp).
#pragma once

#include "simulator/hardware/node/remote_memory.hpp"

namespace hindcast::cellos {

class Cell;
class System;

class PutAndGet {
 public:
  PutAndGet(System& system, Network& network);

  // By a thread of `caller`. The items here and there may be cut differently; as many bytes are moved as there are in
  // both. The caller's memory may not change before a put, nor be looked at before a get, is over.
  void put(Cell& caller, Cell& other, const Strided& here, const Strided& there, DoneSink& sink);
  void get(Cell& caller, Cell& other, const Strided& here, const Strided& there, DoneSink& sink);

  // A put that a library makes while it works on a message, and on its behalf: what the act of `memory` that begins it
  // carries. The library takes what the call costs, and its counterpart in the other cell is told as well when the data
  // is there.
  struct LibraryPut {
    Cell& caller;
    Cell& other;
    Strided here;
    Strided there;
    MessageId message;
    DoneSink& done;
    DoneSink& written;
  };
  std::uint64_t request_of(const LibraryPut& put);
  RemoteMemory& memory() { return memory_; }

 private:
  RemoteMemory memory_;
};

}  // namespace hindcast::cellos
