// Records which words of memory a piece of code writes, and which another one touches, for Scripts/check-shared-lines: the
// process's memory is protected meanwhile, so that each access ends in a signal, is written down, and is done as a single
// step. x86-64, Linux; the code must be on one thread and make no system call.
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <time.h>
#include <unistd.h>

enum { PAGE = 4096, WORD = 8, REGIONS = 4096, SLOTS = 1 << 16, OPEN = 8, THREADS = 256, SINGLE_STEP = 0x100 };

struct Access {
    uintptr_t word;
    uintptr_t instruction;
    // Where it is called in the program, if it is in a library: the first address on the stack that may be one.
    uintptr_t caller;
};

// In one place of whole pages, so that it can be left out of what is protected.
static struct __attribute__((aligned(PAGE))) {
    struct { uintptr_t start, end; } regions[REGIONS];
    int count;
    int protection;
    struct Access *table;
    struct Access writes[SLOTS], touches[SLOTS];
    uintptr_t open[OPEN];
    int openCount;
    char maps[1 << 20];
    uintptr_t text, textEnd;
    uintptr_t stacks[THREADS], pointers[THREADS];
    volatile int stopped, isStopping;
} state;

static void protect(uintptr_t start, uintptr_t end, int protection) {
    // Not through the C library, whose memory is protected too.
    register long result __asm__("rax") = SYS_mprotect;
    register uintptr_t first __asm__("rdi") = start;
    register size_t count __asm__("rsi") = end - start;
    register long flags __asm__("rdx") = protection;
    __asm__ volatile("syscall" : "+r"(result) : "r"(first), "r"(count), "r"(flags) : "rcx", "r11", "memory");
    if (result != 0) __builtin_trap();
}

static void note(uintptr_t address, uintptr_t instruction, const uintptr_t *stack) {
    uintptr_t word = address / WORD * WORD;
    for (size_t slot = word / WORD * 0x9E3779B97F4A7C15u >> 48;; slot = (slot + 1) % SLOTS) {
        if (state.table[slot].word == word) return;
        if (state.table[slot].word) continue;
        uintptr_t caller = 0;
        for (int i = 0; i < 64 && !caller; i++)
            if (stack[i] >= state.text && stack[i] < state.textEnd) caller = stack[i];
        state.table[slot] = (struct Access){word, instruction, caller};
        return;
    }
}

static void onFault(int number, siginfo_t *info, void *context) {
    (void)number;
    uintptr_t address = (uintptr_t)info->si_addr;
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    int isOurs = 0;
    for (int i = 0; i < state.count; i++)
        isOurs |= address >= state.regions[i].start && address < state.regions[i].end;
    if (!isOurs || !state.table || state.openCount == OPEN) __builtin_trap();
    note(address, (uintptr_t)registers[REG_RIP], (const uintptr_t *)registers[REG_RSP]);
    uintptr_t page = address / PAGE * PAGE;
    protect(page, page + PAGE, PROT_READ | PROT_WRITE);
    state.open[state.openCount++] = page;
    registers[REG_EFL] |= SINGLE_STEP;
}

// Another thread waits here while this one is looked at. With this signal, because Dispatch's threads block most others.
static void stop(void) {
    int number = __atomic_fetch_add(&state.stopped, 1, __ATOMIC_SEQ_CST);
    if (number < THREADS) {
        state.stacks[number] = (uintptr_t)__builtin_frame_address(0);
        state.pointers[number] = (uintptr_t)__builtin_thread_pointer();
    }
    struct timespec pause = {0, 1000000};
    while (state.isStopping) syscall(SYS_nanosleep, &pause, NULL);
    __atomic_fetch_sub(&state.stopped, 1, __ATOMIC_SEQ_CST);
}

static void onStep(int number, siginfo_t *info, void *context) {
    (void)number;
    if (info->si_code == SI_TKILL) return stop();
    while (state.openCount > 0) {
        uintptr_t page = state.open[--state.openCount];
        protect(page, page + PAGE, state.protection);
    }
    ((ucontext_t *)context)->uc_mcontext.gregs[REG_EFL] &= ~(greg_t)SINGLE_STEP;
}

static void leaveOut(uintptr_t start, uintptr_t end) {
    start = start / PAGE * PAGE;
    end = (end + PAGE - 1) / PAGE * PAGE;
    for (int i = 0, count = state.count; i < count; i++) {
        uintptr_t last = state.regions[i].end;
        if (state.regions[i].start >= end || last <= start) continue;
        state.regions[i].end = start > state.regions[i].start ? start : state.regions[i].start;
        if (last <= end) continue;
        if (state.count == REGIONS) abort();
        state.regions[state.count].start = end;
        state.regions[state.count++].end = last;
    }
}

// The mapping with an address.
static void leaveOutMapping(uintptr_t address) {
    for (int i = 0; i < state.count; i++)
        if (address >= state.regions[i].start && address < state.regions[i].end)
            state.regions[i].end = state.regions[i].start;
}

// A thread's variables are beside its pointer.
static void leaveOutThread(uintptr_t stack, uintptr_t pointer) {
    leaveOutMapping(stack);
    leaveOut(pointer - 4 * PAGE, pointer + 2 * PAGE);
}

// All private writable memory but that of this file, and the stacks of all threads with what else is theirs alone: the kernel
// writes there too.
static void findRegions(void) {
    int file = open("/proc/self/maps", O_RDONLY);
    ssize_t count = 0, more;
    while ((more = read(file, state.maps + count, sizeof state.maps - 1 - (size_t)count)) > 0) count += more;
    close(file);
    state.maps[count] = 0;
    state.count = 0;
    for (char *line = strtok(state.maps, "\n"); line; line = strtok(NULL, "\n")) {
        uintptr_t start, end;
        char mode[5];
        if (sscanf(line, "%lx-%lx %4s", &start, &end, mode) != 3) continue;
        if (strcmp(mode, "r-xp") == 0 && !state.text) {
            state.text = start;
            state.textEnd = end;
        }
        if (strcmp(mode, "rw-p") != 0) continue;
        if (state.count == REGIONS) abort();
        state.regions[state.count].start = start;
        state.regions[state.count++].end = end;
    }
    leaveOutThread((uintptr_t)__builtin_frame_address(0), (uintptr_t)__builtin_thread_pointer());
    for (int i = 0; i < state.stopped; i++) leaveOutThread(state.stacks[i], state.pointers[i]);
    leaveOut((uintptr_t)&state, (uintptr_t)&state + sizeof state);
}

static void stopOthers(void) {
    int count = 0;
    pid_t own = (pid_t)syscall(SYS_gettid);
    state.isStopping = 1;
    DIR *threads = opendir("/proc/self/task");
    for (struct dirent *entry; (entry = readdir(threads));) {
        pid_t thread = atoi(entry->d_name);
        if (thread > 0 && thread != own && syscall(SYS_tgkill, getpid(), thread, SIGTRAP) == 0) count++;
    }
    closedir(threads);
    if (count > THREADS) abort();
    // A thread that ends meanwhile never comes.
    for (int waits = 0; state.stopped < count; waits++) {
        if (waits == 5000) abort();
        usleep(1000);
    }
}

static void resumeOthers(void) {
    state.isStopping = 0;
    while (state.stopped > 0) usleep(1000);
}

// Runs `body`, and records the words that it writes, or those that it reads or writes.
void waymark_lines_record(int readsToo, void (*body)(void *), void *context) {
    struct sigaction fault = {.sa_sigaction = onFault, .sa_flags = SA_SIGINFO}, step = {.sa_sigaction = onStep, .sa_flags = SA_SIGINFO};
    struct sigaction oldFault, oldStep;
    sigaction(SIGSEGV, &fault, &oldFault);
    sigaction(SIGTRAP, &step, &oldStep);
    stopOthers();
    findRegions();
    state.table = readsToo ? state.touches : state.writes;
    memset(state.table, 0, sizeof state.writes);
    state.protection = readsToo ? PROT_NONE : PROT_READ;
    for (int i = 0; i < state.count; i++)
        if (state.regions[i].start < state.regions[i].end)
            protect(state.regions[i].start, state.regions[i].end, state.protection);
    body(context);
    for (int i = 0; i < state.count; i++)
        if (state.regions[i].start < state.regions[i].end)
            protect(state.regions[i].start, state.regions[i].end, PROT_READ | PROT_WRITE);
    state.table = NULL;
    resumeOthers();
    sigaction(SIGSEGV, &oldFault, NULL);
    sigaction(SIGTRAP, &oldStep, NULL);
}

// The program comes first.
static int findFirst(struct dl_phdr_info *info, size_t size, void *first) {
    (void)size;
    *(uintptr_t *)first = info->dlpi_addr;
    return 1;
}

static void print(const char *what, const struct Access *access) {
    Dl_info info = {0};
    dladdr((void *)access->instruction, &info);
    // Relative to the program, as its symbols are.
    uintptr_t first = 0;
    dl_iterate_phdr(findFirst, &first);
    printf("    %s %lx %lx %s\n", what, access->instruction - first, access->caller ? access->caller - first : 0,
        info.dli_sname ? info.dli_sname : "");
}

// Prints what shares a word: the instruction and where in the program it was called; returns how many words are shared.
int waymark_lines_report(const char *kind) {
    int shared = 0, written = 0;
    for (int i = 0; i < SLOTS; i++) {
        if (!state.writes[i].word) continue;
        written++;
        for (int j = 0; j < SLOTS; j++) {
            if (state.touches[j].word != state.writes[i].word) continue;
            printf("%s shares %lx\n", kind, state.writes[i].word);
            print("written", &state.writes[i]);
            print("touched", &state.touches[j]);
            shared++;
        }
    }
    printf("%s: %d words written, %d of them shared\n", kind, written, shared);
    fflush(stdout);
    return shared;
}
