/* Starts a program that finds a fake host at the paths of a real one, in a mount namespace of its own. */
#ifndef LAUNCHER_H
#define LAUNCHER_H

#include <stdbool.h>
#include <sys/types.h>

/* One line about the call that was refused last. */
extern char refusal[];

/* Notes what was refused and why, by errno; false. */
bool refused(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Enters a private mount namespace: by privilege, otherwise by a user namespace in which the user keeps its number. */
bool namespace_enter(void);

/* Shows an open file or directory at a path. */
bool graft_bind(int source, const char *target);

/* Shows PREFIX0 to PREFIX(count-1) of a directory in another one, and none that have such a name there. */
bool graft_numbered(const char *source, const char *target, const char *prefix, int count);

/* Lets nothing more be made in directories that only seem to be the real ones, where it would be lost. */
bool graft_seal(void);

/*
 * Runs a program until it ends, passes signals on to it, and then ends what it has left running. Ends all of it too when the
 * process that started this one is gone.
 */
int supervise(char **command, pid_t starter);

#endif
