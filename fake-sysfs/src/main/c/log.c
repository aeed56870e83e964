#define _GNU_SOURCE
#include "internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/syscall.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

#define LONGEST_LINE 2048
#define LONGEST_TEXT 1600

static _Atomic int threshold = LOG_ERROR;
static _Atomic bool to_syslog;
static char file[1024];

static const char *const NAMES[] = {"QUIET", "ERROR", "WARNING", "INFO", "DEBUG", "TRACE"};

static int level_named(const char *name) {
    for (int level = LOG_QUIET; level <= LOG_TRACE; level++) {
        if (strcasecmp(name, NAMES[level]) == 0) {
            return level;
        }
    }
    return strcasecmp(name, "WARN") == 0 ? LOG_WARNING : LOG_ERROR;
}

static const char *variable(const char *component, const char *common) {
    const char *value = getenv(component);
    return value != NULL && *value != '\0' ? value : getenv(common);
}

void log_configure(void) {
    const char *level = variable("NEURON_RT_LOG_LEVEL_NRT", "NEURON_RT_LOG_LEVEL");
    threshold = level == NULL ? LOG_ERROR : level_named(level);
    const char *location = variable("NEURON_RT_LOG_LOCATION_NRT", "NEURON_RT_LOG_LOCATION");
    bool console = location == NULL || *location == '\0' || strcasecmp(location, "console") == 0;
    to_syslog = !console && strcasecmp(location, "syslog") == 0;
    snprintf(file, sizeof file, "%s", console || to_syslog ? "" : location);
}

static void put(enum log_level level, const char *component, const char *function, const char *text) {
    if ((int)level > threshold) {
        return;
    }
    if (to_syslog) {
        syslog(level == LOG_ERROR ? 3 : 7, "%s:%s %s", component, function, text);
        /* The guides document that errors are also written to the console. */
        if (level != LOG_ERROR) {
            return;
        }
    }
    struct timespec now;
    struct tm parts;
    char time_text[32];
    clock_gettime(CLOCK_REALTIME, &now);
    gmtime_r(&now.tv_sec, &parts);
    strftime(time_text, sizeof time_text, "%Y-%b-%d %H:%M:%S", &parts);
    char line[LONGEST_LINE];
    int length = snprintf(line, sizeof line, "%s.%06ld %5d:%-5ld %-7s%4s:%-44s%s\n", time_text, now.tv_nsec / 1000,
            (int)getpid(), syscall(SYS_gettid), NAMES[level], component, function, text);
    if (length >= (int)sizeof line) {
        length = sizeof line - 1;
        line[length - 1] = '\n';
    }
    FILE *named = *file == '\0' ? NULL : fopen(file, "ae");
    if (named != NULL) {
        fwrite(line, 1, (size_t)length, named);
        fclose(named);
        return;
    }
    /* Written in a single call, which keeps the lines of threads apart. */
    ssize_t written = write(STDERR_FILENO, line, (size_t)length);
    (void)written;
}

void log_write(enum log_level level, const char *function, const char *format, ...) {
    char text[LONGEST_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    put(level, "NRT", function, text);
}

#define TIMEOUT "{timeout}"

void log_lines(char *lines, int64_t timeout_milliseconds) {
    for (char *line; (line = strsep(&lines, "\n")) != NULL && *line != '\0';) {
        char *text = strchr(line, '\t');
        char *function = strchr(line, ':');
        if (text == NULL || function == NULL || function > text) {
            continue;
        }
        *function++ = '\0';
        *text++ = '\0';
        char whole[LONGEST_TEXT];
        char *timeout = strstr(text, TIMEOUT);
        if (timeout == NULL) {
            snprintf(whole, sizeof whole, "%s", text);
        } else {
            snprintf(whole, sizeof whole, "%.*s%lld%s", (int)(timeout - text), text, (long long)timeout_milliseconds,
                    timeout + sizeof TIMEOUT - 1);
        }
        put(LOG_ERROR, line, function, whole);
    }
}
