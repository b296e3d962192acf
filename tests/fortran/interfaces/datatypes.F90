! ranks: 2
#include "checks.inc"

program datatypes
#include "mpi_here.inc"
  integer :: me, other, ierror
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  other = 1 - me
  call made
  call by_addresses
  call arrays_of_ranks
  call asked
  call packed
  call statuses
  call of_precision
#if !defined(BY_F08)
  call of_mpi_1
#endif
  call MPI_Finalize(ierror)
  call finish(me)
contains
  ! What 24 integers become when they are sent as one element and received one after another; -1 is not sent.
  subroutine travels(type, expected)
    OF_TYPE(MPI_Datatype) :: type
    integer, intent(in) :: expected(:)
    integer :: numbers(24), got(24), i
    numbers = [(i, i = 1, 24)]
    got = -1
    call MPI_Type_commit(type, ierror)
    call MPI_Sendrecv(numbers, 1, type, other, 1, got, 24, MPI_INTEGER, other, 1, MPI_COMM_WORLD, &
                      MPI_STATUS_IGNORE, ierror)
    CHECK(all(got(:size(expected)) == expected))
    CHECK(size(expected) == 24 .or. all(got(size(expected) + 1:) == -1))
    call MPI_Type_free(type, ierror)
    CHECK(type == MPI_DATATYPE_NULL)
  end subroutine

  subroutine made
    OF_TYPE(MPI_Datatype) :: type, copy, types(2)
    integer(MPI_ADDRESS_KIND) :: lb, extent
    call MPI_Type_contiguous(3, MPI_INTEGER, type, ierror)
    call travels(type, [1, 2, 3])
    call MPI_Type_vector(3, 2, 5, MPI_INTEGER, type, ierror)
    call travels(type, [1, 2, 6, 7, 11, 12])
    call MPI_Type_create_hvector(2, 1, 12_MPI_ADDRESS_KIND, MPI_INTEGER, type, ierror)
    call travels(type, [1, 4])
    call MPI_Type_indexed(3, [1, 2, 1], [0, 4, 9], MPI_INTEGER, type, ierror)
    call travels(type, [1, 5, 6, 10])
    call MPI_Type_create_hindexed(2, [1, 2], [4_MPI_ADDRESS_KIND, 16_MPI_ADDRESS_KIND], MPI_INTEGER, type, ierror)
    call travels(type, [2, 5, 6])
    call MPI_Type_create_indexed_block(2, 2, [3, 7], MPI_INTEGER, type, ierror)
    call travels(type, [4, 5, 8, 9])
    call MPI_Type_create_hindexed_block(2, 1, [8_MPI_ADDRESS_KIND, 20_MPI_ADDRESS_KIND], MPI_INTEGER, type, ierror)
    call travels(type, [3, 6])
    types = MPI_INTEGER
    call MPI_Type_create_struct(2, [1, 2], [0_MPI_ADDRESS_KIND, 40_MPI_ADDRESS_KIND], types, type, ierror)
    call travels(type, [1, 11, 12])
    call MPI_Type_create_subarray(2, [6, 4], [2, 3], [1, 1], MPI_ORDER_FORTRAN, MPI_INTEGER, type, ierror)
    call travels(type, [8, 9, 14, 15, 20, 21])
    call MPI_Type_create_subarray(2, [4, 6], [2, 2], [1, 3], MPI_ORDER_C, MPI_INTEGER, type, ierror)
    call travels(type, [10, 11, 16, 17])
    call MPI_Type_create_darray(2, 1, 1, [24], [MPI_DISTRIBUTE_BLOCK], [MPI_DISTRIBUTE_DFLT_DARG], [2], &
                                MPI_ORDER_FORTRAN, MPI_INTEGER, type, ierror)
    call travels(type, [13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24])
    call MPI_Type_create_resized(MPI_INTEGER, -4_MPI_ADDRESS_KIND, 20_MPI_ADDRESS_KIND, type, ierror)
    call MPI_Type_get_extent(type, lb, extent, ierror)
    CHECK(lb == -4 .and. extent == 20)
    call MPI_Type_contiguous(2, type, copy, ierror)
    call travels(copy, [1, 6])
    call MPI_Type_dup(type, copy, ierror)
    CHECK(copy /= type)
    call travels(copy, [1])
    call MPI_Type_free(type, ierror)
  end subroutine

  subroutine by_addresses
    OF_TYPE(MPI_Datatype) :: type, types(2)
    integer(MPI_ADDRESS_KIND) :: addresses(2)
    integer, save :: number
    double precision, save :: value
    number = me + 1
    value = me + 0.25d0
    call MPI_Get_address(number, addresses(1), ierror)
    call MPI_Get_address(value, addresses(2), ierror)
    CHECK(MPI_Aint_diff(MPI_Aint_add(addresses(1), 12_MPI_ADDRESS_KIND), addresses(1)) == 12)
    types(1) = MPI_INTEGER
    types(2) = MPI_DOUBLE_PRECISION
    call MPI_Type_create_struct(2, [1, 1], addresses, types, type, ierror)
    call MPI_Type_commit(type, ierror)
    call MPI_Bcast(MPI_BOTTOM, 1, type, 1, MPI_COMM_WORLD, ierror)
    CHECK(ierror == MPI_SUCCESS .and. number == 2 .and. value == 1.25d0)
    call MPI_Type_free(type, ierror)
  end subroutine

  subroutine arrays_of_ranks
    integer :: numbers(8), sums(8)
    numbers = me + 1
    call MPI_Allreduce(numbers, sums, 8, MPI_INTEGER4, MPI_SUM, MPI_COMM_WORLD, ierror)
    CHECK(all(sums == 3))
  end subroutine

  subroutine asked
    OF_TYPE(MPI_Datatype) :: type, parts(1)
    character(len=MPI_MAX_OBJECT_NAME) :: name
    integer :: size, length, integers(3), counts(3), combiner
    integer(MPI_ADDRESS_KIND) :: lb, extent, addresses(1)
    integer(MPI_COUNT_KIND) :: large, large_lb
    call MPI_Type_vector(3, 2, 5, MPI_INTEGER, type, ierror)
    call MPI_Type_size(type, size, ierror)
    CHECK(size == 24)
    call MPI_Type_size_x(type, large, ierror)
    CHECK(large == 24)
    call MPI_Type_get_extent(type, lb, extent, ierror)
    CHECK(lb == 0 .and. extent == 48)
    call MPI_Type_get_extent_x(type, large_lb, large, ierror)
    CHECK(large_lb == 0 .and. large == 48)
    call MPI_Type_get_true_extent(type, lb, extent, ierror)
    CHECK(lb == 0 .and. extent == 48)
    call MPI_Type_get_true_extent_x(type, large_lb, large, ierror)
    CHECK(large_lb == 0 .and. large == 48)
    call MPI_Type_get_envelope(type, counts(1), counts(2), counts(3), combiner, ierror)
    CHECK(all(counts == [3, 0, 1]) .and. combiner == MPI_COMBINER_VECTOR)
    call MPI_Type_get_contents(type, 3, 0, 1, integers, addresses, parts, ierror)
    CHECK(all(integers == [3, 2, 5]) .and. parts(1) == MPI_INTEGER)
    call MPI_Type_set_name(type, '  every fifth  ', ierror)
    name = repeat('x', MPI_MAX_OBJECT_NAME)
    call MPI_Type_get_name(type, name, length, ierror)
    CHECK(name == '  every fifth' .and. length == 13)
    call MPI_Type_get_name(MPI_DOUBLE_PRECISION, name, length, ierror)
    CHECK(name == 'MPI_DOUBLE_PRECISION')
    call MPI_Type_free(type, ierror)
  end subroutine

  subroutine packed
    character :: buffer(200)
    integer :: position, size, number, numbers(3)
    integer(MPI_ADDRESS_KIND) :: at, external_size
    double precision :: value
    position = 0
    call MPI_Pack_size(3, MPI_INTEGER, MPI_COMM_WORLD, size, ierror)
    CHECK(size >= 12)
    call MPI_Pack([4, 5, 6], 3, MPI_INTEGER, buffer, 200, position, MPI_COMM_WORLD, ierror)
    call MPI_Pack(2.5d0, 1, MPI_DOUBLE_PRECISION, buffer, 200, position, MPI_COMM_WORLD, ierror)
    size = position
    position = 0
    call MPI_Unpack(buffer, size, position, numbers, 3, MPI_INTEGER, MPI_COMM_WORLD, ierror)
    call MPI_Unpack(buffer, size, position, value, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierror)
    CHECK(all(numbers == [4, 5, 6]) .and. value == 2.5d0 .and. position == size)
    call MPI_Pack_external_size('external32', 1, MPI_INTEGER, external_size, ierror)
    CHECK(external_size == 4)
    at = 0
    call MPI_Pack_external('external32', 258, 1, MPI_INTEGER, buffer, 200_MPI_ADDRESS_KIND, at, ierror)
    CHECK(at == 4 .and. all(ichar(buffer(:4)) == [0, 0, 1, 2]))
    at = 0
    call MPI_Unpack_external('external32', buffer, 4_MPI_ADDRESS_KIND, at, number, 1, MPI_INTEGER, ierror)
    CHECK(number == 258)
  end subroutine

  subroutine statuses
    STATUS :: got
    integer :: count
    integer(MPI_COUNT_KIND) :: large
    logical :: flag
    call MPI_Recv(count, 1, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, got, ierror)
    call MPI_Status_set_elements(got, MPI_INTEGER, 7, ierror)
    call MPI_Get_elements(got, MPI_INTEGER, count, ierror)
    CHECK(count == 7)
    call MPI_Status_set_elements_x(got, MPI_INTEGER, 9_MPI_COUNT_KIND, ierror)
    call MPI_Get_elements_x(got, MPI_INTEGER, large, ierror)
    CHECK(large == 9)
    call MPI_Status_set_cancelled(got, .true., ierror)
    call MPI_Test_cancelled(got, flag, ierror)
    CHECK(flag)
    call MPI_Status_set_cancelled(got, .false., ierror)
    call MPI_Test_cancelled(got, flag, ierror)
    CHECK(.not. flag)
#if defined(BY_F08) || defined(BY_MPI)
    call convert
#endif
  end subroutine

#if defined(BY_F08) || defined(BY_MPI)
  ! Each of the two modules knows both sorts.
  subroutine convert
    type(MPI_Status) :: new, back
    integer, dimension(MPI_STATUS_SIZE) :: old, again
    STATUS :: got
    integer :: count
    call MPI_Recv(count, 1, MPI_INTEGER, MPI_PROC_NULL, 1, MPI_COMM_WORLD, got, ierror)
    call MPI_Status_set_elements(got, MPI_INTEGER, 9, ierror)
#if defined(BY_F08)
    new = got
#else
    call MPI_Status_f2f08(got, new, ierror)
    CHECK(new%MPI_SOURCE == MPI_PROC_NULL .and. new%MPI_TAG == MPI_ANY_TAG)
#endif
    new%MPI_TAG = 17
    call MPI_Status_f082f(new, old, ierror)
    CHECK(old(MPI_TAG) == 17 .and. old(MPI_SOURCE) == MPI_PROC_NULL)
    call MPI_Status_f2f08(old, back, ierror)
    CHECK(back%MPI_TAG == 17 .and. back%MPI_SOURCE == MPI_PROC_NULL)
    call MPI_Status_f082f(back, again, ierror)
    CHECK(all(again == old))
#if defined(BY_F08)
    call MPI_Get_elements(back, MPI_INTEGER, count)
#else
    call MPI_Get_elements(again, MPI_INTEGER, count, ierror)
#endif
    CHECK(count == 9)
  end subroutine
#endif

  subroutine of_precision
    OF_TYPE(MPI_Datatype) :: type
    integer :: size
    call MPI_Type_create_f90_real(15, 300, type, ierror)
    call MPI_Type_size(type, size, ierror)
    CHECK(size == 8)
    call MPI_Type_create_f90_complex(6, MPI_UNDEFINED, type, ierror)
    call MPI_Type_size(type, size, ierror)
    CHECK(size == 8)
    call MPI_Type_create_f90_integer(12, type, ierror)
    call MPI_Type_size(type, size, ierror)
    CHECK(size == 8)
    call MPI_Type_match_size(MPI_TYPECLASS_REAL, 4, type, ierror)
    CHECK(type == MPI_REAL .or. type == MPI_REAL4)
#if defined(BY_F08) || defined(BY_MPI)
    call sizes
#endif
  end subroutine

#if defined(BY_F08) || defined(BY_MPI)
  subroutine sizes
    integer :: size
    integer(2) :: short(3)
    complex(8) :: number
    real(4) :: table(2, 2)
    logical :: truth
    call MPI_Sizeof(short, size, ierror)
    CHECK(size == 2)
    call MPI_Sizeof(number, size, ierror)
    CHECK(size == 16)
    call MPI_Sizeof(table, size, ierror)
    CHECK(size == 4)
    call MPI_Sizeof(truth, size, ierror)
    CHECK(size == 4)
  end subroutine
#endif

#if !defined(BY_F08)
  subroutine of_mpi_1
    integer :: type, extent, types(2)
    call MPI_Type_hvector(2, 1, 12, MPI_INTEGER, type, ierror)
    call travels(type, [1, 4])
    call MPI_Type_hindexed(2, [1, 2], [4, 16], MPI_INTEGER, type, ierror)
    call travels(type, [2, 5, 6])
    types = MPI_INTEGER
    call MPI_Type_struct(2, [1, 2], [0, 40], types, type, ierror)
    call travels(type, [1, 11, 12])
    call MPI_Type_vector(3, 2, 5, MPI_INTEGER, type, ierror)
    call MPI_Type_extent(type, extent, ierror)
    CHECK(extent == 48)
    call MPI_Type_ub(type, extent, ierror)
    CHECK(extent == 48)
    call MPI_Type_lb(type, extent, ierror)
    CHECK(extent == 0)
    call MPI_Type_free(type, ierror)
    call MPI_Address(MPI_BOTTOM, extent, ierror)
    CHECK(extent == 0)
  end subroutine
#endif
end program
