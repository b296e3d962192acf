// Calls of libc as a rank's program has them, for what stands on them.
#pragma once

#include <pthread.h>
#include <sys/types.h>

#include <csignal>
#include <ctime>

extern "C" {
int hindcast_pthread_create(pthread_t* number, const pthread_attr_t* attributes, void* (*routine)(void*),
                            void* argument);
int hindcast_pthread_detach(pthread_t number);
int hindcast_sigprocmask(int how, const sigset_t* set, sigset_t* before);
int hindcast_sigpending(sigset_t* set);
int hindcast_raise(int signal);
int hindcast_kill(pid_t process, int signal);
int hindcast_sigqueue(pid_t process, int signal, sigval value);
int hindcast_clock_gettime(clockid_t clock, timespec* time);
int hindcast_open(const char* path, int flags, mode_t mode);
int hindcast_poll(struct pollfd* files, unsigned long count, int ms);
}
