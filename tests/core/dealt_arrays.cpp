// Distributed arrays against the standard's formulas for whose each element is.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "mpi_impl/core/datatypes/datatype.hpp"
#include "mpi_impl/core/datatypes/type_map.hpp"

namespace hindcast::mpi {
namespace {

// A random array: each element of it belongs to one of the processes, as the standard's formulas say.
TEST(DealtArrays, AreDealtOutWhollyAndInOrder) {
  std::mt19937 random(20);
  const TypeMapPointer integer = map_of(*predefined_datatype(MPI_INT));
  const auto number = [&](int from, int to) { return std::uniform_int_distribution(from, to)(random); };
  for (int turn = 0; turn < 300; ++turn) {
    SCOPED_TRACE("turn " + std::to_string(turn));
    std::vector<Distribution> grid;
    int processes = 1, elements = 1;
    for (int d = number(1, 3); d > 0; --d) {
      Distribution dimension{number(1, 7), number(0, 2), MPI_DISTRIBUTE_DFLT_DARG, number(1, 3)};
      if (dimension.kind == MPI_DISTRIBUTE_NONE) dimension.processes = 1;
      if (dimension.kind == MPI_DISTRIBUTE_CYCLIC && number(0, 1) == 0) dimension.argument = number(1, 3);
      if (dimension.kind == MPI_DISTRIBUTE_BLOCK && number(0, 1) == 0)
        dimension.argument = (dimension.size + dimension.processes - 1) / dimension.processes + number(0, 2);
      processes *= dimension.processes;
      elements *= dimension.size;
      grid.push_back(dimension);
    }
    const int order = number(0, 1) == 0 ? MPI_ORDER_C : MPI_ORDER_FORTRAN;
    std::vector<int> array(static_cast<std::size_t>(elements));
    for (int i = 0; i < elements; ++i) array[static_cast<std::size_t>(i)] = i;
    std::vector<bool> seen(array.size());
    for (int rank = 0; rank < processes; ++rank) {
      const TypeMapPointer map = darray_type(processes, rank, grid, order, integer);
      ASSERT_EQ(map->lower_bound, 0);
      ASSERT_EQ(map->extent(), 4 * elements);
      std::vector<int> mine(map->size / 4);
      pack(*map->layout(), map->extent(), array.data(), 0, map->size, mine.data());
      EXPECT_TRUE(std::is_sorted(mine.begin(), mine.end()));
      for (const int element : mine) {
        ASSERT_FALSE(seen[static_cast<std::size_t>(element)]);
        seen[static_cast<std::size_t>(element)] = true;
        // Whose it is, dimension by dimension.
        int rest = element, owner = 0;
        std::vector<int> index(grid.size());
        for (std::size_t i = 0; i < grid.size(); ++i) {
          const std::size_t d = order == MPI_ORDER_C ? grid.size() - 1 - i : i;
          index[d] = rest % grid[d].size;
          rest /= grid[d].size;
        }
        for (std::size_t d = 0; d < grid.size(); ++d) {
          const Distribution& dimension = grid[d];
          int length = dimension.argument;
          if (length == MPI_DISTRIBUTE_DFLT_DARG)
            length = dimension.kind == MPI_DISTRIBUTE_CYCLIC
                         ? 1
                         : (dimension.size + dimension.processes - 1) / dimension.processes;
          const int place = dimension.kind == MPI_DISTRIBUTE_NONE ? 0 : index[d] / length % dimension.processes;
          owner = owner * dimension.processes + place;
        }
        ASSERT_EQ(owner, rank) << "element " << element;
      }
      if (!mine.empty()) {
        EXPECT_EQ(map->true_lower_bound, 4 * mine.front());
        EXPECT_EQ(map->true_upper_bound, 4 * mine.back() + 4);
      }
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), true), elements);
    if (HasFailure()) return;
  }
}
}  // namespace
}  // namespace hindcast::mpi
