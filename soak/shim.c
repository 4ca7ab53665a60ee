/* Lets the Nth call that writes fail or end the process, once armed (see preload.py).
 *
 * Calls are counted if they name a path under the prefix, or work on a descriptor that was opened there.
 * What the program does elsewhere, such as writing compiled code, is none of the campaign's business.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { COUNT = 0, FAIL = 1, KILL = 2, TERMINATE = 3, FULL = 4 };
enum { DESCRIPTORS = 65536 };
enum { STRANGE = 0, READ = 1, WRITTEN = 2 };

static long *counter;
static long at;
static int action = -1, number, reads;
static char prefix[4096];
static char ours[DESCRIPTORS];

void soak_arm(long nth, int what, int error, int with_reads, const char *under, long *shared) {
    at = nth;
    number = error;
    reads = with_reads;
    strncpy(prefix, under, sizeof prefix - 1);
    counter = shared;
    *counter = 0;
    ours[1] = WRITTEN;
    action = what;
}

/* Returns whether this call must fail; `grows` says that it needs room on the disk. */
static int struck(int grows) {
    long now = __sync_add_and_fetch(counter, 1);
    if (action == FULL && now >= at && grows) {
        errno = number;
        return 1;
    }
    if (now != at) return 0;
    switch (action) {
    case FAIL: errno = number; return 1;
    case KILL: kill(getpid(), SIGKILL); pause(); return 1;
    case TERMINATE: kill(getpid(), SIGTERM); return 0;
    default: return 0;
    }
}

static int named(const char *path) {
    return action >= 0 && path && !strncmp(path, prefix, strlen(prefix));
}

static int known(int fd) { return action >= 0 && fd >= 0 && fd < DESCRIPTORS && ours[fd]; }

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) real = (type (*)(__VA_ARGS__))dlsym(RTLD_NEXT, #name)

static int writes(int flags) { return (flags & O_ACCMODE) != O_RDONLY || flags & O_CREAT; }

static int opened(int fd, int flags) {
    if (fd >= 0 && fd < DESCRIPTORS) ours[fd] = writes(flags) ? WRITTEN : READ;
    return fd;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        REAL(int, name, const char *, int, ...); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        if (!named(path)) return real(path, flags, mode); \
        if ((writes(flags) || reads) && struck((flags & O_CREAT) != 0)) return -1; \
        return opened(real(path, flags, mode), flags); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
    int name(int folder, const char *path, int flags, ...) { \
        REAL(int, name, int, const char *, int, ...); \
        va_list rest; \
        va_start(rest, flags); \
        mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(rest, mode_t) : 0; \
        va_end(rest); \
        if (!named(path) && !known(folder)) return real(folder, path, flags, mode); \
        if ((writes(flags) || reads) && struck((flags & O_CREAT) != 0)) return -1; \
        return opened(real(folder, path, flags, mode), flags); \
    }
OPENAT(openat)
OPENAT(openat64)

int close(int fd) {
    REAL(int, close, int);
    int fails = known(fd) && fd > 2 && (reads || ours[fd] == WRITTEN) && struck(0);
    if (fd > 2 && fd < DESCRIPTORS) ours[fd] = STRANGE;
    int done = real(fd);
    if (!fails) return done;
    errno = number;
    return -1;
}

#define ON_DESCRIPTOR(type, name, fd, grows, given, ...) \
    type name given { \
        REAL(type, name, __VA_ARGS__); \
        if (known(fd) && struck(grows)) return -1; \
        return real

ON_DESCRIPTOR(ssize_t, write, fd, 1, (int fd, const void *bytes, size_t size), int, const void *, size_t)
(fd, bytes, size); }
ON_DESCRIPTOR(ssize_t, pwrite, fd, 1, (int fd, const void *b, size_t n, off_t o), int, const void *, size_t, off_t)
(fd, b, n, o); }
ON_DESCRIPTOR(ssize_t, pwrite64, fd, 1, (int fd, const void *b, size_t n, off64_t o), int, const void *, size_t, off64_t)
(fd, b, n, o); }
ON_DESCRIPTOR(ssize_t, writev, fd, 1, (int fd, const struct iovec *v, int n), int, const struct iovec *, int)
(fd, v, n); }
ON_DESCRIPTOR(int, fsync, fd, 0, (int fd), int)
(fd); }
ON_DESCRIPTOR(int, fdatasync, fd, 0, (int fd), int)
(fd); }
ON_DESCRIPTOR(int, ftruncate, fd, 1, (int fd, off_t size), int, off_t)
(fd, size); }
ON_DESCRIPTOR(int, ftruncate64, fd, 1, (int fd, off64_t size), int, off64_t)
(fd, size); }
ON_DESCRIPTOR(int, fchmod, fd, 0, (int fd, mode_t mode), int, mode_t)
(fd, mode); }
ON_DESCRIPTOR(ssize_t, sendfile, out, 1, (int out, int in, off_t *o, size_t n), int, int, off_t *, size_t)
(out, in, o, n); }
ON_DESCRIPTOR(ssize_t, sendfile64, out, 1, (int out, int in, off64_t *o, size_t n), int, int, off64_t *, size_t)
(out, in, o, n); }
ON_DESCRIPTOR(ssize_t, copy_file_range, out, 1, (int in, off64_t *a, int out, off64_t *b, size_t n, unsigned f), int, off64_t *, int, off64_t *, size_t, unsigned)
(in, a, out, b, n, f); }

ssize_t read(int fd, void *bytes, size_t size) {
    REAL(ssize_t, read, int, void *, size_t);
    if (reads && known(fd) && struck(0)) return -1;
    return real(fd, bytes, size);
}

#define ON_PATH(name, path, grows, given, ...) \
    int name given { \
        REAL(int, name, __VA_ARGS__); \
        if (named(path) && struck(grows)) return -1; \
        return real

ON_PATH(creat, path, 1, (const char *path, mode_t mode), const char *, mode_t)
(path, mode); }
ON_PATH(mkdir, path, 1, (const char *path, mode_t mode), const char *, mode_t)
(path, mode); }
ON_PATH(rmdir, path, 0, (const char *path), const char *)
(path); }
ON_PATH(unlink, path, 0, (const char *path), const char *)
(path); }
ON_PATH(chmod, path, 0, (const char *path, mode_t mode), const char *, mode_t)
(path, mode); }
ON_PATH(rename, to, 0, (const char *from, const char *to), const char *, const char *)
(from, to); }
ON_PATH(link, to, 0, (const char *from, const char *to), const char *, const char *)
(from, to); }
ON_PATH(renameat, to, 0, (int a, const char *from, int b, const char *to), int, const char *, int, const char *)
(a, from, b, to); }
ON_PATH(renameat2, to, 0, (int a, const char *from, int b, const char *to, unsigned f), int, const char *, int, const char *, unsigned)
(a, from, b, to, f); }
ON_PATH(linkat, to, 0, (int a, const char *from, int b, const char *to, int f), int, const char *, int, const char *, int)
(a, from, b, to, f); }

int unlinkat(int folder, const char *path, int flags) {
    REAL(int, unlinkat, int, const char *, int);
    if ((named(path) || known(folder)) && struck(0)) return -1;
    return real(folder, path, flags);
}

int mkdirat(int folder, const char *path, mode_t mode) {
    REAL(int, mkdirat, int, const char *, mode_t);
    if ((named(path) || known(folder)) && struck(1)) return -1;
    return real(folder, path, mode);
}
