#define _GNU_SOURCE
#include "CWaymarkLinux.h"

#if defined(__linux__)
#include <sys/syscall.h>
#include <unistd.h>
#endif

#if defined(__linux__)
int CWaymarkLinux_accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags) {
    return accept4(descriptor, address, length, flags);
}

int CWaymarkLinux_setThreadName(pthread_t thread, const char *name) {
    return pthread_setname_np(thread, name);
}

ssize_t CWaymarkLinux_receive(int descriptor, void *buffer, size_t count, int flags) {
    return syscall(SYS_recvfrom, descriptor, buffer, count, flags, 0, 0);
}

ssize_t CWaymarkLinux_send(int descriptor, const void *buffer, size_t count, int flags) {
    return syscall(SYS_sendto, descriptor, buffer, count, flags, 0, 0);
}

int CWaymarkLinux_wait(int epoll, struct epoll_event *events, int count, int timeout) {
    // Some architectures have only this one; without a signal mask it does the same.
    return (int)syscall(SYS_epoll_pwait, epoll, events, count, timeout, 0, 8);
}
#endif
