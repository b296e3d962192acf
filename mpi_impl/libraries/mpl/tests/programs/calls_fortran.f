C     tasks: 4
C
C     MPL's calls in Fortran, each held to what it should do.
      program calls
      implicit none
      integer tasks, me, numbers(4), any, all, every
      integer source, type, bytes, id, number, two(2), four(4), gid, i
      double precision x(2), y(2)
      external d_vadd, i_vadd, i_vmul, i_vmax, i_vmin, s_vadd, s_vmul
      external s_vmax, s_vmin, d_vmul, d_vmax, d_vmin, first
      real r(2), s(2)

      call mp_environ(tasks, me)
      call must(tasks .eq. 4 .and. me .ge. 0 .and. me .lt. 4)
      call mp_task_query(numbers, 4, 3)
      any = numbers(1)
      all = numbers(2)
      every = numbers(4)
      call must(any .lt. 0 .and. any .ne. all)

C     Messages of two tasks.
      if (me .eq. 0) then
        call mp_bsend(7, 4, 1, 70)
        call mp_bsend('eight', 5, 1, 80)
      else if (me .eq. 1) then
        source = 0
        type = 70
        call mp_brecv(number, 4, source, type, bytes)
        call must(number .eq. 7 .and. bytes .eq. 4)
        source = any
        type = any
        bytes = -1
        do while (bytes .lt. 0)
          call mp_probe(source, type, bytes)
        end do
        call must(source .eq. 0 .and. type .eq. 80 .and. bytes .eq. 5)
        call receive_text(source, type)
      end if
      source = mod(me + 3, 4)
      call mp_bsendrecv(me, 4, mod(me + 1, 4), 1, number, 4, source,
     &                  bytes)
      call must(number .eq. mod(me + 3, 4) .and. bytes .eq. 4)
      source = any
      type = 2
      call mp_recv(number, 4, source, type, id)
      call mp_send(me, 4, mod(me + 1, 4), 2, i)
      call mp_wait(i, bytes)
      bytes = -1
      do while (bytes .lt. 0)
        call mp_status(id, bytes)
      end do
      call must(bytes .eq. 4 .and. number .eq. mod(me + 3, 4))
      call must(source .eq. number)

C     Groups.
      call mp_sync(every)
      call mp_group(2, (/2 * (me / 2), 2 * (me / 2) + 1/), 5, gid)
      call mp_getsize(number, gid)
      call must(number .eq. 2)
      call mp_getlabel(number, gid)
      call must(number .eq. 5)
      call mp_getmembers(two, gid)
      call must(two(2) .eq. 2 * (me / 2) + 1)
      call mp_getrank(number, me, gid)
      call must(number .eq. mod(me, 2))
      call mp_gettaskid(number, i, gid)
      call must(i .eq. me)
      call mp_partition(every, -me, mod(me, 2), gid)
      call mp_getrank(number, me, gid)
      call must(number .eq. 1 - me / 2)

C     What all do together.
      number = me
      call mp_bcast(number, 4, 3, every)
      call must(number .eq. 3)
      call mp_gather(me, four, 4, 1, every)
      if (me .eq. 1) call must(four(4) .eq. 3 .and. four(2) .eq. 1)
      four = (/10, 11, 12, 13/)
      call mp_scatter(four, number, 4, 0, every)
      call must(number .eq. 10 + me)
      call mp_concat(me, four, 4, every)
      call must(four(1) .eq. 0 .and. four(4) .eq. 3)
      call mp_index(10 * me + (/0, 1, 2, 3/), four, 4, every)
      call must(four(1) .eq. me .and. four(4) .eq. 30 + me)
      call mp_shift(me, number, 4, 1, 0, every)
      call must(number .eq. mod(me + 3, 4))

      x = (/me + 1d0, me + 2d0/)
      call mp_combine(x, y, 16, d_vadd, every)
      call must(y(1) .eq. 10 .and. y(2) .eq. 14)
      call mp_reduce(x, y, 16, 2, d_vmul, every)
      if (me .eq. 2) call must(y(1) .eq. 24 .and. y(2) .eq. 120)
      call mp_prefix(x, y, 16, d_vmax, every)
      call must(y(2) .eq. me + 2)
      call mp_combine(x, y, 16, d_vmin, every)
      call must(y(1) .eq. 1)
      r = real(x)
      call mp_combine(r, s, 8, s_vadd, every)
      call must(s(1) .eq. 10)
      call mp_combine(r, s, 8, s_vmul, every)
      call must(s(1) .eq. 24)
      call mp_combine(r, s, 8, s_vmax, every)
      call must(s(1) .eq. 4)
      call mp_combine(r, s, 8, s_vmin, every)
      call must(s(1) .eq. 1)
      call mp_combine(me, number, 4, i_vadd, every)
      call must(number .eq. 6)
      call mp_combine(me + 1, number, 4, i_vmul, every)
      call must(number .eq. 24)
      call mp_combine(me, number, 4, i_vmax, every)
      call must(number .eq. 3)
      call mp_combine(me, number, 4, i_vmin, every)
      call must(number .eq. 0)
      call mp_combine(me, number, 4, first, every)
      call must(number .eq. 0)
      if (me .eq. 0) print '(a)', 'right'
      if (me .eq. 0) call mp_stopall(3)
      call mp_sync(every)
      end

C     An operation of the program's own.
      subroutine first(a, b, c, bytes)
      integer a, b, c, bytes
      c = a
      if (bytes .ne. 4) c = b
      end

      subroutine receive_text(source, type)
      integer source, type, bytes
      character*5 text
      call mp_brecv(text, 5, source, type, bytes)
      call must(text .eq. 'eight' .and. bytes .eq. 5)
      end

      subroutine must(holds)
      logical holds
      if (.not. holds) error stop 'wrong'
      end
