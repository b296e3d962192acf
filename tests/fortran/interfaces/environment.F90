! ranks: 2
! flags: -fcray-pointer
#include "checks.inc"

program environment
#include "mpi_here.inc"
  integer :: me, ierror, provided
  logical :: flag
  call MPI_Initialized(flag, ierror)
  CHECK(.not. flag)
  call MPI_Init_thread(MPI_THREAD_SINGLE, provided, ierror)
  CHECK(provided >= MPI_THREAD_SINGLE)
  call MPI_Initialized(flag, ierror)
  CHECK(flag)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  call asked
  call errors
  call hints
  call memory
  call MPI_Pcontrol(1)
  call MPI_Finalized(flag, ierror)
  CHECK(.not. flag)
  call MPI_Finalize(ierror)
  call MPI_Finalized(flag, ierror)
  CHECK(flag)
  call finish(me)
contains
  subroutine asked
    integer :: version, subversion, length, level
    character(len=MPI_MAX_LIBRARY_VERSION_STRING) :: text
    character(len=MPI_MAX_PROCESSOR_NAME) :: name
    double precision :: before
    logical :: flag
    call MPI_Get_version(version, subversion, ierror)
    CHECK(version == MPI_VERSION .and. subversion == MPI_SUBVERSION)
    call MPI_Get_library_version(text, length, ierror)
    CHECK(index(text, 'hindcast') > 0 .and. length == len_trim(text))
    name = repeat('#', MPI_MAX_PROCESSOR_NAME)
    call MPI_Get_processor_name(name, length, ierror)
    CHECK(length == len_trim(name) .and. index(name, '#') == 0)
    before = MPI_Wtime()
    CHECK(MPI_Wtime() > before .and. MPI_Wtick() > 0 .and. MPI_Wtick() < 1e-3)
    call MPI_Query_thread(level, ierror)
    CHECK(level == provided)
    call MPI_Is_thread_main(flag, ierror)
    CHECK(flag)
  end subroutine

  subroutine errors
    integer :: code, class, length, mine, number
    character(len=MPI_MAX_ERROR_STRING) :: text
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
    call MPI_Send(me, -1, MPI_INTEGER, 0, 1, MPI_COMM_WORLD, code)
    call MPI_Error_class(code, class, ierror)
    CHECK(class == MPI_ERR_COUNT)
    call MPI_Error_string(code, text, length, ierror)
    CHECK(length == len_trim(text) .and. index(text, 'count') > 0)
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL, ierror)
    call MPI_Add_error_class(mine, ierror)
    CHECK(mine > MPI_ERR_LASTCODE)
    call MPI_Add_error_code(mine, number, ierror)
    call MPI_Error_string(number, text, length, ierror)
    CHECK(text == '' .and. length == 0)
    call MPI_Add_error_string(number, '  out of tea  ', ierror)
    call MPI_Error_string(number, text, length, ierror)
    CHECK(text == '  out of tea' .and. length == 12)
    call MPI_Error_class(number, class, ierror)
    CHECK(class == mine)
  end subroutine

  subroutine hints
    OF_TYPE(MPI_Info) :: info, copy
    character(len=20) :: value
    character(len=MPI_MAX_INFO_KEY) :: key
    integer :: keys, length
    logical :: flag
    call MPI_Info_create(info, ierror)
    call MPI_Info_set(info, ' colour ', '  deep blue  ', ierror)
    call MPI_Info_set(info, 'size', '3', ierror)
    call MPI_Info_get_nkeys(info, keys, ierror)
    CHECK(keys == 2)
    call MPI_Info_get_nthkey(info, 0, key, ierror)
    CHECK(key == 'colour')
    call MPI_Info_get_valuelen(info, 'colour', length, flag, ierror)
    CHECK(flag .and. length == 9)
    value = 'x'
    call MPI_Info_get(info, 'colour', 20, value, flag, ierror)
    CHECK(flag .and. value == 'deep blue')
    call MPI_Info_get(info, 'colour', 4, value, flag, ierror)
    CHECK(flag .and. value == 'deep')
    call MPI_Info_get(info, 'shape', 20, value, flag, ierror)
    CHECK(.not. flag .and. value == 'deep')
    value = 'x'
    length = 0
    call MPI_Info_get_string(info, 'colour', length, value, flag, ierror)
    CHECK(flag .and. length == 9 .and. value == 'x')
    length = 4
    call MPI_Info_get_string(info, ' colour ', length, value, flag, ierror)
    CHECK(flag .and. length == 9 .and. value == 'deep')
    call MPI_Info_get_string(info, 'colour', length, value, flag, ierror)
    CHECK(flag .and. length == 9 .and. value == 'deep blue')
    call MPI_Info_get_string(info, 'shape', length, value, flag, ierror)
    CHECK(.not. flag .and. length == 9 .and. value == 'deep blue')
    call MPI_Info_dup(info, copy, ierror)
    call MPI_Info_delete(info, 'size', ierror)
    call MPI_Info_get_nkeys(info, keys, ierror)
    CHECK(keys == 1)
    call MPI_Info_get_nkeys(copy, keys, ierror)
    CHECK(keys == 2)
    call MPI_Info_free(info, ierror)
    call MPI_Info_free(copy, ierror)
    CHECK(info == MPI_INFO_NULL)
  end subroutine

#if defined(BY_F08) || defined(BY_MPI)
  subroutine memory
    use, intrinsic :: iso_c_binding
    type(c_ptr) :: place
    real(8), pointer :: numbers(:)
    call MPI_Alloc_mem(80_MPI_ADDRESS_KIND, MPI_INFO_NULL, place, ierror)
    call c_f_pointer(place, numbers, [10])
    numbers = 2.5d0
    CHECK(sum(numbers) == 25)
    call MPI_F_sync_reg(numbers)
    call MPI_Free_mem(numbers, ierror)
    CHECK(ierror == MPI_SUCCESS)
  end subroutine
#else
  subroutine memory
    real(8) :: numbers(1)
    pointer (place, numbers)
    call MPI_Alloc_mem(80_MPI_ADDRESS_KIND, MPI_INFO_NULL, place, ierror)
    numbers(1) = 2.5d0
    CHECK(place /= 0)
    call MPI_Free_mem(numbers, ierror)
    CHECK(ierror == MPI_SUCCESS)
  end subroutine
#endif
end program
