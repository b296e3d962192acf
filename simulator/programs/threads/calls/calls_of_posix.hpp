// Calls of POSIX as simulated threads have them, for what stands on them.
#pragma once

#include <pthread.h>

extern "C" {
int hindcast_pthread_mutex_init(pthread_mutex_t* mutex, const pthread_mutexattr_t* attributes);
int hindcast_pthread_mutex_destroy(pthread_mutex_t* mutex);
int hindcast_pthread_mutex_lock(pthread_mutex_t* mutex);
int hindcast_pthread_mutex_timedlock(pthread_mutex_t* mutex, const timespec* time);
int hindcast_pthread_mutex_trylock(pthread_mutex_t* mutex);
int hindcast_pthread_mutex_unlock(pthread_mutex_t* mutex);
int hindcast_pthread_cond_init(pthread_cond_t* condition, const pthread_condattr_t* attributes);
int hindcast_pthread_cond_destroy(pthread_cond_t* condition);
int hindcast_pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex);
int hindcast_pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* time);
int hindcast_pthread_cond_signal(pthread_cond_t* condition);
int hindcast_pthread_cond_broadcast(pthread_cond_t* condition);
int hindcast_pthread_key_create(pthread_key_t* key, void (*destructor)(void*));
int hindcast_pthread_key_delete(pthread_key_t key);
int hindcast_pthread_setspecific(pthread_key_t key, const void* value);
}
