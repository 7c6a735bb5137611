#pragma once

/// Lets the processor fetch the line of memory at an address while it goes on with something else. Any address will do:
/// nothing is read, and nothing is raised.
static inline void CWaymarkProcessor_prefetch(const void *address) { __builtin_prefetch(address); }

/// The same for a line that will be written: the copies that other processors have of it are given up.
static inline void CWaymarkProcessor_prefetchForWriting(void *address) {
#if defined(__x86_64__)
    // The builtin leaves others their copies where the compiler may not count on the instruction. Every processor of 64
    // bits takes it, be it for nothing.
    __asm__ volatile("prefetchw (%0)" : : "r"(address));
#else
    __builtin_prefetch(address, 1);
#endif
}
