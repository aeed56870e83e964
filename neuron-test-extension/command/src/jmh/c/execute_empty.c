/*
 * Measures an execution from C: "execute_empty N library neff". Its peer "execute_empty N" measures an echo of another
 * process over a Unix socket. The lines of the echo are as long as those between the library and its host. Both print
 * nanoseconds, one a line.
 */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static const char LINE[] = "nrt execute p1 12\n";

static int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void check(int status, const char *call) {
    if (status != 0) {
        fprintf(stderr, "%s gave %d\n", call, status);
        exit(1);
    }
}

static void echo(long times) {
    int ends[2];
    char line[64];
    check(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), "socketpair");
    if (fork() == 0) {
        close(ends[0]);
        ssize_t got;
        while ((got = recv(ends[1], line, sizeof line, 0)) > 0) {
            if (send(ends[1], line, (size_t)got, MSG_NOSIGNAL) != got) {
                break;
            }
        }
        _exit(0);
    }
    close(ends[1]);
    for (long i = 0; i < times; i++) {
        int64_t start = now();
        if (send(ends[0], LINE, sizeof LINE - 1, MSG_NOSIGNAL) < 0 || recv(ends[0], line, sizeof line, 0) <= 0) {
            check(1, "the other process");
        }
        printf("%ld\n", (long)(now() - start));
    }
}

static void execute(long times, const char *path, const char *model_path) {
    static char neff[1 << 20];
    void *library = dlopen(path, RTLD_NOW);
    FILE *file = fopen(model_path, "rb");
    if (library == NULL || file == NULL) {
        check(1, library == NULL ? path : model_path);
    }
    size_t size = fread(neff, 1, sizeof neff, file);
    fclose(file);
    int (*init)(int, const char *, const char *) = dlsym(library, "nrt_init");
    int (*load)(const void *, size_t, int32_t, int32_t, void **) = dlsym(library, "nrt_load");
    int (*once)(void *, void *, void *) = dlsym(library, "nrt_execute");
    void (*end)(void) = dlsym(library, "nrt_close");
    void *model;
    check(init(1, "", ""), "nrt_init");
    check(load(neff, size, 0, -1, &model), "nrt_load");
    for (long i = 0; i < times; i++) {
        int64_t start = now();
        check(once(model, NULL, NULL), "nrt_execute");
        printf("%ld\n", (long)(now() - start));
    }
    end();
}

int main(int count, char **arguments) {
    if (count == 2) {
        echo(atol(arguments[1]));
    } else if (count == 4) {
        execute(atol(arguments[1]), arguments[2], arguments[3]);
    } else {
        fprintf(stderr, "usage: execute_empty N [library neff]\n");
        return 2;
    }
    return 0;
}
