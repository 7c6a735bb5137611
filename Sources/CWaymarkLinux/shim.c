#define _GNU_SOURCE
#include "CWaymarkLinux.h"

#if defined(__linux__)
int CWaymarkLinux_accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags) {
    return accept4(descriptor, address, length, flags);
}

int CWaymarkLinux_setThreadName(pthread_t thread, const char *name) {
    return pthread_setname_np(thread, name);
}
#endif
