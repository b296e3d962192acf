// What an endpoint that matches for itself takes of its rank's processor, as the machine's file describes its node.
#pragma once

#include "mpi_impl/transport/matching_endpoint.hpp"
#include "simulator/engine/kept_texts.hpp"
#include "simulator/machine/node_kind.hpp"

namespace hindcast {

// The key of what bounds a processor's copy that nobody is in the way of: its own rate, or the port to the memory that
// it shares if that is narrower.
const char* key_that_bounds_copies(const NodeKind& kind, KeptTexts& texts);

mpi::EndpointCosts endpoint_costs_of(const NodeKind& kind, KeptTexts& texts);

}  // namespace hindcast
