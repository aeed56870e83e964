/*
 * A library that is preloaded into a command and all its children. Like a loaded machine, it randomly delays calls that wake or start a
 * thread, accept, read, write, or change a folder. Built and set up by under-load.
 *
 *   DELAYS_PERCENT       of the calls on sockets, pipes and terminals, of threads that wake or start, of changes to folders (5)
 *   DELAYS_FILE_PERCENT  of reading, writing, opening and removing plain files: there are many more of them (0.5)
 *   DELAYS_LONGEST_MS    the longest delay (40)
 *   DELAYS_SEED          with the same seed, each thread of the same command has the same delays (1)
 *   DELAYS_STATISTICS    a file to which each process appends its calls and delays when it exits
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum kind { WAKE, START, ACCEPT, READ, WRITE, CHANGE, PATH, KINDS };

static const char *const names[KINDS] = {"wake", "start", "accept", "read", "write", "change", "path"};

static struct {
    atomic_ulong calls, delays, nanos;
} counted[KINDS];

/* Both in 2^32 parts of all calls. */
static uint64_t likely = (uint64_t) (0.05 * 4294967296.0);
static uint64_t likely_plain = (uint64_t) (0.005 * 4294967296.0);
static uint64_t plain_of_likely = (uint64_t) (0.1 * 4294967296.0);
static uint64_t longest = 40 * 1000000ull;
static uint64_t seed = 1;
static atomic_ulong threads;

/* In the first block of thread-local memory: reaching it allocates nothing, also in a signal handler. */
static __thread uint64_t state __attribute__((tls_model("initial-exec")));

static uint64_t mixed(uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

static uint64_t next(void) {
    if (state == 0) {
        state = mixed(seed + 0x9e3779b97f4a7c15ull * (1 + atomic_fetch_add(&threads, 1))) | 1;
    }
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static int chosen(uint64_t part) {
    return next() >> 32 < part;
}

static void delay(enum kind kind) {
    int before = errno;
    uint64_t nanos = longest == 0 ? 0 : next() % longest;
    struct timespec time = {(time_t) (nanos / 1000000000), (long) (nanos % 1000000000)};
    /* Not nanosleep(): no thread may be cancelled here. A signal may end it early. */
    syscall(SYS_nanosleep, &time, NULL);
    atomic_fetch_add_explicit(&counted[kind].delays, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&counted[kind].nanos, nanos, memory_order_relaxed);
    errno = before;
}

static void count(enum kind kind) {
    atomic_fetch_add_explicit(&counted[kind].calls, 1, memory_order_relaxed);
}

static void maybe(enum kind kind) {
    count(kind);
    if (chosen(kind == PATH ? likely_plain : likely)) {
        delay(kind);
    }
}

/* The kind of a descriptor costs a system call. It is read only for the few chosen calls. */
static void maybe_at(int fd, enum kind kind) {
    count(kind);
    if (!chosen(likely)) {
        return;
    }
    int before = errno;
    struct stat is;
    int plain = fstat(fd, &is) != 0 || S_ISREG(is.st_mode) || S_ISBLK(is.st_mode)
            || (S_ISCHR(is.st_mode) && !isatty(fd)); /* such as /dev/null and /dev/urandom */
    errno = before;
    if (!plain || chosen(plain_of_likely)) {
        delay(kind);
    }
}

/* The next definition of a function. Without its version, that of a condition can be an old one of another layout. */
static void *behind(const char *name) {
    void *found = NULL;
    if (strncmp(name, "pthread_cond_", 13) == 0) {
        found = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
    }
    return found != NULL ? found : dlsym(RTLD_NEXT, name);
}

/* Found once: by begin(), or by an earlier first call from the constructor of another library. */
#define HOOKS(hook) \
    hook(int, pthread_cond_wait, (pthread_cond_t *, pthread_mutex_t *)) \
    hook(int, pthread_cond_timedwait, (pthread_cond_t *, pthread_mutex_t *, const struct timespec *)) \
    hook(int, pthread_cond_clockwait, (pthread_cond_t *, pthread_mutex_t *, clockid_t, const struct timespec *)) \
    hook(int, pthread_create, (pthread_t *, const pthread_attr_t *, void *(*) (void *), void *)) \
    hook(int, accept, (int, struct sockaddr *, socklen_t *)) \
    hook(int, accept4, (int, struct sockaddr *, socklen_t *, int)) \
    hook(ssize_t, read, (int, void *, size_t)) \
    hook(ssize_t, readv, (int, const struct iovec *, int)) \
    hook(ssize_t, recv, (int, void *, size_t, int)) \
    hook(ssize_t, pread, (int, void *, size_t, off_t)) \
    hook(ssize_t, pread64, (int, void *, size_t, off64_t)) \
    hook(ssize_t, write, (int, const void *, size_t)) \
    hook(ssize_t, writev, (int, const struct iovec *, int)) \
    hook(ssize_t, send, (int, const void *, size_t, int)) \
    hook(ssize_t, pwrite, (int, const void *, size_t, off_t)) \
    hook(ssize_t, pwrite64, (int, const void *, size_t, off64_t)) \
    hook(int, open, (const char *, int, ...)) \
    hook(int, open64, (const char *, int, ...)) \
    hook(int, openat, (int, const char *, int, ...)) \
    hook(int, openat64, (int, const char *, int, ...)) \
    hook(int, unlink, (const char *)) \
    hook(int, unlinkat, (int, const char *, int)) \
    hook(int, rename, (const char *, const char *)) \
    hook(int, renameat, (int, const char *, int, const char *)) \
    hook(int, renameat2, (int, const char *, int, const char *, unsigned)) \
    hook(int, fsync, (int)) \
    hook(int, fdatasync, (int))

#define POINTER(result, name, parameters) static result(*real_##name) parameters;
HOOKS(POINTER)

#define FIND(result, name, parameters) *(void **) &real_##name = behind(#name);
static void find(void) {
    int before = errno;
    HOOKS(FIND)
    errno = before;
}

#define REAL(name) (real_##name != NULL ? real_##name : (find(), real_##name))

/* Simulates a thread that gets its processor late. It releases the mutex during the delay, to not delay the threads that wake it. */
static int woken(int result, pthread_mutex_t *mutex) {
    count(WAKE);
    if ((result == 0 || result == ETIMEDOUT) && chosen(likely) && pthread_mutex_unlock(mutex) == 0) {
        delay(WAKE);
        pthread_mutex_lock(mutex);
    }
    return result;
}

int pthread_cond_wait(pthread_cond_t *cond, pthread_mutex_t *mutex) {
    return woken(REAL(pthread_cond_wait)(cond, mutex), mutex);
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex, const struct timespec *until) {
    return woken(REAL(pthread_cond_timedwait)(cond, mutex, until), mutex);
}

int pthread_cond_clockwait(pthread_cond_t *cond, pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
    return woken(REAL(pthread_cond_clockwait)(cond, mutex, clock, until), mutex);
}

/* The functions of delayed threads that have not begun. If all entries are in use, a thread begins without a delay. */
static struct start {
    atomic_flag used;
    void *(*run)(void *);
    void *argument;
} starts[64];

static void *late(void *given) {
    struct start mine = {.run = ((struct start *) given)->run, .argument = ((struct start *) given)->argument};
    atomic_flag_clear(&((struct start *) given)->used);
    delay(START);
    return mine.run(mine.argument);
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    count(START);
    if (chosen(likely)) {
        for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
            if (!atomic_flag_test_and_set(&starts[i].used)) {
                starts[i].run = run;
                starts[i].argument = argument;
                int failed = REAL(pthread_create)(thread, attributes, late, &starts[i]);
                if (failed) {
                    atomic_flag_clear(&starts[i].used);
                }
                return failed;
            }
        }
    }
    return REAL(pthread_create)(thread, attributes, run, argument);
}

int accept(int fd, struct sockaddr *address, socklen_t *length) {
    int accepted = REAL(accept)(fd, address, length);
    if (accepted >= 0) {
        maybe(ACCEPT);
    }
    return accepted;
}

int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags) {
    int accepted = REAL(accept4)(fd, address, length, flags);
    if (accepted >= 0) {
        maybe(ACCEPT);
    }
    return accepted;
}

/* A read is delayed after the data has arrived, a write before it is sent. */
#define READER(name, parameters, ...) \
    ssize_t name parameters { \
        ssize_t got = REAL(name)(__VA_ARGS__); \
        if (got >= 0) { \
            maybe_at(fd, READ); \
        } \
        return got; \
    }
READER(read, (int fd, void *to, size_t size), fd, to, size)
READER(readv, (int fd, const struct iovec *to, int parts), fd, to, parts)
READER(recv, (int fd, void *to, size_t size, int flags), fd, to, size, flags)
READER(pread, (int fd, void *to, size_t size, off_t at), fd, to, size, at)
READER(pread64, (int fd, void *to, size_t size, off64_t at), fd, to, size, at)

#define WRITER(name, parameters, ...) \
    ssize_t name parameters { \
        maybe_at(fd, WRITE); \
        return REAL(name)(__VA_ARGS__); \
    }
WRITER(write, (int fd, const void *from, size_t size), fd, from, size)
WRITER(writev, (int fd, const struct iovec *from, int parts), fd, from, parts)
WRITER(send, (int fd, const void *from, size_t size, int flags), fd, from, size, flags)
WRITER(pwrite, (int fd, const void *from, size_t size, off_t at), fd, from, size, at)
WRITER(pwrite64, (int fd, const void *from, size_t size, off64_t at), fd, from, size, at)

#define OPENER(name, parameters, ...) \
    int name parameters { \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        maybe(PATH); \
        return REAL(name)(__VA_ARGS__, flags, mode); \
    }
OPENER(open, (const char *path, int flags, ...), path)
OPENER(open64, (const char *path, int flags, ...), path)
OPENER(openat, (int folder, const char *path, int flags, ...), folder, path)
OPENER(openat64, (int folder, const char *path, int flags, ...), folder, path)

#define CHANGER(kind, name, parameters, ...) \
    int name parameters { \
        maybe(kind); \
        return REAL(name)(__VA_ARGS__); \
    }
CHANGER(PATH, unlink, (const char *path), path)
CHANGER(PATH, unlinkat, (int folder, const char *path, int flags), folder, path, flags)
CHANGER(CHANGE, rename, (const char *from, const char *to), from, to)
CHANGER(CHANGE, renameat, (int a, const char *from, int b, const char *to), a, from, b, to)
CHANGER(CHANGE, renameat2, (int a, const char *from, int b, const char *to, unsigned flags), a, from, b, to, flags)
CHANGER(CHANGE, fsync, (int fd), fd)
CHANGER(CHANGE, fdatasync, (int fd), fd)

static double number(const char *name, double otherwise) {
    const char *given = getenv(name);
    return given == NULL || *given == '\0' ? otherwise : strtod(given, NULL);
}

/* Children of one parent, forked one after the other, are not delayed at the same calls. */
static void forking(void) {
    next();
}

static void forked(void) {
    memset(counted, 0, sizeof counted);
}

__attribute__((constructor)) static void begin(int count, char **arguments) {
    find();
    double part = number("DELAYS_PERCENT", 5) / 100, plain = number("DELAYS_FILE_PERCENT", 0.5) / 100;
    likely = (uint64_t) (part * 4294967296.0);
    likely_plain = (uint64_t) (plain * 4294967296.0);
    plain_of_likely = (uint64_t) (part > plain ? plain / part * 4294967296.0 : 4294967296.0);
    longest = (uint64_t) (number("DELAYS_LONGEST_MS", 40) * 1000000);
    seed = (uint64_t) number("DELAYS_SEED", 1);
    /* Otherwise all short programs would be delayed at the same calls, or none of them. */
    for (int i = 0; i < count; i++) {
        for (const char *c = arguments[i]; *c != '\0'; c++) {
            seed = (seed ^ (unsigned char) *c) * 0x100000001b3ull;
        }
    }
    pthread_atfork(forking, NULL, forked);
}

__attribute__((destructor)) static void end(void) {
    const char *file = getenv("DELAYS_STATISTICS");
    if (file == NULL || *file == '\0') {
        return;
    }
    char text[1024];
    int length = 0;
    for (int kind = 0; kind < KINDS; kind++) {
        length += snprintf(text + length, sizeof text - (size_t) length, "%s %lu %lu %lu\n", names[kind],
                atomic_load(&counted[kind].calls), atomic_load(&counted[kind].delays), atomic_load(&counted[kind].nanos) / 1000);
    }
    int fd = REAL(open)(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0) {
        (void) !REAL(write)(fd, text, (size_t) length);
        close(fd);
    }
}
