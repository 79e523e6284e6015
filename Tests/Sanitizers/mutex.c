// Makes the locks of Swift's `Mutex` visible to ThreadSanitizer.
//
// A free lock is acquired by instructions in the program, which ThreadSanitizer sees. A contended lock is acquired in
// libswiftSynchronization, by the kernel (FUTEX_LOCK_PI), and ThreadSanitizer reports the accesses that follow as
// races. This library is preloaded, wraps the two functions of the slow path, and reports when they acquire and release
// the lock.

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
