/*
 * Contracts of the headers that the genuine library does not check. With that library a violation causes wrong results, a much
 * later fault, or no symptom. In strict mode the program ends at the violation and prints its stack.
 */
#include "internal.h"

#include <execinfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLE "NEURON_FAKE_STRICT"
#define LONGEST_TEXT 1024
#define MOST_FRAMES 64

static _Atomic bool wanted_by_host;

void strict_set(bool wanted) {
    wanted_by_host = wanted;
}

bool strict(void) {
    const char *value = getenv(VARIABLE);
    return wanted_by_host || (value != NULL && *value != '\0' && strcmp(value, "0") != 0);
}

void contract_broken(const char *format, ...) {
    if (!strict()) {
        return;
    }
    char text[LONGEST_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char line[LONGEST_TEXT + 128];
    int length = snprintf(line, sizeof line, "libnrt: a contract is broken: %s. The program ends here, because strict checks are enabled.\n",
            text);
    ssize_t written = write(STDERR_FILENO, line, (size_t)length);
    (void)written;
    void *frames[MOST_FRAMES];
    backtrace_symbols_fd(frames, backtrace(frames, MOST_FRAMES), STDERR_FILENO);
    abort();
}
