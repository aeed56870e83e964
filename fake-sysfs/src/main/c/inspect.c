/*
 * Profiles that the environment or a program requests. The host creates their content. This library writes the files when the program
 * stops the collection, closes the runtime, or ends.
 */
/* Required for strdup and pipe2. */
#define _GNU_SOURCE
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_DIRECTORY "./output"
#define PREFIX "NEURON_RT_INSPECT_"
#define LONGEST_WORDS 4096
#define LONGEST_NAME 512
#define LONGEST_WRITE_MS 10000

/* A signal handler of the program may call exit while its thread holds the lock. */
static pthread_mutex_t lock = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
/* The folder to write to while profiles are collected, otherwise NULL. Guarded by lock. */
static char *directory;

/* ---- the files */

static bool create_directories(const char *path) {
    char partial[PATH_MAX];
    size_t length = strlen(path);
    if (length >= sizeof partial) {
        errno = ENAMETOOLONG;
        return false;
    }
    for (size_t i = 1; i <= length; i++) {
        if (path[i] == '/' || path[i] == '\0') {
            memcpy(partial, path, i);
            partial[i] = '\0';
            if (mkdir(partial, 0777) != 0 && errno != EEXIST) {
                return false;
            }
        }
    }
    return true;
}

/* Formats the path of a file; false if it is too long. */
static bool join(char path[PATH_MAX], const char *folder, const char *name) {
    errno = ENAMETOOLONG;
    return snprintf(path, PATH_MAX, "%s/%s", folder, name) < PATH_MAX;
}

/*
 * Writes the files of an answer: the name of the folder, and for each file its name and where its content is. A content that cannot be
 * written is deleted. The log cuts long lines, so a path is cut before the reason.
 */
static void write_files(struct runtime *runtime, const char *answer) {
    char folder[LONGEST_NAME] = "";
    char name[LONGEST_NAME];
    char content[64];
    char target[PATH_MAX];
    char path[PATH_MAX];
    int length = 0;
    int count = 0;
    bool created = sscanf(answer, "%511s%n", folder, &length) == 1 && join(target, directory, folder)
            && create_directories(target);
    if (!created) {
        log_write(LOG_ERROR, "nrt_inspect_stop", "%.300s/%s cannot be created: %s", directory, folder, strerror(errno));
    }
    answer += length;
    while (sscanf(answer, " %511s %63s%n", name, content, &length) == 2) {
        answer += length;
        if (created && join(path, target, name) && exchange_copy(&runtime->host, content, path)) {
            count++;
            continue;
        }
        if (created) {
            log_write(LOG_ERROR, "nrt_inspect_stop", "%.300s/%s/%s cannot be written: %s", directory, folder, name,
                    strerror(errno));
        }
        unlinkat(runtime->host.folder, content, 0);
    }
    if (created) {
        log_write(LOG_INFO, "nrt_inspect_stop", "wrote %d files into %s", count, target);
    }
}

/* Called with the lock held. */
static void finish(struct runtime *runtime) {
    if (directory == NULL) {
        return;
    }
    struct answer answer = host_ask(&runtime->host, "nrt inspected %s", runtime->process);
    if (answer.ok) {
        write_files(runtime, answer.text);
    } else {
        log_write(LOG_ERROR, "nrt_inspect_stop", "%s", answer.text);
    }
    free(answer.text);
    free(directory);
    directory = NULL;
}

static void release(struct runtime *runtime) {
    if (pthread_mutex_lock(&lock) == 0) {
        finish(runtime);
        pthread_mutex_unlock(&lock);
    }
}

/* ---- the end of a program that does not close the runtime */

static void finish_at_exit(void) {
    struct runtime *runtime;
    if (runtime_enter(&runtime) == NRT_SUCCESS) {
        release(runtime);
        runtime_leave();
    }
}

static const int SIGNALS[] = {SIGTERM, SIGINT};
#define SIGNAL_COUNT (sizeof SIGNALS / sizeof *SIGNALS)

static int signalled[2] = {-1, -1};
static _Atomic pid_t watched;

/*
 * Passes the signal to the thread that writes the files. A child has no such thread: it ends as without a handler. The interrupted thread
 * must not go on: its sleep would end early, and it could end the program before the files are written. But it goes on if it is in a call
 * of this library, or after some seconds, because it may hold a lock that the other thread waits for.
 */
static void pass(int number) {
    int saved = errno;
    char byte = (char)number;
    if (getpid() != watched || write(signalled[1], &byte, 1) != 1) {
        signal(number, SIG_DFL);
        raise(number);
    } else if (!runtime_entered()) {
        poll(NULL, 0, LONGEST_WRITE_MS);
    }
    errno = saved;
}

static void *write_on_signal(void *none) {
    (void)none;
    char byte;
    ssize_t got;
    do {
        got = read(signalled[0], &byte, 1);
    } while (got < 0 && errno == EINTR);
    if (got == 1) {
        finish_at_exit();
        signal(byte, SIG_DFL);
        sigset_t ending;
        sigemptyset(&ending);
        sigaddset(&ending, byte);
        pthread_sigmask(SIG_UNBLOCK, &ending, NULL);
        raise(byte);
    }
    return NULL;
}

/* Runtimes from 2.31.24 on write the files when one of these signals ends the program. */
static bool writes_on_signal(void) {
    unsigned version[4] = {0};
    return host_library_version(version) && (version[1] > 31 || (version[1] == 31 && version[2] >= 24));
}

/* Takes the signals that would end the program. A signal with a handler of the program is left to it. */
static void watch_signals(void) {
    pthread_t thread;
    if (watched == getpid() || !writes_on_signal() || pipe2(signalled, O_CLOEXEC) != 0) {
        return;
    }
    watched = getpid();
    /* The thread takes no signals: those that all threads of the program block are left to the program. */
    sigset_t every;
    sigset_t usual;
    sigfillset(&every);
    pthread_sigmask(SIG_BLOCK, &every, &usual);
    int failed = pthread_create(&thread, NULL, write_on_signal, NULL);
    pthread_sigmask(SIG_SETMASK, &usual, NULL);
    if (failed != 0) {
        return;
    }
    pthread_detach(thread);
    for (size_t i = 0; i < SIGNAL_COUNT; i++) {
        struct sigaction present;
        if (sigaction(SIGNALS[i], NULL, &present) == 0 && present.sa_handler == SIG_DFL) {
            /* A call of the program that waits must not end before the program does. */
            struct sigaction passed = {.sa_handler = pass, .sa_flags = SA_RESTART};
            sigaction(SIGNALS[i], &passed, NULL);
        }
    }
}

/* ---- begin and stop */

/* Adds a word such as DEVICE_PROFILE=session, in which blanks are escaped. */
static void add_word(char words[LONGEST_WORDS], const char *name, const char *value) {
    size_t length = strlen(words);
    int added = snprintf(words + length, LONGEST_WORDS - length, " %s=", name);
    length += added > 0 ? (size_t)added : 0;
    for (; *value != '\0' && length + 4 < LONGEST_WORDS; value++) {
        if ((unsigned char)*value <= ' ' || *value == '%' || *value == '+') {
            snprintf(words + length, 4, "%%%02X", (unsigned char)*value);
            length += 3;
        } else {
            words[length++] = *value;
            words[length] = '\0';
        }
    }
}

/* Begins to collect profiles. Called with the lock held. */
static NRT_STATUS begin(struct runtime *runtime, const char *function, const char *output_dir, const char *words) {
    static bool registered;
    if (directory != NULL) {
        log_write(LOG_ERROR, function, "it has begun already");
        return NRT_INVALID;
    }
    char *copy = strdup(output_dir == NULL || *output_dir == '\0' ? DEFAULT_DIRECTORY : output_dir);
    if (copy == NULL) {
        return NRT_RESOURCE;
    }
    struct answer answer = host_ask(&runtime->host, "nrt inspect %s%s", runtime->process, words);
    bool begun = answer.ok;
    if (!begun) {
        log_write(LOG_ERROR, function, "%s", answer.text);
    }
    free(answer.text);
    if (!begun) {
        free(copy);
        return NRT_FAILURE;
    }
    directory = copy;
    if (!registered) {
        registered = atexit(finish_at_exit) == 0;
    }
    watch_signals();
    return NRT_SUCCESS;
}

static NRT_STATUS begin_by_environment(struct runtime *runtime, const char *function) {
    static const char *const NAMES[] = {"SYSTEM_PROFILE", "DEVICE_PROFILE", "DEVICE_PROFILE_NUM_WARMUP", "CPU_UTIL",
            "HOST_MEMORY", "SYS_TRACE_MAX_EVENTS_PER_NC", "EVENT_FILTER_NC", "EVENT_FILTER_TYPE", "ON_FAIL"};
    char words[LONGEST_WORDS] = "";
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++) {
        char name[64];
        snprintf(name, sizeof name, PREFIX "%s", NAMES[i]);
        const char *value = getenv(name);
        if (value != NULL) {
            add_word(words, NAMES[i], value);
        }
    }
    return begin(runtime, function, getenv(PREFIX "OUTPUT_DIR"), words);
}

static void add_options(char words[LONGEST_WORDS], const nrt_inspect_config_t *options, uint32_t core_count) {
    static const char *const MODES[] = {"0", "model", "session"};
    char text[32];
    add_word(words, "SYSTEM_PROFILE", options->activities[0] ? "1" : "0");
    add_word(words, "DEVICE_PROFILE", options->activities[1] ? MODES[options->mode] : "0");
    add_word(words, "HOST_MEMORY", options->activities[2] ? "1" : "0");
    add_word(words, "CPU_UTIL", options->activities[3] ? "1" : "0");
    add_word(words, "ON_FAIL", options->on_fail ? "1" : "0");
    snprintf(text, sizeof text, "%llu", (unsigned long long)options->most_events);
    add_word(words, "SYS_TRACE_MAX_EVENTS_PER_NC", text);
    char cores[LONGEST_WORDS / 2] = "";
    size_t length = 0;
    bool all = true;
    for (uint32_t i = 0; i < core_count && i < INSPECT_CORES && length + 8 < sizeof cores; i++) {
        all = all && !options->cores_off[i];
        if (!options->cores_off[i]) {
            length += (size_t)snprintf(cores + length, sizeof cores - length, "%s%u", length == 0 ? "" : ",", i);
        }
    }
    if (!all) {
        /* A number that no core has selects none. */
        add_word(words, "EVENT_FILTER_NC", length == 0 ? "999999999" : cores);
    }
}

static bool open_part(struct runtime *runtime) {
    const char *enabled = getenv(PREFIX "ENABLE");
    if (enabled != NULL && strcmp(enabled, "1") == 0) {
        pthread_mutex_lock(&lock);
        /* The runtime works without profiles too; the log has the reason. */
        begin_by_environment(runtime, "nrt_init");
        pthread_mutex_unlock(&lock);
    }
    return true;
}

__attribute__((constructor)) static void register_part(void) {
    runtime_register(PART_INSPECT, (struct part){.open = open_part, .release = release});
}

NRT_STATUS nrt_inspect_begin(void) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status == NRT_SUCCESS) {
        pthread_mutex_lock(&lock);
        status = begin_by_environment(runtime, "nrt_inspect_begin");
        pthread_mutex_unlock(&lock);
        runtime_leave();
    }
    return status;
}

NRT_STATUS nrt_inspect_begin_with_options(nrt_inspect_config_t *options) {
    if (options == NULL) {
        return nrt_inspect_begin();
    }
    NRT_STATUS status = inspect_options_known(options);
    struct runtime *runtime;
    if (status == NRT_SUCCESS) {
        status = runtime_enter(&runtime);
    }
    if (status == NRT_SUCCESS) {
        char words[LONGEST_WORDS] = "";
        add_options(words, options, runtime->core_count);
        pthread_mutex_lock(&lock);
        status = begin(runtime, "nrt_inspect_begin_with_options", options->output_dir, words);
        pthread_mutex_unlock(&lock);
        runtime_leave();
    }
    return status;
}

NRT_STATUS nrt_inspect_stop(void) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status == NRT_SUCCESS) {
        release(runtime);
        runtime_leave();
    }
    return status;
}
