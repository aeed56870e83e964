/*
 * A reader of counters that shares nothing with the fake or the extension.
 *
 *   counters read DIRECTORY ROUNDS   reads every counter file below the directory repeatedly
 *   counters clear FILE              clears one with write(2), waits until it reads 0, prints nanoseconds
 *
 * Ends with 1 and one line on standard error when a file is not one complete decimal line.
 */
#define _XOPEN_SOURCE 700

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define CONTENT 64
#define PATIENCE_SECONDS 60

static char **files;
static size_t count;

static void die(const char *what, const char *path) {
    fprintf(stderr, "%s: %s (%s)\n", path, what, strerror(errno));
    exit(1);
}

static void add(const char *path) {
    files = realloc(files, (count + 1) * sizeof *files);
    if (files == NULL || (files[count] = strdup(path)) == NULL) die("no memory", path);
    count++;
}

static int is_counter(const char *name) {
    return strcmp(name, "total") == 0 || strcmp(name, "present") == 0 || strcmp(name, "peak") == 0;
}

static void find(const char *directory) {
    char path[4096];
    struct dirent *entry;
    struct stat status;
    DIR *open = opendir(directory);

    if (open == NULL) die("cannot be listed", directory);
    while ((entry = readdir(open)) != NULL) {
        if (entry->d_name[0] == '.') continue;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        if (lstat(path, &status) != 0) die("cannot be looked at", path);
        if (S_ISDIR(status.st_mode)) find(path);
        else if (S_ISREG(status.st_mode) && is_counter(entry->d_name)) add(path);
    }
    closedir(open);
}

/* Reads all of a file with one open and returns its length. */
static size_t content(const char *path, char *buffer) {
    size_t length = 0;
    ssize_t more;
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);

    if (descriptor < 0) die("cannot be opened", path);
    while ((more = read(descriptor, buffer + length, CONTENT - 1 - length)) > 0) length += (size_t) more;
    if (more < 0) die("cannot be read", path);
    close(descriptor);
    buffer[length] = '\0';
    return length;
}

static int is_decimal_line(const char *text, size_t length) {
    size_t digits = strspn(text, "0123456789");
    return digits > 0 && digits <= 20 && length == digits + 1 && text[digits] == '\n';
}

static int read_all(const char *directory, long rounds) {
    char now[CONTENT];
    char (*last)[CONTENT];
    long round, changes = 0;
    size_t file, length;

    find(directory);
    last = calloc(count, sizeof *last);
    if (last == NULL) die("no memory", directory);
    for (round = 0; round < rounds; round++) {
        for (file = 0; file < count; file++) {
            length = content(files[file], now);
            if (!is_decimal_line(now, length)) {
                fprintf(stderr, "%s: \"%s\" is no complete line (round %ld)\n", files[file], now, round);
                return 1;
            }
            if (round > 0 && strcmp(now, last[file]) != 0) changes++;
            memcpy(last[file], now, sizeof now);
        }
    }
    printf("files %zu changes %ld\n", count, changes);
    return 0;
}

static long long nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static int clear(const char *path) {
    const char *given = getenv("PATIENCE_SECONDS");
    long patience = given == NULL ? PATIENCE_SECONDS : atol(given);
    char now[CONTENT];
    long long start;
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);

    if (descriptor < 0) die("cannot be opened for writing", path);
    if (write(descriptor, "1\n", 2) != 2) die("takes no write", path);
    close(descriptor);
    start = nanoseconds();
    do {
        content(path, now);
        if (nanoseconds() - start > patience * 1000000000LL) {
            fprintf(stderr, "%s: still \"%s\" after %ld s\n", path, now, patience);
            return 1;
        }
    } while (strcmp(now, "0\n") != 0);
    printf("%lld\n", nanoseconds() - start);
    return 0;
}

int main(int arguments, char **argument) {
    if (arguments == 4 && strcmp(argument[1], "read") == 0) return read_all(argument[2], atol(argument[3]));
    if (arguments == 3 && strcmp(argument[1], "clear") == 0) return clear(argument[2]);
    fprintf(stderr, "usage: %s read DIRECTORY ROUNDS | clear FILE\n", argument[0]);
    return 2;
}
