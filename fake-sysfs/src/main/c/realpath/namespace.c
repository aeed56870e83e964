/* Required for unshare. */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

static bool write_file(const char *path, const char *content) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) {
        return refused("opening %s", path);
    }
    bool written = write(file, content, strlen(content)) == (ssize_t)strlen(content);
    int reason = errno;
    close(file);
    errno = reason;
    return written ? true : refused("writing %s", path);
}

static bool map_to_itself(const char *path, unsigned id) {
    char line[64];
    snprintf(line, sizeof line, "%u %u 1\n", id, id);
    return write_file(path, line);
}

/* Explains ENOSPC. Its error text names space, but it is a limit on a number. */
static const char *beyond(int reason) {
    return reason == ENOSPC ? " (beyond the limits in /proc/sys/user)" : "";
}

static bool enter_as_ordinary_user(int unprivileged) {
    unsigned user = geteuid();
    unsigned group = getegid();
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0) {
        int reason = errno;
        errno = unprivileged;
        refused("a mount namespace%s", beyond(unprivileged));
        size_t length = strlen(refusal);
        snprintf(refusal + length, 512, ", a user namespace%s: %s", beyond(reason), strerror(reason));
        return false;
    }
    /* Required since Linux 3.19 before groups can be mapped. */
    return write_file("/proc/self/setgroups", "deny") && map_to_itself("/proc/self/uid_map", user)
            && map_to_itself("/proc/self/gid_map", group);
}

bool namespace_enter(void) {
    if (unshare(CLONE_NEWNS) != 0 && !enter_as_ordinary_user(errno)) {
        return false;
    }
    /* Unmounts outside are propagated into this namespace, to release the mounted file systems. */
    if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) != 0) {
        return refused("making the mounts slave mounts");
    }
    return true;
}
