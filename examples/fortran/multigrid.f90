! Poisson's equation in a cube without an edge, by multigrid V-cycles. The ranks are a grid over y and z; on every level
! each exchanges the rims of its block, which are sections of an array, with four neighbours.   multigrid
! Right if each cycle leaves less than a quarter of the residual.
module levels
  use mpi_f08
  use hindcast
  implicit none
  integer, parameter :: finest = 5 ! 2**5 points along x
  type :: grid
    integer :: nx, ny, nz
    real(8) :: step
    real(8), allocatable :: u(:, :, :), f(:, :, :), r(:, :, :)
  end type
  type(grid), target :: all_levels(finest)
  type(MPI_Comm) :: plane
  integer :: low_y, high_y, low_z, high_z, coarsest
contains
  ! Rims from the neighbours; along x the block is its own neighbour.
  subroutine exchange(a)
    real(8), intent(inout), asynchronous :: a(0:, 0:, 0:)
    type(MPI_Request) :: requests(4)
    integer :: nx, ny, nz
    nx = ubound(a, 1) - 1
    ny = ubound(a, 2) - 1
    nz = ubound(a, 3) - 1
    a(0, :, :) = a(nx, :, :)
    a(nx + 1, :, :) = a(1, :, :)
    call MPI_Irecv(a(:, 0, :), (nx + 2) * (nz + 2), MPI_REAL8, low_y, 1, plane, requests(1))
    call MPI_Irecv(a(:, ny + 1, :), (nx + 2) * (nz + 2), MPI_REAL8, high_y, 2, plane, requests(2))
    call MPI_Isend(a(:, ny, :), (nx + 2) * (nz + 2), MPI_REAL8, high_y, 1, plane, requests(3))
    call MPI_Isend(a(:, 1, :), (nx + 2) * (nz + 2), MPI_REAL8, low_y, 2, plane, requests(4))
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
    call MPI_Irecv(a(:, :, 0), (nx + 2) * (ny + 2), MPI_REAL8, low_z, 3, plane, requests(1))
    call MPI_Irecv(a(:, :, nz + 1), (nx + 2) * (ny + 2), MPI_REAL8, high_z, 4, plane, requests(2))
    call MPI_Isend(a(:, :, nz), (nx + 2) * (ny + 2), MPI_REAL8, high_z, 3, plane, requests(3))
    call MPI_Isend(a(:, :, 1), (nx + 2) * (ny + 2), MPI_REAL8, low_z, 4, plane, requests(4))
    call MPI_Waitall(4, requests, MPI_STATUSES_IGNORE)
  end subroutine

  ! r = f + Laplace u
  subroutine find_residual(g)
    type(grid), intent(inout) :: g
    integer :: x, y, z
    do z = 1, g%nz
      do y = 1, g%ny
        do x = 1, g%nx
          g%r(x, y, z) = g%f(x, y, z) + (g%u(x - 1, y, z) + g%u(x + 1, y, z) + g%u(x, y - 1, z) + g%u(x, y + 1, z) + &
            g%u(x, y, z - 1) + g%u(x, y, z + 1) - 6 * g%u(x, y, z)) / g%step**2
        end do
      end do
    end do
    call hindcast_compute_flops(9d0 * g%nx * g%ny * g%nz)
  end subroutine

  subroutine smooth(g, times)
    type(grid), intent(inout) :: g
    integer, intent(in) :: times
    integer :: i
    do i = 1, times
      call find_residual(g)
      g%u(1:g%nx, 1:g%ny, 1:g%nz) = g%u(1:g%nx, 1:g%ny, 1:g%nz) + g%step**2 / 7 * g%r(1:g%nx, 1:g%ny, 1:g%nz)
      call hindcast_compute_flops(2d0 * g%nx * g%ny * g%nz)
      call exchange(g%u)
    end do
  end subroutine

  ! A point of the coarse grid is the mean of the 27 around it.
  subroutine restrict(fine, coarse)
    type(grid), intent(inout) :: fine, coarse
    integer :: x, y, z, i, j, k
    real(8) :: sum
    call exchange(fine%r)
    do z = 1, coarse%nz
      do y = 1, coarse%ny
        do x = 1, coarse%nx
          sum = 0
          do k = -1, 1
            do j = -1, 1
              do i = -1, 1
                sum = sum + fine%r(2 * x + i, 2 * y + j, 2 * z + k) / 2**(3 + abs(i) + abs(j) + abs(k))
              end do
            end do
          end do
          coarse%f(x, y, z) = sum
        end do
      end do
    end do
    call hindcast_compute_flops(54d0 * coarse%nx * coarse%ny * coarse%nz)
  end subroutine

  ! Between points of the coarse grid by straight lines.
  subroutine correct(coarse, fine)
    type(grid), intent(inout) :: coarse, fine
    integer :: x, y, z
    do z = 1, fine%nz
      do y = 1, fine%ny
        do x = 1, fine%nx
          fine%u(x, y, z) = fine%u(x, y, z) + &
            sum(coarse%u(x / 2:(x + 1) / 2, y / 2:(y + 1) / 2, z / 2:(z + 1) / 2)) / &
            ((1 + mod(x, 2)) * (1 + mod(y, 2)) * (1 + mod(z, 2)))
        end do
      end do
    end do
    call hindcast_compute_flops(5d0 * fine%nx * fine%ny * fine%nz)
    call exchange(fine%u)
  end subroutine

  recursive subroutine cycle_from(level)
    integer, intent(in) :: level
    if (level == coarsest) then
      call smooth(all_levels(level), 30)
      return
    end if
    call smooth(all_levels(level), 2)
    call find_residual(all_levels(level))
    call restrict(all_levels(level), all_levels(level - 1))
    all_levels(level - 1)%u = 0
    call cycle_from(level - 1)
    call correct(all_levels(level - 1), all_levels(level))
    call smooth(all_levels(level), 2)
  end subroutine

  real(8) function norm(g)
    type(grid), intent(inout) :: g
    call find_residual(g)
    norm = sum(g%r(1:g%nx, 1:g%ny, 1:g%nz)**2)
    call hindcast_compute_flops(2d0 * g%nx * g%ny * g%nz)
    call MPI_Allreduce(MPI_IN_PLACE, norm, 1, MPI_REAL8, MPI_SUM, plane)
    norm = sqrt(norm)
  end function
end module

program multigrid
  use levels
  implicit none
  integer, parameter :: cycles = 6
  integer :: ranks, me, shape(2), place(2), level, points, i
  real(8) :: began, took, before, now
  logical :: right
  call MPI_Init()
  call MPI_Comm_size(MPI_COMM_WORLD, ranks)
  shape = 0
  call MPI_Dims_create(ranks, 2, shape)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, shape, [.true., .true.], .true., plane)
  call MPI_Comm_rank(plane, me)
  call MPI_Cart_coords(plane, me, 2, place)
  call MPI_Cart_shift(plane, 0, 1, low_y, high_y)
  call MPI_Cart_shift(plane, 1, 1, low_z, high_z)

  coarsest = finest
  do level = finest, 1, -1
    points = 2**level
    if (any(mod(points, shape) /= 0)) exit
    coarsest = level
    associate (g => all_levels(level))
      g%nx = points
      g%ny = points / shape(1)
      g%nz = points / shape(2)
      g%step = 1d0 / points
      allocate (g%u(0:g%nx + 1, 0:g%ny + 1, 0:g%nz + 1), g%f(0:g%nx + 1, 0:g%ny + 1, 0:g%nz + 1), &
                g%r(0:g%nx + 1, 0:g%ny + 1, 0:g%nz + 1), source=0d0)
    end associate
  end do
  if (any(mod(2**finest, shape) /= 0)) error stop 'the ranks must be a power of two, at most 1024'

  ! A charge in one place and its opposite in another.
  call put_charge([5, 7, 11], 1d0)
  call put_charge([20, 29, 3], -1d0)
  call MPI_Barrier(plane)
  began = MPI_Wtime()
  now = norm(all_levels(finest))
  right = .true.
  do i = 1, cycles
    before = now
    call cycle_from(finest)
    now = norm(all_levels(finest))
    right = right .and. now < before / 4
  end do
  took = MPI_Wtime() - began
  if (me == 0) print '(i0, a, i0, a, l1, a, f0.3, a)', 2**finest, '^3 points on ', ranks, ' ranks: right ', right, ', ', &
    took / cycles * 1d3, ' ms a cycle'
  call MPI_Finalize()

contains
  subroutine put_charge(where, charge)
    integer, intent(in) :: where(3)
    real(8), intent(in) :: charge
    integer :: here(3)
    associate (g => all_levels(finest))
      here = where - [0, place(1) * g%ny, place(2) * g%nz]
      if (all(here >= 1 .and. here <= [g%nx, g%ny, g%nz])) g%f(here(1), here(2), here(3)) = charge / g%step**3
    end associate
  end subroutine
end program
