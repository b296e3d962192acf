! ranks: 2
! A program that starts itself again: arguments, with blanks at their ends, one list for each program. A library that
! starts all its ranks at once says so.
#include "checks.inc"

program processes
#include "mpi_here.inc"
  OF_TYPE(MPI_Comm) :: parent
  integer :: me, ierror
  character(len=200) :: name
  call get_command_argument(0, name)
  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  call MPI_Comm_get_parent(parent, ierror)
  if (parent == MPI_COMM_NULL) then
    call start_one_program
    call start_several
    call start_without_arguments
    call meet_at_a_port
    call MPI_Finalize(ierror)
    call finish(me)
  else
    call be_child
    call MPI_Finalize(ierror)
    if (failures > 0) error stop 1
  end if
contains
  logical function has_started(expected, codes, children)
    integer, intent(in) :: expected, codes(:)
    OF_TYPE(MPI_Comm), intent(inout) :: children
    integer :: class, size
    has_started = ierror == MPI_SUCCESS
    if (has_started) then
      CHECK(all(codes == MPI_SUCCESS))
      call MPI_Comm_remote_size(children, size, ierror)
      CHECK(size == expected)
      call MPI_Comm_disconnect(children, ierror)
      CHECK(children == MPI_COMM_NULL)
    else
      call MPI_Error_class(ierror, class, ierror)
      CHECK(class == MPI_ERR_SPAWN)
      CHECK(all(codes == MPI_ERR_SPAWN))
    end if
  end function

  subroutine start_one_program
    OF_TYPE(MPI_Comm) :: children
    character(len=8) :: arguments(3)
    integer :: codes(2)
    logical :: can
    arguments = [character(len=8) :: 'first', 'a word', ' ']
    codes = -1
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, ierror)
    call MPI_Comm_spawn(name, arguments, 2, MPI_INFO_NULL, 1, MPI_COMM_WORLD, children, codes, ierror)
    can = has_started(2, codes, children)
  end subroutine

  subroutine start_several
    OF_TYPE(MPI_Comm) :: children
    OF_TYPE(MPI_Info) :: infos(2)
    character(len=200) :: names(2)
    character(len=8) :: arguments(2, 2)
    integer :: codes(3)
    logical :: can
    names = name
    infos = MPI_INFO_NULL
    arguments(:, 1) = [character(len=8) :: 'second', 'third']
    arguments(:, 2) = ' '
    codes = -1
    call MPI_Comm_spawn_multiple(2, names, arguments, [1, 2], infos, 0, MPI_COMM_WORLD, children, codes, ierror)
    can = has_started(3, codes, children)
  end subroutine

  subroutine start_without_arguments
    OF_TYPE(MPI_Comm) :: children
    integer :: codes(1)
    logical :: can
    call MPI_Comm_spawn(name, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, codes, ierror)
    can = has_started(1, codes, children)
    if (.not. can) return
    call MPI_Comm_spawn(name, MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, children, MPI_ERRCODES_IGNORE, &
                        ierror)
    can = has_started(1, codes, children)
    call MPI_Comm_spawn_multiple(1, [name], MPI_ARGVS_NULL, [1], [MPI_INFO_NULL], 0, MPI_COMM_WORLD, children, &
                                 MPI_ERRCODES_IGNORE, ierror)
    can = has_started(1, codes, children)
  end subroutine

  ! Rank 0 accepts, rank 1 connects.
  subroutine meet_at_a_port
    OF_TYPE(MPI_Comm) :: both
    character(len=MPI_MAX_PORT_NAME) :: port, found
    integer :: size, class
    port = ' '
    found = ' '
    if (me == 0) then
      call MPI_Open_port(MPI_INFO_NULL, port, ierror)
      call MPI_Publish_name('here', MPI_INFO_NULL, port, ierror)
      CHECK(ierror == MPI_SUCCESS)
    end if
    call MPI_Barrier(MPI_COMM_WORLD, ierror)
    call MPI_Lookup_name('here', MPI_INFO_NULL, found, ierror)
    CHECK(ierror == MPI_SUCCESS .and. found /= ' ')
    if (me == 0) then
      CHECK(found == port)
      call MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, both, ierror)
    else
      call MPI_Comm_connect(found, MPI_INFO_NULL, 0, MPI_COMM_SELF, both, ierror)
    end if
    call MPI_Comm_remote_size(both, size, ierror)
    CHECK(size == 1)
    call MPI_Comm_disconnect(both, ierror)
    if (me == 0) then
      call MPI_Unpublish_name('here', MPI_INFO_NULL, port, ierror)
      CHECK(ierror == MPI_SUCCESS)
      call MPI_Close_port(port, ierror)
      CHECK(ierror == MPI_SUCCESS)
    end if
    call MPI_Comm_join(-1, both, ierror)
    call MPI_Error_class(ierror, class, ierror)
    CHECK(class == MPI_ERR_ARG)
  end subroutine

  subroutine be_child
    character(len=20) :: first, second
    call get_command_argument(1, first)
    call get_command_argument(2, second)
    select case (command_argument_count())
    case (0)
      CHECK(first == ' ')
    case (1)
      CHECK(first == merge('second', 'third ', me == 0))
    case default
      CHECK(first == 'first' .and. second == 'a word')
      CHECK(command_argument_count() == 2)
    end select
    call MPI_Comm_disconnect(parent, ierror)
  end subroutine
end program
