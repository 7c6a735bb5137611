#pragma once
#if defined(__linux__)
#include <pthread.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/// accept4 sits behind _GNU_SOURCE, which the toolchain's Glibc module does not define.
int CWaymarkLinux_accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);

/// pthread_setname_np is a GNU extension too. At most 15 bytes are kept.
int CWaymarkLinux_setThreadName(pthread_t thread, const char *name);
#endif
