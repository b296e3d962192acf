! ranks: 2
! Files: opened and closed, views, every way of reading and writing, representations of data.
#include "checks.inc"

! A representation of data: integers with two bytes each.
module short_integers
  use, intrinsic :: iso_c_binding, only: c_ptr, c_f_pointer
#if defined(BY_F08)
  use mpi_f08
#elif defined(BY_MPI)
  use mpi
#endif
  implicit none
#if defined(BY_H)
  include 'mpif.h'
#endif
  integer :: calls = 0
contains
  subroutine extent_in_file(datatype, extent, extra_state, ierror)
    OF_TYPE(MPI_Datatype) :: datatype
    integer(kind=MPI_ADDRESS_KIND) :: extent, extra_state
    integer :: ierror
    extent = 2
    ierror = MPI_SUCCESS
    if (extra_state /= 77 .or. datatype /= MPI_INTEGER) ierror = MPI_ERR_OTHER
  end subroutine

  subroutine convert(in_memory, in_file, count, to_file)
    integer, intent(in) :: count
    integer(kind=4) :: in_memory(count)
    integer(kind=2) :: in_file(count)
    logical, intent(in) :: to_file
    if (to_file) then
      in_file = int(in_memory, 2)
    else
      in_memory = in_file
    end if
    calls = calls + 1
  end subroutine

#if defined(BY_F08)
  subroutine read_them(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    type(c_ptr), value :: userbuf, filebuf
    type(MPI_Datatype) :: datatype
    integer :: count, ierror
    integer(kind=MPI_OFFSET_KIND) :: position
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer(kind=4), pointer :: in_memory(:)
    integer(kind=2), pointer :: in_file(:)
    call c_f_pointer(userbuf, in_memory, [count])
    call c_f_pointer(filebuf, in_file, [count])
    call convert(in_memory, in_file, count, .false.)
    ierror = merge(MPI_SUCCESS, MPI_ERR_OTHER, position == 0 .and. extra_state == 77 .and. datatype == MPI_INTEGER)
  end subroutine
  subroutine write_them(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    type(c_ptr), value :: userbuf, filebuf
    type(MPI_Datatype) :: datatype
    integer :: count, ierror
    integer(kind=MPI_OFFSET_KIND) :: position
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    integer(kind=4), pointer :: in_memory(:)
    integer(kind=2), pointer :: in_file(:)
    call c_f_pointer(userbuf, in_memory, [count])
    call c_f_pointer(filebuf, in_file, [count])
    call convert(in_memory, in_file, count, .true.)
    ierror = merge(MPI_SUCCESS, MPI_ERR_OTHER, position == 0 .and. extra_state == 77 .and. datatype == MPI_INTEGER)
  end subroutine
#else
  subroutine read_them(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    integer :: datatype, count, ierror
    integer(kind=4) :: userbuf(count)
    integer(kind=2) :: filebuf(count)
    integer(kind=MPI_OFFSET_KIND) :: position
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    call convert(userbuf, filebuf, count, .false.)
    ierror = merge(MPI_SUCCESS, MPI_ERR_OTHER, position == 0 .and. extra_state == 77 .and. datatype == MPI_INTEGER)
  end subroutine
  subroutine write_them(userbuf, datatype, count, filebuf, position, extra_state, ierror)
    integer :: datatype, count, ierror
    integer(kind=4) :: userbuf(count)
    integer(kind=2) :: filebuf(count)
    integer(kind=MPI_OFFSET_KIND) :: position
    integer(kind=MPI_ADDRESS_KIND) :: extra_state
    call convert(userbuf, filebuf, count, .true.)
    ierror = merge(MPI_SUCCESS, MPI_ERR_OTHER, position == 0 .and. extra_state == 77 .and. datatype == MPI_INTEGER)
  end subroutine
#endif
end module

program files
  use short_integers, only: calls, extent_in_file, read_them, write_them
#include "mpi_here.inc"
  integer, parameter :: count = 6
  integer(kind=MPI_OFFSET_KIND), parameter :: none = 0, part = count
  character(len=*), parameter :: native = 'native  '
  character(len=200) :: name
  OF_TYPE(MPI_File) :: file
  OF_TYPE(MPI_Request) :: request
  STATUS :: about
  integer, asynchronous :: mine(count), got(count)
  integer :: me, other, ierror, i
  integer(kind=MPI_OFFSET_KIND) :: here, there, offset
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  other = 1 - me
  here = me * part
  there = other * part
  call name_file
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE, &
                     MPI_INFO_NULL, file, ierror)
  CHECK(ierror == MPI_SUCCESS)
  call ask_file
  call set_views
  call at_offsets
  call at_own_pointers
  call at_shared_pointer
  call in_order
  call convert_data
  call handle_errors
  call MPI_File_close(file, ierror)
  CHECK(file == MPI_FILE_NULL)
  call MPI_File_delete(name, MPI_INFO_NULL, ierror)
  CHECK(ierror == MPI_ERR_NO_SUCH_FILE)
  call MPI_Finalize(ierror)
  call finish(me)
contains
  ! One that no other run has.
  subroutine name_file
    integer :: values(8), unit
    character(len=40) :: stamp
    logical :: is_there
    if (me == 0) then
      i = 0
      do
        call date_and_time(values=values)
        call system_clock(unit)
        write (stamp, '(i0, a, i0, a, i0)') values(8) + 1000 * values(7), '-', unit, '-', i
        name = '/tmp/hindcast-fortran-' // trim(stamp)
        inquire (file=name, exist=is_there)
        if (.not. is_there) then
          open (newunit=unit, file=name, status='new', iostat=ierror)
          if (ierror == 0) close (unit)
          if (ierror == 0) exit
        end if
        i = i + 1
      end do
    end if
    call MPI_Bcast(name, len(name), MPI_CHARACTER, 0, MPI_COMM_WORLD, ierror)
  end subroutine

  subroutine ask_file
    OF_TYPE(MPI_Group) :: group
    OF_TYPE(MPI_Info) :: info
    integer :: mode, size
    logical :: flag
    integer(kind=MPI_ADDRESS_KIND) :: extent
    call MPI_File_get_amode(file, mode, ierror)
    CHECK(mode == MPI_MODE_CREATE + MPI_MODE_RDWR + MPI_MODE_DELETE_ON_CLOSE)
    call MPI_File_get_group(file, group, ierror)
    call MPI_Group_size(group, size, ierror)
    CHECK(size == 2)
    call MPI_File_preallocate(file, 40 + none, ierror)
    call MPI_File_get_size(file, offset, ierror)
    CHECK(offset == 40)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_File_set_size(file, 8 + none, ierror)
    call MPI_File_get_size(file, offset, ierror)
    CHECK(offset == 8)
    call MPI_File_get_info(file, info, ierror)
    CHECK(info /= MPI_INFO_NULL)
    call MPI_File_set_info(file, info, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Info_free(info, ierror)
    call MPI_File_set_atomicity(file, .true., ierror)
    call MPI_File_get_atomicity(file, flag, ierror)
    CHECK(flag)
    call MPI_File_set_atomicity(file, .false., ierror)
    call MPI_File_get_type_extent(file, MPI_DOUBLE_PRECISION, extent, ierror)
    CHECK(extent == 8)
  end subroutine

  subroutine set_views
    OF_TYPE(MPI_Datatype) :: etype, filetype
    character(len=20) :: representation
    call MPI_File_set_view(file, 8 + none, MPI_INTEGER, MPI_INTEGER, native, MPI_INFO_NULL, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_File_get_view(file, offset, etype, filetype, representation, ierror)
    CHECK(offset == 8 .and. etype == MPI_INTEGER .and. filetype == MPI_INTEGER .and. representation == 'native')
    call MPI_File_get_byte_offset(file, 3 + none, offset, ierror)
    CHECK(offset == 20)
    call MPI_File_seek(file, 5 + none, MPI_SEEK_SET, ierror)
    call MPI_File_seek(file, -1 + none, MPI_SEEK_CUR, ierror)
    call MPI_File_get_position(file, offset, ierror)
    CHECK(offset == 4)
    call MPI_File_seek_shared(file, 7 + none, MPI_SEEK_SET, ierror)
    call MPI_File_get_position_shared(file, offset, ierror)
    CHECK(offset == 7)
  end subroutine

  subroutine make_mine(turn)
    integer, intent(in) :: turn
    mine = [(1000 * turn + 100 * me + i, i = 1, count)]
    got = -1
  end subroutine

  ! What has been read is what the other rank has written in this turn, all of it.
  subroutine check_got(turn)
    integer, intent(in) :: turn
    integer :: there_were
    call MPI_Get_count(about, MPI_INTEGER, there_were, ierror)
    CHECK(there_were == count)
    CHECK(all(got == [(1000 * turn + 100 * other + i, i = 1, count)]))
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end subroutine

  subroutine everybody
    call MPI_File_sync(file, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
  end subroutine

  subroutine at_offsets
    call make_mine(1)
    call MPI_File_write_at(file, here, mine, count, MPI_INTEGER, about, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call everybody
    call MPI_File_read_at(file, there, got, count, MPI_INTEGER, about, ierror)
    call check_got(1)
    call make_mine(2)
    call MPI_File_write_at_all(file, here, mine, count, MPI_INTEGER, about, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call everybody
    call MPI_File_read_at_all(file, there, got, count, MPI_INTEGER, about, ierror)
    call check_got(2)
    call make_mine(3)
    call MPI_File_iwrite_at(file, here, mine, count, MPI_INTEGER, request, ierror)
    call MPI_Wait(request, about, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call everybody
    call MPI_File_iread_at(file, there, got, count, MPI_INTEGER, request, ierror)
    call MPI_Wait(request, about, ierror)
    call check_got(3)
    call make_mine(4)
    call MPI_File_iwrite_at_all(file, here, mine, count, MPI_INTEGER, request, ierror)
    call MPI_Wait(request, about, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call everybody
    call MPI_File_iread_at_all(file, there, got, count, MPI_INTEGER, request, ierror)
    call MPI_Wait(request, about, ierror)
    call check_got(4)
    call make_mine(5)
    call MPI_File_write_at_all_begin(file, here, mine, count, MPI_INTEGER, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_File_write_at_all_end(file, mine, about, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call everybody
    call MPI_File_read_at_all_begin(file, there, got, count, MPI_INTEGER, ierror)
    call MPI_File_read_at_all_end(file, got, about, ierror)
    call check_got(5)
#if defined(BY_F08)
    ! sections, which the call itself describes
    call MPI_File_write_at(file, here, mine(1:count:2), count / 2, MPI_INTEGER, about)
    call everybody
    call MPI_File_read_at(file, there, got(1:count:2), count / 2, MPI_INTEGER, about)
    CHECK(all(got(1:count:2) == [(5000 + 100 * other + i, i = 1, count, 2)]) .and. got(2) == 5000 + 100 * other + 2)
    got = -1
    call MPI_File_iread_at(file, there, got(2:count:2), count / 2, MPI_INTEGER, request)
    call MPI_Wait(request, about)
    CHECK(all(got(2:count:2) == [(5000 + 100 * other + i, i = 1, count, 2)]) .and. got(1) == -1)
    call MPI_Barrier(MPI_COMM_WORLD)
#endif
  end subroutine

  subroutine seek(to)
    integer(kind=MPI_OFFSET_KIND), intent(in) :: to
    call MPI_File_seek(file, to, MPI_SEEK_SET, ierror)
    CHECK(ierror == MPI_SUCCESS)
  end subroutine

  subroutine at_own_pointers
    call make_mine(1)
    call seek(here)
    call MPI_File_write(file, mine, count, MPI_INTEGER, about, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call everybody
    call seek(there)
    call MPI_File_read(file, got, count, MPI_INTEGER, about, ierror)
    call check_got(1)
    call make_mine(2)
    call seek(here)
    call MPI_File_write_all(file, mine, count, MPI_INTEGER, about, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call everybody
    call seek(there)
    call MPI_File_read_all(file, got, count, MPI_INTEGER, about, ierror)
    call check_got(2)
    call make_mine(3)
    call seek(here)
    call MPI_File_iwrite(file, mine, count, MPI_INTEGER, request, ierror)
    call MPI_Wait(request, about, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call everybody
    call seek(there)
    call MPI_File_iread(file, got, count, MPI_INTEGER, request, ierror)
    call MPI_Wait(request, about, ierror)
    call check_got(3)
    call make_mine(4)
    call seek(here)
    call MPI_File_iwrite_all(file, mine, count, MPI_INTEGER, request, ierror)
    call MPI_Wait(request, about, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call everybody
    call seek(there)
    call MPI_File_iread_all(file, got, count, MPI_INTEGER, request, ierror)
    call MPI_Wait(request, about, ierror)
    call check_got(4)
    call make_mine(5)
    call seek(here)
    call MPI_File_write_all_begin(file, mine, count, MPI_INTEGER, ierror)
    call MPI_File_write_all_end(file, mine, about, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call everybody
    call seek(there)
    call MPI_File_read_all_begin(file, got, count, MPI_INTEGER, ierror)
    call MPI_File_read_all_end(file, got, about, ierror)
    call check_got(5)
  end subroutine

  ! Rank 0 goes first, so that it is known who gets what.
  subroutine at_shared_pointer
    integer :: turn
    call MPI_File_seek_shared(file, none, MPI_SEEK_SET, ierror)
    call make_mine(1)
    do turn = 0, 1
      if (turn == me) call MPI_File_write_shared(file, mine, 3, MPI_INTEGER, about, ierror)
      CHECK(ierror == MPI_SUCCESS)
      call MPI_Barrier(MPI_COMM_WORLD, ierror)
      if (turn == me) call MPI_File_iwrite_shared(file, mine(4:6), 3, MPI_INTEGER, request, ierror)
      if (turn == me) call MPI_Wait(request, about, ierror)
      CHECK(ierror == MPI_SUCCESS)
      call everybody
    end do
    call MPI_File_seek_shared(file, none, MPI_SEEK_SET, ierror)
    do turn = 1, 0, -1
      if (turn == me) call MPI_File_read_shared(file, got, 2, MPI_INTEGER, about, ierror)
      CHECK(ierror == MPI_SUCCESS)
      if (turn == me) call MPI_File_iread_shared(file, got(3), 4, MPI_INTEGER, request, ierror)
      if (turn == me) call MPI_Wait(request, about, ierror)
      CHECK(ierror == MPI_SUCCESS)
      call MPI_Barrier(MPI_COMM_WORLD, ierror)
    end do
    CHECK(all(got == [(1000 + 100 * other + i, i = 1, count)]))
  end subroutine

  subroutine in_order
    call MPI_File_seek_shared(file, none, MPI_SEEK_SET, ierror)
    call make_mine(1)
    call MPI_File_write_ordered(file, mine, count, MPI_INTEGER, about, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call make_mine(2)
    call MPI_File_write_ordered_begin(file, mine, count, MPI_INTEGER, ierror)
    call MPI_File_write_ordered_end(file, mine, about, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call everybody
    call MPI_File_seek_shared(file, none, MPI_SEEK_SET, ierror)
    call MPI_File_read_ordered(file, got, count, MPI_INTEGER, about, ierror)
    CHECK(all(got == [(1000 + 100 * me + i, i = 1, count)]))
    call MPI_File_read_ordered_begin(file, got, count, MPI_INTEGER, ierror)
    call MPI_File_read_ordered_end(file, got, about, ierror)
    CHECK(all(got == [(2000 + 100 * me + i, i = 1, count)]))
  end subroutine

  subroutine convert_data
    integer(kind=MPI_ADDRESS_KIND), parameter :: state = 77
    integer(kind=2) :: shorts(count)
    call MPI_Register_datarep('shorts ', read_them, write_them, extent_in_file, state, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_Register_datarep('plain', MPI_CONVERSION_FN_NULL, MPI_CONVERSION_FN_NULL, extent_in_file, state, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_File_set_view(file, none, MPI_INTEGER, MPI_INTEGER, 'shorts', MPI_INFO_NULL, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call make_mine(1)
    call MPI_File_write_at(file, here, mine, count, MPI_INTEGER, about, ierror)
    CHECK(ierror == MPI_SUCCESS .and. calls > 0)
    call everybody
    call MPI_File_read_at(file, there, got, count, MPI_INTEGER, about, ierror)
    call check_got(1)
    call MPI_File_set_view(file, none, MPI_INTEGER2, MPI_INTEGER2, native, MPI_INFO_NULL, ierror)
    call MPI_File_read_at(file, there, shorts, count, MPI_INTEGER2, about, ierror)
    CHECK(all(shorts == [(1000 + 100 * other + i, i = 1, count)]))
  end subroutine

  subroutine handle_errors
    OF_TYPE(MPI_Errhandler) :: handler
    OF_TYPE(MPI_File) :: missing
    call MPI_File_get_errhandler(file, handler, ierror)
    CHECK(handler == MPI_ERRORS_RETURN)
    call MPI_File_set_errhandler(file, MPI_ERRORS_RETURN, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_File_call_errhandler(file, MPI_ERR_IO, ierror)
    CHECK(ierror == MPI_SUCCESS)
    call MPI_File_open(MPI_COMM_WORLD, trim(name) // '-not', MPI_MODE_RDONLY, MPI_INFO_NULL, missing, ierror)
    CHECK(ierror == MPI_ERR_NO_SUCH_FILE .and. missing == MPI_FILE_NULL)
  end subroutine
end program
