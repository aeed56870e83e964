/*
 * Reads files one after the other with openat, read and close: the peer of a snapshot.
 *
 *   read_files ROOT LIST
 *
 * LIST names one file a line, relative to ROOT. Each line on standard input is a number of rounds to make; the answer is
 * one line with the median nanoseconds of a round.
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void die(const char *what) {
    fprintf(stderr, "read_files: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void *grown(void *array, size_t bytes) {
    void *larger = realloc(array, bytes);
    if (larger == NULL) {
        die("memory");
    }
    return larger;
}

static long long now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static long long read_all(int root, char **files, size_t count) {
    char buffer[4097];
    long long start = now();
    for (size_t i = 0; i < count; i++) {
        int file = openat(root, files[i], O_RDONLY | O_CLOEXEC);
        if (file < 0 || read(file, buffer, sizeof buffer) < 0) {
            die(files[i]);
        }
        close(file);
    }
    return now() - start;
}

static int ascending(const void *left, const void *right) {
    long long a = *(const long long *)left;
    long long b = *(const long long *)right;
    return (a > b) - (a < b);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: read_files ROOT LIST\n");
        return 2;
    }
    int root = open(argv[1], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (root < 0) {
        die(argv[1]);
    }
    FILE *list = fopen(argv[2], "r");
    if (list == NULL) {
        die(argv[2]);
    }
    char **files = NULL;
    size_t count = 0;
    char *line = NULL;
    size_t size = 0;
    for (ssize_t length = getline(&line, &size, list); length > 0; length = getline(&line, &size, list)) {
        if (line[length - 1] == '\n') {
            line[length - 1] = '\0';
        }
        files = grown(files, (count + 1) * sizeof *files);
        files[count++] = strdup(line);
    }
    fclose(list);

    long long *rounds = NULL;
    int wanted;
    while (scanf("%d", &wanted) == 1 && wanted > 0) {
        rounds = grown(rounds, (size_t)wanted * sizeof *rounds);
        for (int i = 0; i < wanted; i++) {
            rounds[i] = read_all(root, files, count);
        }
        qsort(rounds, (size_t)wanted, sizeof *rounds, ascending);
        printf("%lld\n", rounds[wanted / 2]);
        fflush(stdout);
    }
    return 0;
}
