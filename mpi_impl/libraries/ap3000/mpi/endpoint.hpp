// MPI/AP on the AP3000's message layer.
#pragma once

#include "mpi_impl/libraries/ap3000/mpi/group_operations.hpp"
#include "mpi_impl/libraries/ap3000/native/node.hpp"
#include "mpi_impl/libraries/common/message_layer/mpi/endpoint.hpp"

namespace hindcast::mpi {

class Ap3000Endpoint final : public LayerEndpoint {
 public:
  Ap3000Endpoint(ap3000::Node& node, const LayerSettings& settings, const Ap3000GroupOperations::Costs& in_collectives)
      : LayerEndpoint(node, settings), group_operations_(in_collectives) {}

  GroupOperations* group_operations() override { return &group_operations_; }
  const char* why_no_longer_message() const override { return "ap3000.system_buffer less ap3000.header_bytes"; }

 private:
  Ap3000GroupOperations group_operations_;
};

}  // namespace hindcast::mpi
