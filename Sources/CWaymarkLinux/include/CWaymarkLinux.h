#pragma once
#if defined(__linux__)
#include <pthread.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/types.h>

/// accept4 sits behind _GNU_SOURCE, which the toolchain's Glibc module does not define.
int CWaymarkLinux_accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);

/// pthread_setname_np is a GNU extension too. At most 15 bytes are kept.
int CWaymarkLinux_setThreadName(pthread_t thread, const char *name);

/// recv, send and epoll_wait as the kernel has them. glibc's are points where a thread may be cancelled: in a process with
/// several threads it brackets each call with two locked instructions, which nobody here has a use for.
ssize_t CWaymarkLinux_receive(int descriptor, void *buffer, size_t count, int flags);
ssize_t CWaymarkLinux_send(int descriptor, const void *buffer, size_t count, int flags);
int CWaymarkLinux_wait(int epoll, struct epoll_event *events, int count, int timeout);

/// How long the calling thread wants to run at a time once it shares its core. A thread that asks for little gets its turn
/// sooner (EEVDF, Linux 6.12); older kernels take the wish and do nothing with it. 0, or -1 where the kernel refuses.
int CWaymarkLinux_setSlice(uint64_t nanoseconds);
#endif
