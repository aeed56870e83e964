/*
 * at-real-path [--starter PID] [GRAFT]... -- COMMAND [ARGUMENT]...
 *   --starter PID                           the parent of this process; COMMAND ends together with it
 *   --bind SOURCE TARGET                    shows a file or directory at an absolute path; a failure ends this program
 *   --try-bind SOURCE TARGET                the same, but a failure is only reported
 *   --try-numbered SOURCE TARGET PREFIX N   creates links in TARGET to PREFIX0 to PREFIX(N-1) of SOURCE; a failure is only reported
 * at-real-path --signal NUMBER PID
 *
 * Ends with the exit code of COMMAND; 125 if it was not started, 126 if it cannot be run, 127 if it does not exist.
 */
#define _GNU_SOURCE
#include "launcher.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NOT_STARTED 125

static int send_signal(char **arguments) {
    return kill((pid_t)atol(arguments[1]), atoi(arguments[0])) == 0 ? 0 : 1;
}

struct graft {
    const char *kind;
    char **words;
    int source; /* a descriptor, or the negated reason why there is none */
};

static int words_of(const char *kind) {
    if (strcmp(kind, "--bind") == 0 || strcmp(kind, "--try-bind") == 0) {
        return 2;
    }
    return strcmp(kind, "--try-numbered") == 0 ? 4 : 0;
}

static bool carry_out(const struct graft *graft) {
    if (words_of(graft->kind) == 4) {
        return graft_numbered(graft->words[0], graft->words[1], graft->words[2], atoi(graft->words[3]));
    }
    if (graft->source < 0) {
        errno = -graft->source;
        return refused("opening %s", graft->words[0]);
    }
    return graft_bind(graft->source, graft->words[1]);
}

static bool enter(struct graft *grafts, int count) {
    if (!namespace_enter()) {
        return false;
    }
    /* Opened in this namespace, and before anything is mounted over the sources. */
    for (int i = 0; i < count; i++) {
        if (words_of(grafts[i].kind) == 2) {
            int source = open(grafts[i].words[0], O_PATH | O_CLOEXEC);
            grafts[i].source = source < 0 ? -errno : source;
        }
    }
    char folder[PATH_MAX];
    bool has_folder = getcwd(folder, sizeof folder) != NULL;
    for (int i = 0; i < count; i++) {
        if (!carry_out(&grafts[i])) {
            if (strcmp(grafts[i].kind, "--bind") == 0) {
                return false;
            }
            fprintf(stderr, "fake-sysfs: %s does not show the fake: %s\n", grafts[i].words[1], refusal);
        }
    }
    if (!graft_seal()) {
        return false;
    }
    /* Otherwise the working directory would be the directory below the mounts. */
    if (has_folder && chdir(folder) != 0) {
        return refused("returning to %s", folder);
    }
    return true;
}

int main(int count, char **arguments) {
    if (count == 4 && strcmp(arguments[1], "--signal") == 0) {
        return send_signal(arguments + 2);
    }
    struct graft grafts[16];
    int graft_count = 0;
    int next = 1;
    pid_t starter = getppid();
    if (count > 2 && strcmp(arguments[1], "--starter") == 0) {
        starter = (pid_t)atol(arguments[2]);
        next = 3;
    }
    while (next < count && strcmp(arguments[next], "--") != 0) {
        int words = words_of(arguments[next]);
        if (words == 0 || next + words >= count || graft_count == 16) {
            fprintf(stderr, "fake-sysfs: at-real-path does not accept the argument %s\n", arguments[next]);
            return NOT_STARTED;
        }
        grafts[graft_count++] = (struct graft){arguments[next], arguments + next + 1, 0};
        next += 1 + words;
    }
    char **command = arguments + next + 1;
    if (next + 1 >= count) {
        fprintf(stderr, "fake-sysfs: at-real-path has no command\n");
        return NOT_STARTED;
    }
    if (!enter(grafts, graft_count)) {
        fprintf(stderr,
                "fake-sysfs: the fake cannot be shown at the real path. The kernel refused %s. Run it as root or where user"
                " namespaces are allowed; alternatively, let the program read a directory: fake-sysfs serve --root DIR, then"
                " source DIR/env.sh.\n",
                refusal);
        return NOT_STARTED;
    }
    return supervise(command, starter);
}
