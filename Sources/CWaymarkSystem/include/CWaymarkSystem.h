#pragma once
#if defined(__linux__)
#include <pthread.h>
#include <stdint.h>
// The toolchain's Glibc module leaves these two out.
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/// accept4 sits behind _GNU_SOURCE, which the toolchain's Glibc module does not define.
int CWaymarkSystem_accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);

/// pthread_setname_np is a GNU extension too. At most 15 bytes are kept.
int CWaymarkSystem_setThreadName(pthread_t thread, const char *name);

/// A timer on the monotonic clock whose descriptor becomes readable; -1 and errno where there is none to be had.
int CWaymarkSystem_makeTimer(void);

/// When it does so next, in milliseconds of that clock, instead of what was set before. 0, or -1 and errno.
int CWaymarkSystem_setTimer(int timer, int64_t milliseconds);

/// How long the calling thread wants to run at a time once it shares its core. A thread that asks for little gets its turn
/// sooner (EEVDF, Linux 6.12); older kernels take the wish and do nothing with it. Threads that it starts begin with what is
/// usual. 0, or -1 where the kernel refuses.
int CWaymarkSystem_setSlice(uint64_t nanoseconds);

/// Removes the read-only pages of the program and its libraries from the page tables (MADV_DONTNEED). Pages that are used
/// again come back from the page cache. Returns the size of these ranges in bytes.
intptr_t CWaymarkSystem_releaseProgramPages(void);
#endif
