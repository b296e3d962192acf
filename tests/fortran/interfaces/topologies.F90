! ranks: 6
#include "checks.inc"

program topologies
#include "mpi_here.inc"
  integer :: me, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
#if defined(BY_F08)
  call dims_go_both_ways
#endif
  call grids
  call graphs
  call distributed_graphs
  call MPI_Finalize(ierror)
  call finish(me)
contains
#if defined(BY_F08)
  ! The dimensions that are given are read, and those that are chosen are set.
  subroutine dims_go_both_ways
    abstract interface
      subroutine chooses_dims(nnodes, ndims, dims, ierror)
        integer, intent(in) :: nnodes, ndims
        integer, intent(inout) :: dims(*)
        integer, optional, intent(out) :: ierror
      end subroutine
    end interface
    procedure(chooses_dims), pointer :: choose
    integer :: dims(2)
    choose => MPI_Dims_create
    dims = [3, 0]
    call choose(6, 2, dims, ierror)
    CHECK(all(dims == [3, 2]))
  end subroutine
#endif

  subroutine grids
    OF_TYPE(MPI_Comm) :: grid, row
    integer :: shape(2), place(2), ndims, rank, below, above, kind, size
    logical :: periods(2)
    shape = [0, 3]
    call MPI_Dims_create(6, 2, shape, ierror)
    CHECK(all(shape == [2, 3]))
    call MPI_Cart_map(MPI_COMM_WORLD, 2, shape, [.false., .true.], rank, ierror)
    CHECK(rank >= 0 .and. rank < 6)
    call MPI_Cart_create(MPI_COMM_WORLD, 2, shape, [.false., .true.], .false., grid, ierror)
    call MPI_Topo_test(grid, kind, ierror)
    CHECK(kind == MPI_CART)
    call MPI_Cartdim_get(grid, ndims, ierror)
    CHECK(ndims == 2)
    call MPI_Cart_get(grid, 2, shape, periods, place, ierror)
    CHECK(all(shape == [2, 3]) .and. .not. periods(1) .and. periods(2) .and. all(place == [me / 3, mod(me, 3)]))
    call MPI_Cart_rank(grid, [1, 2], rank, ierror)
    CHECK(rank == 5)
    call MPI_Cart_coords(grid, 4, 2, place, ierror)
    CHECK(all(place == [1, 1]))
    call MPI_Cart_shift(grid, 0, 1, below, above, ierror)
    CHECK(below == merge(MPI_PROC_NULL, me - 3, me < 3))
    call MPI_Cart_shift(grid, 1, 1, below, above, ierror)
    CHECK(above == me / 3 * 3 + mod(me + 1, 3))
    call MPI_Cart_sub(grid, [.false., .true.], row, ierror)
    call MPI_Comm_size(row, size, ierror)
    CHECK(size == 3)
    call MPI_Comm_free(row, ierror)
    call MPI_Comm_free(grid, ierror)
  end subroutine

  subroutine graphs
    OF_TYPE(MPI_Comm) :: ring
    integer :: index(6), edges(12), i, nodes, count, neighbours(2), kind, rank
    index = [(2 * i, i = 1, 6)]
    edges = [(modulo(i - 1, 6), modulo(i + 1, 6), i = 0, 5)]
    call MPI_Graph_map(MPI_COMM_WORLD, 6, index, edges, rank, ierror)
    CHECK(rank >= 0 .and. rank < 6)
    call MPI_Graph_create(MPI_COMM_WORLD, 6, index, edges, .false., ring, ierror)
    call MPI_Topo_test(ring, kind, ierror)
    CHECK(kind == MPI_GRAPH)
    call MPI_Graphdims_get(ring, nodes, count, ierror)
    CHECK(nodes == 6 .and. count == 12)
    index = 0
    edges = -1
    call MPI_Graph_get(ring, 6, 12, index, edges, ierror)
    CHECK(index(6) == 12 .and. edges(1) == 5 .and. edges(12) == 0)
    call MPI_Graph_neighbors_count(ring, me, count, ierror)
    CHECK(count == 2)
    call MPI_Graph_neighbors(ring, me, 2, neighbours, ierror)
    CHECK(all(neighbours == modulo([me - 1, me + 1], 6)))
    call MPI_Comm_free(ring, ierror)
  end subroutine

  subroutine distributed_graphs
    OF_TYPE(MPI_Comm) :: ring
    integer :: count, count_out, from(1), to(1), weight(1), weight_out(1)
    logical :: weighted
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, [modulo(me - 1, 6)], [me + 1], 1, [modulo(me + 1, 6)], &
                                        [me + 2], MPI_INFO_NULL, .false., ring, ierror)
    call MPI_Dist_graph_neighbors_count(ring, count, count_out, weighted, ierror)
    CHECK(count == 1 .and. count_out == 1 .and. weighted)
    call MPI_Dist_graph_neighbors(ring, 1, from, weight, 1, to, weight_out, ierror)
    CHECK(from(1) == modulo(me - 1, 6) .and. weight(1) == me + 1)
    CHECK(to(1) == modulo(me + 1, 6) .and. weight_out(1) == me + 2)
    call MPI_Comm_free(ring, ierror)
    call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, [me], [1], [modulo(me + 1, 6)], MPI_UNWEIGHTED, MPI_INFO_NULL, &
                               .false., ring, ierror)
    call MPI_Dist_graph_neighbors_count(ring, count, count_out, weighted, ierror)
    CHECK(count == 1 .and. .not. weighted)
    call MPI_Dist_graph_neighbors(ring, 1, from, MPI_UNWEIGHTED, 1, to, MPI_UNWEIGHTED, ierror)
    CHECK(from(1) == modulo(me - 1, 6))
    call MPI_Comm_free(ring, ierror)
    call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 0, [integer ::], MPI_WEIGHTS_EMPTY, 0, [integer ::], &
                                        MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, .false., ring, ierror)
    call MPI_Dist_graph_neighbors_count(ring, count, count_out, weighted, ierror)
    CHECK(count == 0 .and. weighted)
    call MPI_Comm_free(ring, ierror)
  end subroutine
end program
