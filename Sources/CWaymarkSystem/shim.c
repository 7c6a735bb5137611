#define _GNU_SOURCE
#include "CWaymarkSystem.h"

#if defined(__linux__)
#include <link.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>
#endif

#if defined(__linux__)
int CWaymarkSystem_accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags) {
    return accept4(descriptor, address, length, flags);
}

int CWaymarkSystem_setThreadName(pthread_t thread, const char *name) {
    return pthread_setname_np(thread, name);
}

int CWaymarkSystem_makeTimer(void) {
    return timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
}

int CWaymarkSystem_setTimer(int timer, int64_t milliseconds) {
    struct itimerspec setting = {0};
    setting.it_value.tv_sec = (time_t)(milliseconds / 1000);
    setting.it_value.tv_nsec = (long)(milliseconds % 1000) * 1000000;
    return timerfd_settime(timer, TFD_TIMER_ABSTIME, &setting, 0);
}

// sched_setattr(2), first published size; glibc before 2.41 has neither the structure nor the calls.
struct attributes {
    uint32_t size, policy;
    uint64_t flags;
    int32_t nice;
    uint32_t priority;
    uint64_t runtime, deadline, period;
};

int CWaymarkSystem_setSlice(uint64_t nanoseconds) {
    struct attributes attributes = {0};
    // Read first, so that a niceness or a policy that an operator gave the process stays as it is.
    if (syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0) return -1;
    if (attributes.policy != SCHED_OTHER && attributes.policy != SCHED_BATCH) return 0;
    attributes.size = sizeof attributes;
    attributes.runtime = nanoseconds;
    // SCHED_FLAG_RESET_ON_FORK: Dispatch lets whatever thread gives it work start its threads, and those that a loop starts
    // would go before others as the loop does.
    attributes.flags |= 1;
    return (int)syscall(SYS_sched_setattr, 0, &attributes, 0);
}

// Whether the loader has written into segments that are not writable now. Dropping their pages would undo it.
static bool hasTextRelocations(const struct dl_phdr_info *object) {
    for (int i = 0; i < object->dlpi_phnum; i++) {
        if (object->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            if (entry->d_tag == DT_TEXTREL) return true;
            if (entry->d_tag == DT_FLAGS && (entry->d_un.d_val & DF_TEXTREL)) return true;
        }
    }
    return false;
}

static int releaseObject(struct dl_phdr_info *object, size_t size, void *context) {
    (void)size;
    intptr_t *total = context;
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    // The vDSO is the kernel's and no file.
    const uintptr_t kernel = getauxval(AT_SYSINFO_EHDR);
    if ((kernel != 0 && object->dlpi_addr == kernel) || hasTextRelocations(object)) return 0;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W)) continue;
        const uintptr_t start = object->dlpi_addr + segment->p_vaddr;
        // Whole pages: one at an edge may be another segment's, too.
        const uintptr_t first = (start + page - 1) / page * page;
        const uintptr_t end = (start + segment->p_filesz) / page * page;
        if (end > first && madvise((void *)first, end - first, MADV_DONTNEED) == 0) *total += (intptr_t)(end - first);
    }
    return 0;
}

intptr_t CWaymarkSystem_releaseProgramPages(void) {
    intptr_t total = 0;
    dl_iterate_phdr(releaseObject, &total);
    return total;
}
#endif
