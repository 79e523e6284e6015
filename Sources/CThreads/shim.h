// Declarations that Swift's Glibc module lacks: malloc.h, eventfd.h, and two functions that are declared only with
// _GNU_SOURCE.

#ifndef CTHREADS_SHIM_H
#define CTHREADS_SHIM_H

#include <malloc.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <semaphore.h>
#include <time.h>

/// Sets the calling thread's name in ps, top and debuggers: at most 15 bytes.
static inline void cthreads_name_thread(const char *name) {
    extern int pthread_setname_np(pthread_t, const char *);
    (void)pthread_setname_np(pthread_self(), name);
}

/// Sets the calling thread's nice value, 0 to 19. On Linux each thread has its own.
static inline void cthreads_be_nice(int value) {
    (void)setpriority(PRIO_PROCESS, 0, value);
}

/// Waits until `end` on the monotonic clock at the latest. Returns 0, or -1 and sets errno.
static inline int cthreads_wait_until(sem_t *semaphore, const struct timespec *end) {
    extern int sem_clockwait(sem_t *__restrict, clockid_t, const struct timespec *__restrict);
    return sem_clockwait(semaphore, CLOCK_MONOTONIC, end);
}

#endif
