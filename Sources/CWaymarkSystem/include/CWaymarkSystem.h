#pragma once
#if defined(__linux__)
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/// accept4 sits behind _GNU_SOURCE, which the toolchain's Glibc module does not define.
int CWaymarkSystem_accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);

/// pthread_setname_np is a GNU extension too. At most 15 bytes are kept.
int CWaymarkSystem_setThreadName(pthread_t thread, const char *name);

/// One call of the kernel's, in place (syscall(2) has the registers of each architecture).
__attribute__((always_inline)) static inline long CWaymarkSystem_call(
    long number, long one, long two, long three, long four, long five, long six) {
#if defined(__x86_64__)
    register long fourth __asm__("r10") = four;
    register long fifth __asm__("r8") = five;
    register long sixth __asm__("r9") = six;
    __asm__ volatile("syscall"
                     : "+a"(number)
                     : "D"(one), "S"(two), "d"(three), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "rcx", "r11", "memory");
    return number;
#elif defined(__aarch64__)
    register long code __asm__("x8") = number;
    register long first __asm__("x0") = one;
    register long second __asm__("x1") = two;
    register long third __asm__("x2") = three;
    register long fourth __asm__("x3") = four;
    register long fifth __asm__("x4") = five;
    register long sixth __asm__("x5") = six;
    __asm__ volatile("svc #0"
                     : "+r"(first)
                     : "r"(code), "r"(second), "r"(third), "r"(fourth), "r"(fifth), "r"(sixth)
                     : "memory", "cc");
    return first;
#else
    long result = syscall(number, one, two, three, four, five, six);
    return result < 0 ? -errno : result;
#endif
}

/// recv, send and epoll_wait as the kernel has them; where it refuses, minus the error's number.
///
/// Not glibc's, which are points where a thread may be cancelled: in a process with several threads it brackets each call with
/// two locked instructions, which nobody here has a use for. And inlined, because a processor guesses where a function
/// returns to, and has forgotten that after a call of the kernel's: each function between takes some ten nanoseconds then.
static inline ssize_t CWaymarkSystem_receive(int descriptor, void *buffer, size_t count) {
    return CWaymarkSystem_call(SYS_recvfrom, descriptor, (long)buffer, (long)count, 0, 0, 0);
}

/// Raises no SIGPIPE. `isMoreBehind` lets the kernel wait for what fills the packet.
static inline ssize_t CWaymarkSystem_send(int descriptor, const void *buffer, size_t count, bool isMoreBehind) {
    int flags = MSG_NOSIGNAL | (isMoreBehind ? MSG_MORE : 0);
    return CWaymarkSystem_call(SYS_sendto, descriptor, (long)buffer, (long)count, flags, 0, 0);
}

static inline int CWaymarkSystem_wait(int epoll, struct epoll_event *events, int count, int timeout) {
    // Some architectures have only this one; without a signal mask it does the same.
    return (int)CWaymarkSystem_call(SYS_epoll_pwait, epoll, (long)events, count, timeout, 0, 8);
}

/// A timer on the monotonic clock whose descriptor becomes readable; -1 and errno where there is none to be had.
int CWaymarkSystem_makeTimer(void);

/// When it does so next, in milliseconds of that clock, instead of what was set before. 0, or -1 and errno.
int CWaymarkSystem_setTimer(int timer, int64_t milliseconds);

/// How long the calling thread wants to run at a time once it shares its core. A thread that asks for little gets its turn
/// sooner (EEVDF, Linux 6.12); older kernels take the wish and do nothing with it. Threads that it starts begin with what is
/// usual. 0, or -1 where the kernel refuses.
int CWaymarkSystem_setSlice(uint64_t nanoseconds);
#endif
