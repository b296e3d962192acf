/* PVM's trace masks: which calls of a task, or of those that it starts, are to be traced. Masks are kept, and passed on
 * to children; nothing is traced by them here, as `hindcast run --timeline` tells of all calls. docs/pvm.md. */
#ifndef HINDCAST_PVMTEV_H
#define HINDCAST_PVMTEV_H

#include <pvm3.h>

/* The calls, by their numbers. */
enum {
  TEV_FIRST,
  TEV_ADDHOSTS = TEV_FIRST,
  TEV_BARRIER,
  TEV_BCAST,
  TEV_BUFINFO,
  TEV_CONFIG,
  TEV_DELETE,
  TEV_DELHOSTS,
  TEV_EXIT,
  TEV_FREEBUF,
  TEV_GETFDS,
  TEV_GETINST,
  TEV_GETOPT,
  TEV_GETRBUF,
  TEV_GETSBUF,
  TEV_GETTID,
  TEV_GSIZE,
  TEV_HALT,
  TEV_INITSEND,
  TEV_INSERT,
  TEV_JOINGROUP,
  TEV_KILL,
  TEV_LOOKUP,
  TEV_LVGROUP,
  TEV_MCAST,
  TEV_MKBUF,
  TEV_MSTAT,
  TEV_MYTID,
  TEV_NOTIFY,
  TEV_NRECV,
  TEV_PARENT,
  TEV_PERROR,
  TEV_PKBYTE,
  TEV_PKCPLX,
  TEV_PKDCPLX,
  TEV_PKDOUBLE,
  TEV_PKFLOAT,
  TEV_PKINT,
  TEV_PKUINT,
  TEV_PKLONG,
  TEV_PKULONG,
  TEV_PKSHORT,
  TEV_PKUSHORT,
  TEV_PKSTR,
  TEV_PROBE,
  TEV_PSTAT,
  TEV_RECV,
  TEV_RECVF,
  TEV_SEND,
  TEV_SENDSIG,
  TEV_SETOPT,
  TEV_SETRBUF,
  TEV_SETSBUF,
  TEV_SPAWN,
  TEV_START_PVMD,
  TEV_TASKS,
  TEV_TICKLE,
  TEV_TIDTOHOST,
  TEV_TRECV,
  TEV_UPKBYTE,
  TEV_UPKCPLX,
  TEV_UPKDCPLX,
  TEV_UPKDOUBLE,
  TEV_UPKFLOAT,
  TEV_UPKINT,
  TEV_UPKUINT,
  TEV_UPKLONG,
  TEV_UPKULONG,
  TEV_UPKSHORT,
  TEV_UPKUSHORT,
  TEV_UPKSTR,
  TEV_VERSION,
  TEV_REG_HOSTER,
  TEV_REG_RM,
  TEV_REG_TASKER,
  TEV_REG_TRACER,
  TEV_NEWTASK,
  TEV_ENDTASK,
  TEV_SPNTASK,
  TEV_ARCHCODE,
  TEV_CATCHOUT,
  TEV_GETMWID,
  TEV_GETTMASK,
  TEV_HOSTSYNC,
  TEV_PACKF,
  TEV_PRECV,
  TEV_PSEND,
  TEV_REDUCE,
  TEV_SETMWID,
  TEV_SETTMASK,
  TEV_UNPACKF,
  TEV_GATHER,
  TEV_SCATTER,
  TEV_PUTINFO,
  TEV_GETINFO,
  TEV_REMOVE,
  TEV_GETMBOXINFO,
  TEV_NEWCONTEXT,
  TEV_FREECONTEXT,
  TEV_SETCONTEXT,
  TEV_GETCONTEXT,
  TEV_SIBLINGS,
  TEV_GETMINFO,
  TEV_SETMINFO,
  TEV_TIMING,
  TEV_PROFILING,
  TEV_USER_DEFINED,
  TEV_MAX = TEV_USER_DEFINED
};

/* A text: each character above '@' stands for four calls. */
#define TEV_MASK_LENGTH 36
typedef char Pvmtmask[TEV_MASK_LENGTH];

#define TEV_MASK_SET(mask, call) ((mask)[(call) / 4] |= (1 << ((call) % 4)))
#define TEV_MASK_UNSET(mask, call) ((mask)[(call) / 4] &= ~(1 << ((call) % 4)))
#define TEV_MASK_CHECK(mask, call) ((mask)[(call) / 4] & (1 << ((call) % 4)))
#define TEV_MASK_INIT(mask)                                                                        \
  do {                                                                                             \
    for (int tev_index = 0; tev_index < TEV_MASK_LENGTH - 1; ++tev_index) (mask)[tev_index] = '@'; \
    (mask)[TEV_MASK_LENGTH - 1] = 0;                                                               \
  } while (0)
/* As the manual calls them. */
#define TEV_SET_MASK(mask, call) TEV_MASK_SET(mask, call)
#define TEV_UNSET_MASK(mask, call) TEV_MASK_UNSET(mask, call)
#define TEV_CHECK_MASK(mask, call) TEV_MASK_CHECK(mask, call)
#define TEV_INIT_MASK(mask) TEV_MASK_INIT(mask)

#ifdef __cplusplus
extern "C" {
#endif

PVM_FUNCTION int pvm_settmask(int who, Pvmtmask mask);
PVM_FUNCTION int pvm_gettmask(int who, Pvmtmask mask);

#ifdef __cplusplus
}
#endif

#endif
