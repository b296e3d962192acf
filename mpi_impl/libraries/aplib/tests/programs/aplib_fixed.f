C     APlib's header in Fortran's old form of source.
      program fixed
      implicit none
      include 'aplib.fh'
      integer number
      number = 1
      call xy_isum(number, 1)
      if (l_cellid() .eq. 0) print '(i0)', number
      end
