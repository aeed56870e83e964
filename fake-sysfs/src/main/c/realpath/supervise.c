/* Required for sigwaitinfo and PR_SET_CHILD_SUBREAPER. */
#define _GNU_SOURCE
#include "launcher.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOT_RUNNABLE 126
#define NOT_FOUND 127
#define BY_SIGNAL 128

/* Signal from the kernel when the thread that started this process ends. */
#define STARTER_ENDED SIGUSR2

#define ROUNDS 500
#define PAUSE_MICROSECONDS 10000

/* Reads the parent of a process from the words after its name. The name is in parentheses and may contain any characters. */
static pid_t parent_of(const char *pid) {
    char path[64];
    char text[512];
    snprintf(path, sizeof path, "/proc/%.16s/stat", pid);
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        return -1;
    }
    size_t length = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[length] = '\0';
    const char *name_end = strrchr(text, ')');
    int parent;
    return name_end != NULL && sscanf(name_end + 1, " %*c %d", &parent) == 1 ? parent : -1;
}

static void kill_children(void) {
    DIR *processes = opendir("/proc");
    const struct dirent *entry;
    while (processes != NULL && (entry = readdir(processes)) != NULL) {
        if (isdigit((unsigned char)entry->d_name[0]) && parent_of(entry->d_name) == getpid()) {
            kill((pid_t)atol(entry->d_name), SIGKILL);
        }
    }
    if (processes != NULL) {
        closedir(processes);
    }
}

/* Kills all descendants. The children of an ended child become children of this process. Therefore each round kills one generation. */
static void end_all(void) {
    for (int round = 0; round < ROUNDS; round++) {
        pid_t ended;
        while ((ended = waitpid(-1, NULL, WNOHANG)) > 0) {
        }
        if (ended < 0) {
            return;
        }
        kill_children();
        usleep(PAUSE_MICROSECONDS);
    }
}

static int run(char **command, pid_t supervisor) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != supervisor) {
        return NOT_RUNNABLE;
    }
    /* The JVM blocks some signals. */
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvp(command[0], command);
    int reason = errno;
    fprintf(stderr, "fake-sysfs: %s cannot be run: %s\n", command[0], strerror(reason));
    return reason == ENOENT ? NOT_FOUND : NOT_RUNNABLE;
}

int supervise(char **command, pid_t starter) {
    sigset_t taken;
    sigemptyset(&taken);
    for (const int *signals = (const int[]){SIGCHLD, SIGHUP, SIGINT, SIGQUIT, SIGTERM, STARTER_ENDED, 0}; *signals; signals++) {
        sigaddset(&taken, *signals);
    }
    sigprocmask(SIG_SETMASK, &taken, NULL);
    signal(SIGCHLD, SIG_DFL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, STARTER_ENDED);
    pid_t supervisor = getpid();
    pid_t program = fork();
    if (program == 0) {
        _exit(run(command, supervisor));
    }
    if (program < 0) {
        fprintf(stderr, "fake-sysfs: %s cannot be run: %s\n", command[0], strerror(errno));
        return NOT_RUNNABLE;
    }
    while (getppid() == starter) {
        siginfo_t origin;
        int status;
        int signal = sigwaitinfo(&taken, &origin);
        if (signal == SIGCHLD) {
            pid_t ended;
            while ((ended = waitpid(-1, &status, WNOHANG)) > 0) {
                if (ended == program) {
                    end_all();
                    return WIFSIGNALED(status) ? BY_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
                }
            }
        } else if (signal > 0 && signal != STARTER_ENDED && origin.si_code <= 0) {
            /* A signal from the terminal has already reached the program; only others are passed on. */
            kill(program, signal);
        }
    }
    end_all();
    return BY_SIGNAL + SIGKILL;
}
