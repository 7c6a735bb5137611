// Stands before the two functions of libswiftSynchronization that a Mutex calls when it is contended, for
// Scripts/check-threads: does what they do, and tells ThreadSanitizer that whoever locks comes after whoever unlocked.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>

// Weak, because the library is loaded into the test driver as well, which has no sanitizer.
void __tsan_acquire(void *address) __attribute__((weak));
void __tsan_release(void *address) __attribute__((weak));

// Swift passes self in a register of its own.
#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context)) void *self
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

typedef SWIFT void Lock(uint32_t thread, SELF);
typedef SWIFT void Unlock(SELF);

Lock lock __asm__(LOCK);
Unlock unlock __asm__(UNLOCK);

SWIFT void lock(uint32_t thread, SELF) {
    ((Lock *)dlsym(RTLD_NEXT, LOCK))(thread, self);
    if (__tsan_acquire) __tsan_acquire(self);
}

SWIFT void unlock(SELF) {
    if (__tsan_release) __tsan_release(self);
    ((Unlock *)dlsym(RTLD_NEXT, UNLOCK))(self);
}
