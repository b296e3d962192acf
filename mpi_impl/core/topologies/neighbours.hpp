// A rank's neighbours in the topology of its communicator: whom neighbourhood collectives receive from and send to.
#pragma once

#include <vector>

#include "mpi_impl/core/communicators/communicator.hpp"

namespace hindcast::mpi {

// In the order of their blocks. On a grid two for each dimension, the one before and the one after; beyond an edge
// MPI_PROC_NULL.
struct Neighbours {
  std::vector<int> sources;
  std::vector<int> destinations;
  bool are_of_grid = false;
};

// Of a communicator that has a topology. An error if a graph has an edge to a neighbour, but not as many back: of a
// graph that all ranks share the edges serve both ways.
Neighbours neighbours_of(const Comm& comm);
int in_degree_of(const Comm& comm);
int out_degree_of(const Comm& comm);

}  // namespace hindcast::mpi
