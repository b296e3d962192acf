! What a Fortran program may tell hindcast about itself, as C programs do by hindcast.h. A program may call these without
! the module, too; what they are given is of double precision.
module hindcast
  implicit none
  interface
    ! So many floating-point operations, at the machine's rate for them.
    subroutine hindcast_compute_flops(flops)
      double precision, intent(in) :: flops
    end subroutine
    ! So many bytes moved between the processor and its memory, at the memory's rate.
    subroutine hindcast_compute_bytes(bytes)
      double precision, intent(in) :: bytes
    end subroutine
    ! So many seconds of the simulated processor.
    subroutine hindcast_compute_seconds(seconds)
      double precision, intent(in) :: seconds
    end subroutine
    ! So many bytes from there on are read or written: they are in the processor's cache now. It takes no time.
    subroutine hindcast_touch_memory(memory, bytes)
      type(*), dimension(*), intent(in) :: memory
      double precision, intent(in) :: bytes
    end subroutine
  end interface
end module
