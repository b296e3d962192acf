/* PVM 3: parallel virtual machine, as programs written for its version 3.4 call it. A program is built by
 * `hindcast cc` and started by `hindcast run -m MACHINE ./program`, which starts its first task; pvm_spawn starts the
 * others. docs/pvm.md says what each call does here, and what is left out.
 *
 * Functions return PvmOk, a number, or one of the error codes below, which pvm_perror tells in words. */
#ifndef HINDCAST_PVM3_H
#define HINDCAST_PVM3_H

#include <stdio.h>
#include <sys/time.h>

#define PVM_VER "3.4.4"
#define PVM_MAJOR_VERSION 3
#define PVM_MINOR_VERSION 4
#define PVM_PATCH_VERSION 4

/* Encodings of a message (pvm_initsend, pvm_mkbuf). */
#define PvmDataDefault 0 /* the same on every machine */
#define PvmDataRaw 1     /* as it is in memory */
#define PvmDataInPlace 2 /* not copied before it is sent */
#define PvmDataFoo PvmDataDefault
#define PvmDataTrace 4

/* Where a task is to run (pvm_spawn). */
#define PvmTaskDefault 0
#define PvmTaskHost 1
#define PvmTaskArch 2
#define PvmTaskDebug 4
#define PvmTaskTrace 8
#define PvmMppFront 16
#define PvmHostCompl 32
#define PvmNoSpawnParent 64

/* What a task wants to be told of (pvm_notify). */
#define PvmTaskExit 1
#define PvmHostDelete 2
#define PvmHostAdd 3
#define PvmRouteAdd 4
#define PvmRouteDelete 5
#define PvmNotifyCancel 256

/* Options (pvm_setopt, pvm_getopt), and values of some. */
#define PvmRoute 1
#define PvmDontRoute 1
#define PvmAllowDirect 2
#define PvmRouteDirect 3
#define PvmDebugMask 2
#define PvmAutoErr 3
#define PvmOutputTid 4
#define PvmOutputCode 5
#define PvmTraceTid 6
#define PvmTraceCode 7
#define PvmTraceBuffer 8
#define PvmTraceOptions 9
#define PvmTraceFull 1
#define PvmTraceTime 2
#define PvmTraceCount 3
#define PvmFragSize 10
#define PvmResvTids 11
#define PvmSelfOutputTid 12
#define PvmSelfOutputCode 13
#define PvmSelfTraceTid 14
#define PvmSelfTraceCode 15
#define PvmSelfTraceBuffer 16
#define PvmSelfTraceOptions 17
#define PvmShowTids 18
#define PvmPollType 19
#define PvmPollConstant 1
#define PvmPollSleep 2
#define PvmPollTime 20
#define PvmOutputContext 21
#define PvmTraceContext 22
#define PvmSelfOutputContext 23
#define PvmSelfTraceContext 24
#define PvmNoReset 25

#define PvmTaskSelf 0
#define PvmTaskChild 1

/* The context of those that have set none. */
#define PvmBaseContext 0

/* Mailboxes (pvm_putinfo, pvm_recvinfo). */
#define PvmMboxDefault 0
#define PvmMboxPersistent 1
#define PvmMboxMultiInstance 2
#define PvmMboxOverWritable 4
#define PvmMboxFirstAvail 8
#define PvmMboxReadAndDelete 16
#define PvmMboxWaitForInfo 32
#define PvmMboxMaxFlag 512
#define PvmMboxDirectIndexShift 10
#define PvmMboxMaxDirectIndex (1u << (31 - PvmMboxDirectIndexShift))
#define PvmMboxDirectIndex(index) ((int)((unsigned)(index) << PvmMboxDirectIndexShift))
#define PvmMboxDirectIndexOf(flags) ((int)((unsigned)(flags) >> PvmMboxDirectIndexShift))

#define PVMNORESETCLASS "###_PVM_NO_RESET_###"
#define PVMHOSTERCLASS "###_PVM_HOSTER_###"
#define PVMTASKERCLASS "###_PVM_TASKER_###"
#define PVMTRACERCLASS "###_PVM_TRACER_###"
#define PVMRMCLASS "###_PVM_RM_###"

/* Error codes. */
#define PvmOk 0
#define PvmBadParam (-2)
#define PvmMismatch (-3)
#define PvmOverflow (-4)
#define PvmNoData (-5)
#define PvmNoHost (-6)
#define PvmNoFile (-7)
#define PvmDenied (-8)
#define PvmNoMem (-10)
#define PvmBadMsg (-12)
#define PvmSysErr (-14)
#define PvmNoBuf (-15)
#define PvmNoSuchBuf (-16)
#define PvmNullGroup (-17)
#define PvmDupGroup (-18)
#define PvmNoGroup (-19)
#define PvmNotInGroup (-20)
#define PvmNoInst (-21)
#define PvmHostFail (-22)
#define PvmNoParent (-23)
#define PvmNotImpl (-24)
#define PvmDSysErr (-25)
#define PvmBadVersion (-26)
#define PvmOutOfRes (-27)
#define PvmDupHost (-28)
#define PvmCantStart (-29)
#define PvmAlready (-30)
#define PvmNoTask (-31)
#define PvmNotFound (-32)
#define PvmExists (-33)
#define PvmHostrNMstr (-34)
#define PvmParentNotSet (-35)
#define PvmIPLoopback (-36)
#define PvmNoEntry PvmNotFound
#define PvmDupEntry PvmExists

/* Types of data (pvm_psend, pvm_precv, pvm_reduce, pvm_gather, pvm_scatter). */
#define PVM_STR 0
#define PVM_BYTE 1
#define PVM_SHORT 2
#define PVM_INT 3
#define PVM_FLOAT 4
#define PVM_CPLX 5
#define PVM_DOUBLE 6
#define PVM_DCPLX 7
#define PVM_LONG 8
#define PVM_USHORT 9
#define PVM_UINT 10
#define PVM_ULONG 11

struct pvmhostinfo {
  int hi_tid; /* of its daemon */
  char* hi_name;
  char* hi_arch;
  int hi_speed;
  int hi_dsig;
};

struct pvmtaskinfo {
  int ti_tid;
  int ti_ptid; /* its parent */
  int ti_host; /* its host's daemon */
  int ti_flag;
  char* ti_a_out;
  int ti_pid;
};

struct pvmminfo {
  int len;
  int ctx;
  int tag;
  int wid;
  int enc;
  int crc;
  int src;
  int dst;
};

struct pvmmboxinfo {
  char* mi_name;
  int mi_nentries;
  int* mi_indices;
  int* mi_owners;
  int* mi_flags;
};

#ifdef __cplusplus
extern "C" {
#endif

#define PVM_FUNCTION __attribute__((visibility("default")))

/* The code of the last error of the calling task's. */
PVM_FUNCTION int* pvm_errno_of_task(void);
#define pvm_errno (*pvm_errno_of_task())

/* Tasks. */
PVM_FUNCTION int pvm_mytid(void);
PVM_FUNCTION int pvm_parent(void);
PVM_FUNCTION int pvm_siblings(int** tids);
PVM_FUNCTION int pvm_spawn(char* task, char** argv, int flag, char* where, int ntask, int* tids);
PVM_FUNCTION int pvm_exit(void);
PVM_FUNCTION int pvm_kill(int tid);
PVM_FUNCTION int pvm_sendsig(int tid, int signum);
PVM_FUNCTION int pvm_pstat(int tid);
PVM_FUNCTION int pvm_tasks(int where, int* ntask, struct pvmtaskinfo** taskp);
PVM_FUNCTION int pvm_tidtohost(int tid);
PVM_FUNCTION int pvm_notify(int what, int tag, int count, int* tids);
PVM_FUNCTION int pvm_export(char* name);
PVM_FUNCTION int pvm_unexport(char* name);
PVM_FUNCTION int pvm_catchout(FILE* file);

/* The virtual machine. */
PVM_FUNCTION int pvm_config(int* nhost, int* narch, struct pvmhostinfo** hostp);
PVM_FUNCTION int pvm_addhosts(char** hosts, int count, int* infos);
PVM_FUNCTION int pvm_delhosts(char** hosts, int count, int* infos);
PVM_FUNCTION int pvm_mstat(char* host);
PVM_FUNCTION int pvm_archcode(char* arch);
PVM_FUNCTION int pvm_hostsync(int host, struct timeval* clock, struct timeval* delta);
PVM_FUNCTION int pvm_halt(void);
PVM_FUNCTION int pvm_start_pvmd(int argc, char** argv, int block);
PVM_FUNCTION char* pvm_version(void);
PVM_FUNCTION int pvm_setopt(int what, int value);
PVM_FUNCTION int pvm_getopt(int what);
PVM_FUNCTION int pvm_perror(char* message);
/* Of version 3.2: pvm_setopt of PvmRoute and of PvmAutoErr. */
PVM_FUNCTION int pvm_advise(int route);
PVM_FUNCTION int pvm_serror(int how);
PVM_FUNCTION int pvm_getfds(int** fds);
PVM_FUNCTION int pvm_getnoresets(int** tids, int* count);
PVM_FUNCTION int pvm_tickle(int narg, int* argp, int* nresp, int* resp);
PVM_FUNCTION int pvm_reg_hoster(void);
PVM_FUNCTION int pvm_reg_rm(struct pvmhostinfo** hostp);
PVM_FUNCTION int pvm_reg_tasker(void);
PVM_FUNCTION int pvm_reg_tracer(int tctx, int ttag, int octx, int otag, char* tmask, int tbuf, int topt);

/* Buffers. */
PVM_FUNCTION int pvm_initsend(int encoding);
PVM_FUNCTION int pvm_mkbuf(int encoding);
PVM_FUNCTION int pvm_freebuf(int bufid);
PVM_FUNCTION int pvm_getsbuf(void);
PVM_FUNCTION int pvm_setsbuf(int bufid);
PVM_FUNCTION int pvm_getrbuf(void);
PVM_FUNCTION int pvm_setrbuf(int bufid);
PVM_FUNCTION int pvm_bufinfo(int bufid, int* bytes, int* tag, int* tid);
PVM_FUNCTION int pvm_getminfo(int bufid, struct pvmminfo* info);
PVM_FUNCTION int pvm_setminfo(int bufid, struct pvmminfo* info);
PVM_FUNCTION int pvm_getmwid(int bufid);
PVM_FUNCTION int pvm_setmwid(int bufid, int wid);

/* Packing and unpacking. */
PVM_FUNCTION int pvm_packf(const char* format, ...);
PVM_FUNCTION int pvm_pkbyte(char* items, int count, int stride);
PVM_FUNCTION int pvm_pkcplx(float* items, int count, int stride);
PVM_FUNCTION int pvm_pkdcplx(double* items, int count, int stride);
PVM_FUNCTION int pvm_pkdouble(double* items, int count, int stride);
PVM_FUNCTION int pvm_pkfloat(float* items, int count, int stride);
PVM_FUNCTION int pvm_pkint(int* items, int count, int stride);
PVM_FUNCTION int pvm_pklong(long* items, int count, int stride);
PVM_FUNCTION int pvm_pkshort(short* items, int count, int stride);
PVM_FUNCTION int pvm_pkstr(char* text);
PVM_FUNCTION int pvm_pkuint(unsigned int* items, int count, int stride);
PVM_FUNCTION int pvm_pkulong(unsigned long* items, int count, int stride);
PVM_FUNCTION int pvm_pkushort(unsigned short* items, int count, int stride);
PVM_FUNCTION int pvm_pkmesg(int bufid);
PVM_FUNCTION int pvm_pkmesgbody(int bufid);
PVM_FUNCTION int pvm_unpackf(const char* format, ...);
PVM_FUNCTION int pvm_upkbyte(char* items, int count, int stride);
PVM_FUNCTION int pvm_upkcplx(float* items, int count, int stride);
PVM_FUNCTION int pvm_upkdcplx(double* items, int count, int stride);
PVM_FUNCTION int pvm_upkdouble(double* items, int count, int stride);
PVM_FUNCTION int pvm_upkfloat(float* items, int count, int stride);
PVM_FUNCTION int pvm_upkint(int* items, int count, int stride);
PVM_FUNCTION int pvm_upklong(long* items, int count, int stride);
PVM_FUNCTION int pvm_upkshort(short* items, int count, int stride);
PVM_FUNCTION int pvm_upkstr(char* text);
PVM_FUNCTION int pvm_upkuint(unsigned int* items, int count, int stride);
PVM_FUNCTION int pvm_upkulong(unsigned long* items, int count, int stride);
PVM_FUNCTION int pvm_upkushort(unsigned short* items, int count, int stride);
PVM_FUNCTION int pvm_upkmesg(void);

/* Messages. */
PVM_FUNCTION int pvm_send(int tid, int tag);
PVM_FUNCTION int pvm_mcast(int* tids, int count, int tag);
PVM_FUNCTION int pvm_psend(int tid, int tag, void* data, int count, int type);
PVM_FUNCTION int pvm_recv(int tid, int tag);
PVM_FUNCTION int pvm_nrecv(int tid, int tag);
PVM_FUNCTION int pvm_trecv(int tid, int tag, struct timeval* timeout);
PVM_FUNCTION int pvm_probe(int tid, int tag);
PVM_FUNCTION int pvm_precv(int tid, int tag, void* data, int count, int type, int* rtid, int* rtag, int* rcount);
PVM_FUNCTION int (*pvm_recvf(int (*chooser)(int bufid, int tid, int tag)))(int bufid, int tid, int tag);
PVM_FUNCTION int pvm_addmhf(int tid, int tag, int context, int (*handler)(int bufid));
PVM_FUNCTION int pvm_delmhf(int id);
PVM_FUNCTION int pvm_newcontext(void);
PVM_FUNCTION int pvm_setcontext(int context);
PVM_FUNCTION int pvm_getcontext(void);
PVM_FUNCTION int pvm_freecontext(int context);

/* Mailboxes. */
PVM_FUNCTION int pvm_putinfo(char* name, int bufid, int flags);
PVM_FUNCTION int pvm_recvinfo(char* name, int index, int flags);
PVM_FUNCTION int pvm_delinfo(char* name, int index, int flags);
PVM_FUNCTION int pvm_getmboxinfo(char* pattern, int* count, struct pvmmboxinfo** infos);
PVM_FUNCTION int pvm_insert(char* name, int index, int data);
PVM_FUNCTION int pvm_lookup(char* name, int index, int* data);
PVM_FUNCTION int pvm_delete(char* name, int index);

/* Groups. */
PVM_FUNCTION int pvm_joingroup(char* group);
PVM_FUNCTION int pvm_lvgroup(char* group);
PVM_FUNCTION int pvm_gsize(char* group);
PVM_FUNCTION int pvm_gettid(char* group, int instance);
PVM_FUNCTION int pvm_getinst(char* group, int tid);
PVM_FUNCTION int pvm_freezegroup(char* group, int size);
PVM_FUNCTION int pvm_barrier(char* group, int count);
PVM_FUNCTION int pvm_bcast(char* group, int tag);
PVM_FUNCTION int pvm_gather(void* result, void* data, int count, int type, int tag, char* group, int root);
PVM_FUNCTION int pvm_scatter(void* result, void* data, int count, int type, int tag, char* group, int root);
/* A program's own function has pointers to its type of data for x and y, which C does not look at. */
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ > 201710L)
PVM_FUNCTION int pvm_reduce(void (*function)(int* type, void* x, void* y, int* count, int* info), void* data, int count,
                            int type, int tag, char* group, int root);
#else
PVM_FUNCTION int pvm_reduce(void (*function)(), void* data, int count, int type, int tag, char* group, int root);
#endif
PVM_FUNCTION void PvmMax(int* type, void* x, void* y, int* count, int* info);
PVM_FUNCTION void PvmMin(int* type, void* x, void* y, int* count, int* info);
PVM_FUNCTION void PvmSum(int* type, void* x, void* y, int* count, int* info);
PVM_FUNCTION void PvmProduct(int* type, void* x, void* y, int* count, int* info);

#ifdef __cplusplus
}
#endif

#endif
