// What all ranks of a run on the T3E share of MPI's library, and what the machine's file says of it.
#pragma once

#include <map>
#include <optional>

#include "mpi_impl/libraries/cray/mpi/message.hpp"
#include "mpi_impl/transport/local_costs.hpp"
#include "simulator/engine/engine.hpp"
#include "simulator/engine/memory/buffer_pool.hpp"
#include "simulator/engine/recorder.hpp"

namespace hindcast::mpi {

struct T3eSettings {
  FixedStep send_call;  // what a call of MPI's that sends takes, and one that receives
  FixedStep receive_call;
  FixedStep message;       // the library's work to make a protocol message and put it; sending it comes on top
  FixedStep handling;      // and at its receiver to look for what it is about
  FixedStep search;        // for each element of a list that a search passes, by whose processor searches
  FixedStep look;          // in a call that makes progress: whether something has come
  FixedStep barrier_look;  // whether the hardware's barrier is over
  LocalCosts local;
  const T3eProtocol* shortest = nullptr;
  Bytes short_max;   // up to here that one
  Bytes medium_max;  // up to here `medium`
  const T3eProtocol* medium = nullptr;
  const T3eProtocol* longer = nullptr;  // than that
  Bytes synchronous_min;
  const T3eProtocol* synchronous = nullptr;  // for those that are, from there on
  Bytes slot_data;                           // of a message that takes several slots, in each
  std::optional<FixedStep> barrier_call;     // of the hardware's, if it has that
};

class T3eShared final : public LostMessages {
 public:
  T3eShared(Engine& engine, const T3eSettings& settings) : engine_(engine), settings_(settings) {}
  T3eShared(const T3eShared&) = delete;
  T3eShared& operator=(const T3eShared&) = delete;

  const T3eSettings& settings() const { return settings_; }
  BufferPool& pool() { return pool_; }
  // Of a rank whose copies go through this port, or through none.
  const LocalCosts& local_with(MemoryPort* memory) {
    LocalCosts& local = local_.try_emplace(memory, settings_.local).first->second;
    local.memory = memory;
    return local;
  }

  template <typename T>
  T& make() {
    T* const made = new (pool_.take(sizeof(T))) T;
    pool_.fetch(sizeof(T));  // mostly one follows
    return *made;
  }
  template <typename T>
  void free(T& object) {
    object.~T();
    pool_.give_back(&object, sizeof(T));
  }
  void free_message(T3eMessage& message) {
    if (message.lies_in_slots) pool_.give_back(message.data_in_slots, message.bytes.count());
    free(message);
  }
  // Who asks for a message back is told whether its receiver had it before that went.
  void lost(QueueMessage& message) override;

 private:
  Engine& engine_;
  const T3eSettings settings_;
  BufferPool pool_;
  std::map<MemoryPort*, LocalCosts> local_;
};

}  // namespace hindcast::mpi
