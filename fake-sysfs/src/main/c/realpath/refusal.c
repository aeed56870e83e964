#include "launcher.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

char refusal[2 * PATH_MAX];

bool refused(const char *format, ...) {
    int reason = errno;
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(refusal, sizeof refusal - 512, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof refusal - 512) {
        length = sizeof refusal - 513;
    }
    snprintf(refusal + length, sizeof refusal - (size_t)length, ": %s", strerror(reason));
    return false;
}
