/* Start of a program that finds a fake host at the paths of a real host, in its own mount namespace. */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include <stdbool.h>
#include <sys/types.h>

/* A line about the last refused call. */
extern char refusal[];

/* Records the refused call and the reason in errno; returns false. */
bool refused(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Enters a private mount namespace: by privilege, otherwise by a user namespace in which the user keeps its number. */
bool namespace_enter(void);

/* Shows an open file or directory at a path. */
bool graft_bind(int source, const char *target);

/* Shows PREFIX0 to PREFIX(count-1) of a directory in another directory, and hides other entries with such a name there. */
bool graft_numbered(const char *source, const char *target, const char *prefix, int count);

/* Makes the temporary directories read-only. New files in them would be lost. */
bool graft_seal(void);

/*
 * Runs a program until it ends, passes signals on to it, and then kills its remaining child processes. Kills all of them too if the
 * process that started this one has ended.
 */
int supervise(char **command, pid_t starter);

#endif
