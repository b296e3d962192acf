// What an endpoint that matches for itself takes of its rank's processor, as the machine's file describes its node.
#pragma once

#include "mpi_impl/transport/matching_endpoint.hpp"
#include "simulator/engine/kept_texts.hpp"
#include "simulator/machine/node_kind.hpp"

namespace hindcast {

mpi::EndpointCosts endpoint_costs_of(const NodeKind& kind, KeptTexts& texts);

}  // namespace hindcast
