/* A disk that fails when told to: preloaded into a server, below SQLite.
 *
 * Counts the calls that change or sync a file in FAULTS_FOLDER, from 1, over all threads, and
 * appends a letter for each to FAULTS_LOG: w for a write, s for a sync, t for a truncation.
 * FAULTS says which of them fail and how, such as "eio@12,kill@40":
 *
 *   kill    the process is killed before the call
 *   torn    half of a write is done (all of any other call), then the process is killed
 *   eio     nothing is done, EIO
 *   enospc  nothing is done, ENOSPC
 *   short   half of a write is done and returned, and the next call finds the disk full;
 *           any other call fails with EIO
 *
 * As long as there is a file FAULTS_FULL, the disk is full: nothing is written, ENOSPC. As long as
 * there is a file FAULTS_SLOW, each sync takes 0.3 s more.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum fault { NONE, KILL, TORN, EIO_, ENOSPC_, SHORT };

static const char *const NAMES[] = {"none", "kill", "torn", "eio", "enospc", "short"};
static atomic_long calls;

static enum fault named(const char *name, size_t length) {
    for (enum fault fault = KILL; fault <= SHORT; fault++)
        if (strlen(NAMES[fault]) == length && !strncmp(NAMES[fault], name, length))
            return fault;
    abort();
}

static enum fault planned(long call) {
    const char *plan = getenv("FAULTS");
    while (plan && *plan) {
        const char *at = strchr(plan, '@');
        char *end;
        if (!at)
            abort();
        long number = strtol(at + 1, &end, 10);
        enum fault fault = named(plan, (size_t)(at - plan));
        if (number == call)
            return fault;
        if (fault == SHORT && number + 1 == call)
            return ENOSPC_;
        plan = *end ? end + 1 : end;
    }
    return NONE;
}

static int is_watched(int descriptor) {
    char link[64], path[PATH_MAX];
    const char *folder = getenv("FAULTS_FOLDER");
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path);
    size_t wanted = folder ? strlen(folder) : 0;
    return wanted && length >= (ssize_t)wanted && !strncmp(path, folder, wanted);
}

static int is_there(const char *name) {
    const char *mark = getenv(name);
    return mark && !access(mark, F_OK);
}

static void note(char letter) {
    int log = open(getenv("FAULTS_LOG"), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
    ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
    if (log < 0 || real(log, &letter, 1) != 1)
        abort();
    close(log);
}

/* Return what shall happen to this call; kill at once if that is what shall happen. */
static enum fault next_fault(int descriptor, char letter) {
    int error = errno;
    if (!is_watched(descriptor)) {
        errno = error;
        return NONE;
    }
    enum fault fault = planned(atomic_fetch_add(&calls, 1) + 1);
    note(letter);
    if (fault == NONE && letter == 'w' && is_there("FAULTS_FULL"))
        fault = ENOSPC_;
    if (letter == 's' && is_there("FAULTS_SLOW"))
        usleep(300000);
    if (fault == KILL)
        kill(getpid(), SIGKILL);
    errno = error;
    return fault;
}

static int failed(enum fault fault) {
    errno = fault == ENOSPC_ ? ENOSPC : EIO;
    return -1;
}

static int fails(enum fault fault) {
    return fault == EIO_ || fault == ENOSPC_ || fault == SHORT;
}

#define WRITE(name, parameters, arguments, half)                                  \
    ssize_t name parameters {                                                     \
        ssize_t (*real) parameters = dlsym(RTLD_NEXT, #name);                     \
        enum fault fault = next_fault(descriptor, 'w');                           \
        if (fault == EIO_ || fault == ENOSPC_)                                    \
            return failed(fault);                                                 \
        ssize_t done = fault == NONE ? real arguments : real half;                \
        if (fault == TORN)                                                        \
            kill(getpid(), SIGKILL);                                              \
        return done;                                                              \
    }

#define CHANGE(name, letter, parameters, arguments)                               \
    int name parameters {                                                         \
        int (*real) parameters = dlsym(RTLD_NEXT, #name);                         \
        enum fault fault = next_fault(descriptor, letter);                        \
        if (fails(fault))                                                         \
            return failed(fault);                                                 \
        int done = real arguments;                                                \
        if (fault == TORN)                                                        \
            kill(getpid(), SIGKILL);                                              \
        return done;                                                              \
    }

WRITE(write, (int descriptor, const void *data, size_t size), (descriptor, data, size),
      (descriptor, data, size / 2))
WRITE(pwrite, (int descriptor, const void *data, size_t size, off_t offset),
      (descriptor, data, size, offset), (descriptor, data, size / 2, offset))
WRITE(pwrite64, (int descriptor, const void *data, size_t size, off64_t offset),
      (descriptor, data, size, offset), (descriptor, data, size / 2, offset))
CHANGE(fsync, 's', (int descriptor), (descriptor))
CHANGE(fdatasync, 's', (int descriptor), (descriptor))
CHANGE(ftruncate, 't', (int descriptor, off_t size), (descriptor, size))
CHANGE(ftruncate64, 't', (int descriptor, off64_t size), (descriptor, size))
