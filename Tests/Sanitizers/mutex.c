// Shows ThreadSanitizer the locks of Swift's `Mutex`.
//
// A lock that is free is taken by instructions in the program, which ThreadSanitizer sees. One that is held is taken in
// libswiftSynchronization, by the kernel (FUTEX_LOCK_PI): ThreadSanitizer takes what follows for a race. This library
// is preloaded, stands in for these two functions, and says when the lock is taken and released.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *

// The program has them if it was built with ThreadSanitizer. Other programs, such as redis-server, do not.
__attribute__((weak)) void __tsan_acquire(void *address);
__attribute__((weak)) void __tsan_release(void *address);

SWIFT void lock(uint32_t thread, SELF mutex) __asm__("$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
SWIFT void unlock(SELF mutex) __asm__("$s15Synchronization12_MutexHandleV11_unlockSlowyyF");

SWIFT void lock(uint32_t thread, SELF mutex) {
    SWIFT void (*next)(uint32_t, SELF) = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF");
    next(thread, mutex);
    if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT void unlock(SELF mutex) {
    SWIFT void (*next)(SELF) = dlsym(RTLD_NEXT, "$s15Synchronization12_MutexHandleV11_unlockSlowyyF");
    if (__tsan_release) __tsan_release(mutex);
    next(mutex);
}
