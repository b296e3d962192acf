C     A system of linear equations with a sparse matrix without any
C     structure, by conjugate gradients. Each rank has some rows of the
C     matrix and of all vectors; a product needs the whole vector, which
C     is gathered on all ranks.   sparse_cg
C     Right if the solution is the one that the right side was made of.
      program sparse
      implicit none
      include 'mpif.h'
      integer maxrow, maxall, maxnz
      parameter (maxall=1440, maxrow=maxall, maxnz=40*maxall)
      integer n, rows, first, ranks, me
      common /shape/ n, rows, first, ranks, me
      integer start(maxrow+1), column(maxnz)
      double precision value(maxnz)
      common /matrix/ value, start, column
      double precision x(maxrow), r(maxrow), p(maxrow), q(maxrow)
      double precision b(maxrow), whole(maxall)
      double precision rho, before, alpha, error, worst, began, took
      double precision dot
      integer i, step, ierr
      external dot

      call mpi_init(ierr)
      call mpi_comm_rank(MPI_COMM_WORLD, me, ierr)
      call mpi_comm_size(MPI_COMM_WORLD, ranks, ierr)
      n = maxall
      rows = n / ranks
      first = me * rows
      if (rows * ranks .ne. n) then
        if (me .eq. 0) print *, 'the ranks must divide', n
        call mpi_abort(MPI_COMM_WORLD, 1, ierr)
      end if
      call make

C     The solution is 1, 2, 3, 1, 2, 3, ...
      do 10 i = 1, rows
        x(i) = mod(first + i - 1, 3) + 1
   10 continue
      call multiply(x, whole, b)
      do 20 i = 1, rows
        x(i) = 0
        r(i) = b(i)
        p(i) = b(i)
   20 continue

      call mpi_barrier(MPI_COMM_WORLD, ierr)
      began = mpi_wtime()
      rho = dot(r, r)
      step = 0
   30 if (rho .lt. 1d-20) goto 60
        step = step + 1
        call multiply(p, whole, q)
        alpha = rho / dot(p, q)
        do 40 i = 1, rows
          x(i) = x(i) + alpha * p(i)
          r(i) = r(i) - alpha * q(i)
   40   continue
        before = rho
        rho = dot(r, r)
        do 50 i = 1, rows
          p(i) = r(i) + rho / before * p(i)
   50   continue
        call hindcast_compute_flops(6d0 * rows)
      goto 30
   60 took = mpi_wtime() - began

      error = 0
      do 70 i = 1, rows
        error = max(error, abs(x(i) - mod(first + i - 1, 3) - 1))
   70 continue
      call mpi_reduce(error, worst, 1, MPI_DOUBLE_PRECISION, MPI_MAX,
     &                0, MPI_COMM_WORLD, ierr)
      if (me .eq. 0) then
        write (*, 100) n, ranks, worst .lt. 1d-9, step,
     &                 took / step * 1d6
      end if
  100 format (i5, ' rows on', i4, ' ranks: right ', l1, ',', i4,
     &        ' steps,', f10.3, ' us each')
      call mpi_finalize(ierr)
      end

C     Whether there is an entry follows from its place, the same for
C     (i, j) and (j, i). The diagonal outweighs the others.
      subroutine make
      implicit none
      integer maxrow, maxall, maxnz
      parameter (maxall=1440, maxrow=maxall, maxnz=40*maxall)
      integer n, rows, first, ranks, me
      common /shape/ n, rows, first, ranks, me
      integer start(maxrow+1), column(maxnz)
      double precision value(maxnz)
      common /matrix/ value, start, column
      integer i, j, next, low, high
      double precision chance, sum, draw
      next = 1
      do 20 i = 1, rows
        start(i) = next
        sum = 0
        do 10 j = 1, n
          low = min(first + i, j)
          high = max(first + i, j)
          draw = chance(low, high)
          if (low .ne. high .and. draw .lt. 12d0 / n) then
            column(next) = j
            value(next) = draw * n / 12d0 - 0.5d0
            sum = sum + abs(value(next))
            next = next + 1
          end if
   10   continue
        column(next) = first + i
        value(next) = sum + 0.05d0
        next = next + 1
   20 continue
      start(rows + 1) = next
      end

C     A number between 0 and 1 for each pair.
      double precision function chance(i, j)
      implicit none
      integer i, j
      double precision seed
      integer turn
      seed = mod(i * 7919d0 + j * 104729d0 + 1d0, 2147483647d0)
      do 10 turn = 1, 3
        seed = mod(seed * 16807d0, 2147483647d0)
   10 continue
      chance = seed / 2147483647d0
      end

      subroutine multiply(mine, whole, product)
      implicit none
      include 'mpif.h'
      integer maxrow, maxall, maxnz
      parameter (maxall=1440, maxrow=maxall, maxnz=40*maxall)
      integer n, rows, first, ranks, me
      common /shape/ n, rows, first, ranks, me
      integer start(maxrow+1), column(maxnz)
      double precision value(maxnz)
      common /matrix/ value, start, column
      double precision mine(*), whole(*), product(*), sum
      integer i, k, ierr
      call mpi_allgather(mine, rows, MPI_DOUBLE_PRECISION, whole, rows,
     &                   MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
      do 20 i = 1, rows
        sum = 0
        do 10 k = start(i), start(i + 1) - 1
          sum = sum + value(k) * whole(column(k))
   10   continue
        product(i) = sum
   20 continue
      call hindcast_compute_flops(2d0 * (start(rows + 1) - 1))
      end

      double precision function dot(a, b)
      implicit none
      include 'mpif.h'
      integer n, rows, first, ranks, me
      common /shape/ n, rows, first, ranks, me
      double precision a(*), b(*), sum
      integer i, ierr
      sum = 0
      do 10 i = 1, rows
        sum = sum + a(i) * b(i)
   10 continue
      call hindcast_compute_flops(2d0 * rows)
      call mpi_allreduce(sum, dot, 1, MPI_DOUBLE_PRECISION, MPI_SUM,
     &                   MPI_COMM_WORLD, ierr)
      end
