! Heat that spreads in a cube, by its Fourier transform. The spectrum of the start is kept, each step multiplies it and
! transforms it back. Each rank has a slab of planes; an all-to-all turns the slabs.   spectral_heat
! Right if after each step two waves have faded as the equation says.
module cube
  use mpi
  use hindcast
  implicit none
  integer, parameter :: n = 32
  real(8), parameter :: pi = acos(-1d0), spread = 1d-3
  complex(8), allocatable :: sent(:, :, :, :), received(:, :, :, :)
  integer :: ranks, me, planes
contains
  ! In place, of a power of two of numbers.
  subroutine transform_line(line, sign)
    complex(8), intent(inout) :: line(0:n - 1)
    integer, intent(in) :: sign
    complex(8) :: turn, low, high
    integer :: i, j, k, bit, length
    j = 0
    do i = 1, n - 1
      bit = n / 2
      do while (iand(j, bit) /= 0)
        j = ieor(j, bit)
        bit = bit / 2
      end do
      j = ieor(j, bit)
      if (i < j) line([i, j]) = line([j, i])
    end do
    length = 2
    do while (length <= n)
      do k = 0, length / 2 - 1
        turn = exp(cmplx(0d0, sign * 2 * pi * k / length, 8))
        do i = k, n - 1, length
          low = line(i)
          high = turn * line(i + length / 2)
          line(i) = low + high
          line(i + length / 2) = low - high
        end do
      end do
      length = length * 2
    end do
  end subroutine

  ! Along x and y, of all planes that the rank has.
  subroutine transform_planes(slab, sign)
    complex(8), intent(inout) :: slab(n, n, planes)
    integer, intent(in) :: sign
    integer :: i, z
    do z = 1, planes
      do i = 1, n
        call transform_line(slab(:, i, z), sign)
      end do
      do i = 1, n
        call transform_line(slab(i, :, z), sign)
      end do
    end do
    call hindcast_compute_flops(5d0 * n * log(dble(n)) / log(2d0) * 2 * n * planes)
  end subroutine

  ! Along z, of slabs that have been turned: (z, x, some y).
  subroutine transform_columns(slab, sign)
    complex(8), intent(inout) :: slab(n, n, planes)
    integer, intent(in) :: sign
    integer :: x, y
    do y = 1, planes
      do x = 1, n
        call transform_line(slab(:, x, y), sign)
      end do
    end do
    call hindcast_compute_flops(5d0 * n * log(dble(n)) / log(2d0) * n * planes)
  end subroutine

  ! From (x, y, some z) to (z, x, some y).
  subroutine turn_there(slab, turned)
    complex(8), intent(in) :: slab(n, n, planes)
    complex(8), intent(out) :: turned(n, n, planes)
    integer :: of_rank, ierror
    do of_rank = 0, ranks - 1
      sent(:, :, :, of_rank) = slab(:, of_rank * planes + 1:(of_rank + 1) * planes, :)
    end do
    call exchange(ierror)
    do of_rank = 0, ranks - 1
      turned(of_rank * planes + 1:(of_rank + 1) * planes, :, :) = &
        reshape(received(:, :, :, of_rank), [planes, n, planes], order=[2, 3, 1])
    end do
  end subroutine

  subroutine turn_back(turned, slab)
    complex(8), intent(in) :: turned(n, n, planes)
    complex(8), intent(out) :: slab(n, n, planes)
    integer :: of_rank, ierror
    do of_rank = 0, ranks - 1
      sent(:, :, :, of_rank) = &
        reshape(turned(of_rank * planes + 1:(of_rank + 1) * planes, :, :), [n, planes, planes], order=[3, 1, 2])
    end do
    call exchange(ierror)
    do of_rank = 0, ranks - 1
      slab(:, of_rank * planes + 1:(of_rank + 1) * planes, :) = received(:, :, :, of_rank)
    end do
  end subroutine

  subroutine exchange(ierror)
    integer, intent(out) :: ierror
    call hindcast_compute_bytes(32d0 * size(sent))
    call MPI_Alltoall(sent, n * planes * planes, MPI_DOUBLE_COMPLEX, received, n * planes * planes, &
                      MPI_DOUBLE_COMPLEX, MPI_COMM_WORLD, ierror)
  end subroutine
end module cube

program spectral_heat
  use cube
  implicit none
  integer, parameter :: steps = 4
  ! Two waves: their numbers along x, y and z.
  integer, parameter :: waves(3, 2) = reshape([1, 2, 0, 0, -1, 3], [3, 2])
  complex(8), allocatable :: heat(:, :, :), spectrum(:, :, :), now(:, :, :)
  real(8) :: error, worst, began, took
  integer :: x, y, z, step, ierror

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  planes = n / ranks
  if (planes * ranks /= n) error stop 'the ranks must divide 32'
  allocate (heat(n, n, planes), spectrum(n, n, planes), now(n, n, planes))
  allocate (sent(n, planes, planes, 0:ranks - 1), received(n, planes, planes, 0:ranks - 1))

  do z = 1, planes
    do y = 1, n
      do x = 1, n
        heat(x, y, z) = exact(0, x, y, me * planes + z)
      end do
    end do
  end do
  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  began = MPI_Wtime()
  call transform_planes(heat, -1)
  call turn_there(heat, spectrum)
  call transform_columns(spectrum, -1)
  error = 0
  do step = 1, steps
    do y = 1, planes
      do x = 1, n
        do z = 1, n
          now(z, x, y) = spectrum(z, x, y) * faded(step, [x - 1, me * planes + y - 1, z - 1]) / dble(n)**3
        end do
      end do
    end do
    call hindcast_compute_flops(8d0 * size(now))
    call transform_columns(now, 1)
    call turn_back(now, heat)
    call transform_planes(heat, 1)
    do z = 1, planes
      do y = 1, n
        do x = 1, n
          error = max(error, abs(heat(x, y, z) - exact(step, x, y, me * planes + z)))
        end do
      end do
    end do
  end do
  took = MPI_Wtime() - began
  call MPI_Reduce(error, worst, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, ierror)
  if (me == 0) print '(a, i0, a, l1, a, f0.3, a)', '32^3 points on ', ranks, ' ranks: right ', worst < 1d-12, ', ', &
    took / steps * 1d3, ' ms a step'
  call MPI_Finalize(ierror)

contains
  ! What is left of a wave of these numbers, of which those above the middle are negative ones.
  real(8) function faded(at_step, numbers)
    integer, intent(in) :: at_step, numbers(3)
    integer :: near(3)
    near = modulo(numbers + n / 2, n) - n / 2
    faded = exp(-4 * pi**2 * spread * at_step * sum(near**2))
  end function

  complex(8) function exact(at_step, at_x, at_y, at_z)
    integer, intent(in) :: at_step, at_x, at_y, at_z
    integer :: wave
    exact = 0
    do wave = 1, 2
      exact = exact + faded(at_step, waves(:, wave)) * &
        exp(cmplx(0d0, 2 * pi * dot_product(waves(:, wave), [at_x, at_y, at_z] - 1) / n, 8))
    end do
  end function
end program
