// Cartesian topologies, and what topologies have in common.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "mpi_impl/core/communicators/agreement.hpp"
#include "mpi_impl/core/communicators/split.hpp"
#include "mpi_impl/core/process.hpp"

namespace hindcast::mpi::body {

namespace {

const Grid& grid_of(const Comm& comm) { return std::get<Grid>(*comm.topology); }
int dims_of(const Grid& grid) { return static_cast<int>(grid.dims.size()); }

// The number of places, which must not be more than the ranks.
int places(const Comm& comm, int ndims, const int* dims) {
  std::int64_t product = 1;
  for (int d = 0; d < ndims; ++d) {
    if (dims[d] <= 0)
      throw Error{MPI_ERR_DIMS,
                  fmt::format("argument 3 (dims): dims[{}] is {}; a dimension is at least 1", d, dims[d])};
    product *= dims[d];
    if (product > comm.size)
      throw Error{MPI_ERR_DIMS, fmt::format("argument 3 (dims): the grid has more places than {} has ranks ({})",
                                            comm.name(), comm.size)};
  }
  return static_cast<int>(product);
}

void refuse_short_array(const Grid& grid, int argument, int length) {
  if (length < dims_of(grid))
    throw Error{MPI_ERR_ARG, fmt::format("argument {} (maxdims) is {}, but the grid has {} dimensions", argument,
                                         length, dims_of(grid))};
}

int neighbour(const Grid& grid, std::vector<int> coordinates, int direction, std::int64_t distance) {
  const auto d = static_cast<std::size_t>(direction);
  const std::int64_t place = coordinates[d] + distance;
  const std::int64_t size = grid.dims[d];
  if (!grid.is_periodic[d] && (place < 0 || place >= size)) return MPI_PROC_NULL;
  coordinates[d] = static_cast<int>((place % size + size) % size);
  return grid.rank_of(std::move(coordinates));
}

}  // namespace

void Topo_test(Process&, Comm& comm, int& status) {
  constexpr int kinds[] = {MPI_CART, MPI_GRAPH, MPI_DIST_GRAPH};
  status = comm.topology != nullptr ? kinds[comm.topology->index()] : MPI_UNDEFINED;
}

void Dims_create(Process&, int nodes, int ndims, int* dims) {
  std::vector<int> wanted(dims, dims + ndims);
  if (std::any_of(wanted.begin(), wanted.end(), [](int dim) { return dim < 0; }))
    throw Error{MPI_ERR_DIMS, "argument 3 (dims) has a negative element; give 0 for a dimension to be chosen"};
  if (nodes < 1) throw Error{MPI_ERR_DIMS, fmt::format("argument 1 (nnodes) is {}; it must be at least 1", nodes)};
  if (!balance(nodes, wanted))
    throw Error{MPI_ERR_DIMS,
                fmt::format("argument 3 (dims): {} nodes are no multiple of the product of those given", nodes)};
  std::copy(wanted.begin(), wanted.end(), dims);
}

void Cart_create(Process& process, Comm& comm, int ndims, const int* dims, const int* periods, int, MPI_Comm& handle) {
  const int count = places(comm, ndims, dims);
  handle = MPI_COMM_NULL;
  const GroupPointer group = comm.rank < count ? first_members(process.world(), comm, count) : nullptr;
  const std::uint32_t context = agree_on_context(process, comm, {group.get()});
  if (group == nullptr) return;
  Comm& made = make_comm(process, context, group, *comm.errhandler);
  Grid grid{{dims, dims + ndims}, {}};
  for (int d = 0; d < ndims; ++d) grid.is_periodic.push_back(periods[d] != 0);
  made.topology = std::make_shared<const Topology>(std::move(grid));
  handle = made.handle;
}

void Cart_map(Process&, Comm& comm, int ndims, const int* dims, const int*, int& rank) {
  rank = comm.rank < places(comm, ndims, dims) ? comm.rank : MPI_UNDEFINED;
}

void Cartdim_get(Process&, Comm& comm, int& ndims) { ndims = dims_of(grid_of(comm)); }

void Cart_get(Process&, Comm& comm, int longest, int* dims, int* periods, int* coordinates) {
  const Grid& grid = grid_of(comm);
  refuse_short_array(grid, 2, longest);
  std::copy(grid.dims.begin(), grid.dims.end(), dims);
  std::copy(grid.is_periodic.begin(), grid.is_periodic.end(), periods);
  const std::vector<int> mine = grid.coordinates_of(comm.rank);
  std::copy(mine.begin(), mine.end(), coordinates);
}

void Cart_rank(Process&, Comm& comm, const int* coordinates, int& rank) {
  const Grid& grid = grid_of(comm);
  if (coordinates == nullptr && !grid.dims.empty())
    throw Error{MPI_ERR_ARG, "argument 2 (coords) is a null pointer; give an array of coordinates"};
  rank = grid.rank_of({coordinates, coordinates + grid.dims.size()});
  if (rank < 0)
    throw Error{MPI_ERR_ARG, "argument 2 (coords) is outside of the grid in a dimension that is not periodic"};
}

void Cart_coords(Process&, Comm& comm, int rank, int longest, int* coordinates) {
  refuse_short_array(grid_of(comm), 3, longest);
  const std::vector<int> place = grid_of(comm).coordinates_of(rank);
  std::copy(place.begin(), place.end(), coordinates);
}

void Cart_shift(Process&, Comm& comm, int direction, int distance, int& source, int& destination) {
  const Grid& grid = grid_of(comm);
  if (direction < 0 || direction >= dims_of(grid))
    throw Error{MPI_ERR_ARG,
                fmt::format("argument 2 (direction) is {}, but the grid has {} dimensions, numbered from 0", direction,
                            dims_of(grid))};
  const std::vector<int> mine = grid.coordinates_of(comm.rank);
  source = neighbour(grid, mine, direction, -static_cast<std::int64_t>(distance));
  destination = neighbour(grid, mine, direction, distance);
}

void Cart_sub(Process& process, Comm& comm, const int* remains, MPI_Comm& handle) {
  const Grid& grid = grid_of(comm);
  if (remains == nullptr && !grid.dims.empty())
    throw Error{MPI_ERR_ARG, "argument 2 (remain_dims) is a null pointer; give a flag for each dimension"};
  const std::vector<int> mine = grid.coordinates_of(comm.rank);
  Grid left;
  int color = 0, key = 0;
  for (std::size_t d = 0; d < grid.dims.size(); ++d) {
    int& place = remains[d] != 0 ? key : color;
    place = place * grid.dims[d] + mine[d];
    if (remains[d] == 0) continue;
    left.dims.push_back(grid.dims[d]);
    left.is_periodic.push_back(grid.is_periodic[d]);
  }
  Comm& part = *split(process, comm, color, key);
  part.topology = std::make_shared<const Topology>(std::move(left));
  handle = part.handle;
}

}  // namespace hindcast::mpi::body
