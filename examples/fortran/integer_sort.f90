! Keys to where they belong. All ranks count their keys by buckets; from the sums each rank knows which buckets are whose, so
! that all get about as many keys, sends them, and counts what it got.   integer_sort [KEYS_OF_A_RANK]
! Right if every rank's keys are in order and none is above its neighbour's, and none is lost.
program integer_sort
  use mpi
  use hindcast
  implicit none
  integer, parameter :: bits = 16, buckets = 512, width = 2**bits / buckets
  integer, allocatable :: keys(:), by_bucket(:), got(:), counts(:)
  integer, allocatable :: sent(:), received(:), from(:), at(:)
  integer :: mine(buckets), all(buckets), first_bucket(buckets), place(buckets)
  integer :: ranks, me, n, i, k, bucket, owner, total, ierror, status(MPI_STATUS_SIZE), lowest, neighbours_lowest
  integer(8) :: sums(2), whole(2), sums_now(2), whole_now(2), so_far
  logical :: right, all_right
  double precision :: began, took, slowest
  character(len=32) :: argument

  call MPI_Init(ierror)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  n = 4096
  if (command_argument_count() > 0) then
    call get_command_argument(1, argument)
    read (argument, *) n
  end if
  allocate (keys(n), by_bucket(n), sent(ranks), received(ranks), from(ranks), at(ranks))
  call draw(keys)
  sums = [int(n, 8), sum(int(keys, 8))]

  call MPI_Barrier(MPI_COMM_WORLD, ierror)
  began = MPI_Wtime()
  mine = 0
  do i = 1, n
    bucket = keys(i) / width + 1
    mine(bucket) = mine(bucket) + 1
  end do
  call MPI_Allreduce(mine, all, buckets, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)

  ! Bucket by bucket, to the rank whose turn it is.
  place(1) = 1
  so_far = 0
  sent = 0
  do k = 1, buckets
    if (k > 1) place(k) = place(k - 1) + mine(k - 1)
    owner = min(int(so_far * ranks / (int(n, 8) * ranks)), ranks - 1)
    first_bucket(k) = owner
    so_far = so_far + all(k)
    sent(owner + 1) = sent(owner + 1) + mine(k)
  end do
  do i = 1, n
    bucket = keys(i) / width + 1
    by_bucket(place(bucket)) = keys(i)
    place(bucket) = place(bucket) + 1
  end do
  call hindcast_compute_bytes(16d0 * n)

  call MPI_Alltoall(sent, 1, MPI_INTEGER, received, 1, MPI_INTEGER, MPI_COMM_WORLD, ierror)
  from(1) = 0
  at(1) = 0
  do k = 2, ranks
    from(k) = from(k - 1) + sent(k - 1)
    at(k) = at(k - 1) + received(k - 1)
  end do
  total = sum(received)
  allocate (got(total))
  call MPI_Alltoallv(by_bucket, sent, from, MPI_INTEGER, got, received, at, MPI_INTEGER, MPI_COMM_WORLD, ierror)

  allocate (counts(0:2**bits - 1))
  counts = 0
  do i = 1, total
    counts(got(i)) = counts(got(i)) + 1
  end do
  i = 0
  do k = 0, 2**bits - 1
    got(i + 1:i + counts(k)) = k
    i = i + counts(k)
  end do
  call hindcast_compute_bytes(12d0 * total)
  took = MPI_Wtime() - began

  right = all_in_order(got)
  lowest = huge(lowest)
  if (total > 0) lowest = got(1)
  call MPI_Sendrecv(lowest, 1, MPI_INTEGER, modulo(me - 1, ranks), 7, neighbours_lowest, 1, MPI_INTEGER, &
                    modulo(me + 1, ranks), 7, MPI_COMM_WORLD, status, ierror)
  if (me < ranks - 1 .and. total > 0) right = right .and. got(total) <= neighbours_lowest
  sums_now = [int(total, 8), sum(int(got, 8))]
  call MPI_Reduce(sums, whole, 2, MPI_INTEGER8, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  call MPI_Reduce(sums_now, whole_now, 2, MPI_INTEGER8, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
  call MPI_Reduce(right, all_right, 1, MPI_LOGICAL, MPI_LAND, 0, MPI_COMM_WORLD, ierror)
  call MPI_Reduce(took, slowest, 1, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD, ierror)
  if (me == 0) print '(i0, a, i0, a, l1, a, f0.3, a)', whole(1), ' keys on ', ranks, ' ranks: right ', &
    all_right .and. whole(1) == whole_now(1) .and. whole(2) == whole_now(2), ', ', slowest * 1d3, ' ms'
  call MPI_Finalize(ierror)

contains
  ! Sums of four random numbers: most keys lie in the middle. Each rank has a sequence of its own.
  subroutine draw(numbers)
    integer, intent(out) :: numbers(:)
    integer(8) :: seed
    integer :: which, turn
    seed = 314159 + 2718281_8 * me
    do which = 1, size(numbers)
      numbers(which) = 0
      do turn = 1, 4
        seed = modulo(seed * 48271, 2147483647_8)
        numbers(which) = numbers(which) + int(seed * 2**(bits - 2) / 2147483647_8)
      end do
    end do
  end subroutine

  logical function all_in_order(numbers)
    integer, intent(in) :: numbers(:)
    integer :: which
    all_in_order = .true.
    do which = 2, size(numbers)
      if (numbers(which) < numbers(which - 1)) all_in_order = .false.
    end do
  end function
end program
