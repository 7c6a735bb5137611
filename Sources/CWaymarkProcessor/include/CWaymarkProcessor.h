#pragma once

/// Lets the processor fetch the line of memory at an address while it goes on with something else. Any address will do:
/// nothing is read, and nothing is raised.
static inline void CWaymarkProcessor_prefetch(const void *address) { __builtin_prefetch(address); }
