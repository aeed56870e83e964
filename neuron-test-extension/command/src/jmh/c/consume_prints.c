/*
 * The plain consumer of debug streams: a thread that polls, reads until the stream is empty, copies each payload into a
 * slab and frees it. For each line "<neff> <events>" on its input it executes the NEFF once. It prints the nanoseconds
 * until all of its events were there, and the nanoseconds for which the thread was busy.
 */
#include <dlfcn.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SLAB ((size_t)64 << 20)
#define EMPTY 15

struct header {
    uint64_t data_size;
    uint32_t type;
    char reserved[52];
};

static int (*read_one)(int, struct header *, void **);
static int stream;
static _Atomic uint64_t taken;
static _Atomic int64_t busy;

static int64_t nanos(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static void *consume(void *nothing) {
    char *slab = malloc(SLAB);
    size_t used = 0;
    struct pollfd ready = {stream, POLLIN, 0};
    for (;;) {
        poll(&ready, 1, 250);
        struct header header;
        void *payload;
        uint64_t count = 0;
        while (read_one(stream, &header, &payload) != EMPTY) {
            if (used + header.data_size > SLAB) {
                used = 0;
            }
            memcpy(slab + used, payload, header.data_size);
            used += header.data_size;
            free(payload);
            count++;
        }
        busy = nanos(CLOCK_THREAD_CPUTIME_ID);
        taken += count;
    }
    return nothing;
}

static void check(int status, const char *call) {
    if (status != 0) {
        fprintf(stderr, "%s gave %d\n", call, status);
        exit(1);
    }
}

int main(int count, char **arguments) {
    void *library = count == 4 ? dlopen(arguments[1], RTLD_NOW) : NULL;
    if (library == NULL) {
        fprintf(stderr, "usage: consume_prints library neff neff\n");
        return 1;
    }
    int (*init)(int, const char *, const char *) = dlsym(library, "nrt_init");
    int (*load)(const void *, size_t, int32_t, int32_t, void **) = dlsym(library, "nrt_load");
    int (*allocate)(void **) = dlsym(library, "nrt_allocate_tensor_set");
    int (*execute)(void *, void *, void *) = dlsym(library, "nrt_execute");
    int (*connect)(int, int *) = dlsym(library, "nrt_debug_client_connect");
    read_one = dlsym(library, "nrt_debug_client_read_one_event");
    check(init(1, "", ""), "nrt_init");
    void *models[2], *inputs, *outputs;
    for (int i = 0; i < 2; i++) {
        static char neff[1 << 20];
        FILE *file = fopen(arguments[2 + i], "rb");
        size_t size = file == NULL ? 0 : fread(neff, 1, sizeof neff, file);
        check(load(neff, size, 0, -1, &models[i]), "nrt_load");
        fclose(file);
    }
    check(allocate(&inputs), "nrt_allocate_tensor_set");
    check(allocate(&outputs), "nrt_allocate_tensor_set");
    check(connect(0, &stream), "nrt_debug_client_connect");
    pthread_t thread;
    pthread_create(&thread, NULL, consume, NULL);
    int model;
    unsigned long long events;
    while (scanf("%d %llu", &model, &events) == 2) {
        uint64_t wanted = taken + events;
        int64_t before = busy;
        int64_t begin = nanos(CLOCK_MONOTONIC);
        check(execute(models[model], inputs, outputs), "nrt_execute");
        while (taken < wanted) {
            struct timespec moment = {0, 20000};
            nanosleep(&moment, NULL);
        }
        printf("%lld %lld\n", (long long)(nanos(CLOCK_MONOTONIC) - begin), (long long)(busy - before));
        fflush(stdout);
    }
    return 0;
}
