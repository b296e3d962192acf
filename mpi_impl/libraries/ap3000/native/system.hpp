// What all nodes of a run share: a message layer's, whose messages land in the nodes' system buffers.
#pragma once

#include "mpi_impl/libraries/ap3000/native/message_controllers.hpp"
#include "mpi_impl/libraries/common/message_layer/system.hpp"

namespace hindcast::ap3000 {

class System final : public layer::System {
 public:
  System(Engine& engine, MessageControllers& controllers, const layer::Costs& costs, EndRun end_run)
      : layer::System(engine, controllers.network(), costs, std::move(end_run)), controllers_(controllers) {}

  SystemBuffer& buffer_at(int place) { return controllers_.buffer_at(place); }
  Room* room_at(int place) override { return &buffer_at(place); }
  Bytes longest_message() const override {
    return Bytes(controllers_.system_buffer().count() - costs().header.count());
  }

 private:
  void leave_room(layer::Message& message) override {
    if (message.room != nullptr) static_cast<SystemBuffer*>(message.room)->release(message.bytes);
  }

  MessageControllers& controllers_;
};

}  // namespace hindcast::ap3000
