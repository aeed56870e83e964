/*
 * The trace of the runtime and its cores, as JSON. It has two of the events of the genuine runtime: the call nrt_execute, and
 * nc_exec_running for each physical core, with the scripted times.
 */
/* Required for open_memstream and syscall. */
#define _GNU_SOURCE
#include "internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define DEFAULT_EVENTS 1000000
#define MOST_CORES 1024
#define DATA_VERSION 2
#define TRACKING_CORE_SHIFT 50
#define NANOSECONDS 1000000000

enum event_type { NRT_EXECUTE, NC_EXEC_RUNNING };
static const char *const EVENT_TYPES[] = {"nrt_execute", "nc_exec_running"};
#define EVENT_TYPE_COUNT (sizeof EVENT_TYPES / sizeof *EVENT_TYPES)

struct nrt_sys_trace_config {
    uint64_t most_events;
    bool cores_off[MOST_CORES];
    bool types_off[EVENT_TYPE_COUNT];
};

struct nrt_sys_trace_fetch_options {
    /* Maximum number of events; 0 for all. */
    uint64_t most_events;
    bool one_core;
    uint64_t core;
};

struct event {
    enum event_type type;
    bool stop;
    uint64_t id;
    uint64_t tracking;
    uint64_t local;
    uint64_t thread;
    uint64_t timestamp;
    uint64_t execution;
    uint32_t place;
};

/* The events of a logical core. When the ring is full, the oldest event is lost. */
struct ring {
    bool off;
    struct event *events;
    size_t capacity;
    size_t first;
    size_t count;
    uint64_t local;
    uint64_t pairs;
    /* The end of the last execution on the device; the next one starts then at the earliest. */
    uint64_t device_free;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct ring *rings;
static uint32_t ring_count;
static uint64_t most_events;
static bool types_off[EVENT_TYPE_COUNT];
static uint64_t last_id;

uint64_t trace_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (uint64_t)now.tv_sec * NANOSECONDS + (uint64_t)now.tv_nsec;
}

/* ---- collection of events */

/* Called with the lock held. */
static void keep(struct ring *ring, struct event event) {
    if (ring->off || types_off[event.type]) {
        return;
    }
    event.id = ++last_id;
    event.local = ++ring->local;
    event.thread = (uint64_t)syscall(SYS_gettid);
    if (ring->count == ring->capacity && ring->capacity < most_events) {
        size_t larger = ring->capacity == 0 ? 64 : ring->capacity * 2;
        larger = larger < most_events ? larger : most_events;
        struct event *moved = malloc(larger * sizeof *moved);
        if (moved != NULL) {
            for (size_t i = 0; i < ring->count; i++) {
                moved[i] = ring->events[(ring->first + i) % ring->capacity];
            }
            free(ring->events);
            ring->events = moved;
            ring->capacity = larger;
            ring->first = 0;
        }
    }
    if (ring->capacity == 0) {
        return;
    }
    if (ring->count == ring->capacity) {
        ring->first = (ring->first + 1) % ring->capacity;
        ring->count--;
    }
    ring->events[(ring->first + ring->count++) % ring->capacity] = event;
}

static void keep_pair(struct ring *ring, struct event event, uint32_t vnc, uint64_t end, bool stopped) {
    event.tracking = ++ring->pairs | (uint64_t)vnc << TRACKING_CORE_SHIFT;
    keep(ring, event);
    if (stopped) {
        event.stop = true;
        event.timestamp = end;
        keep(ring, event);
    }
}

void trace_execution(struct runtime *runtime, const struct execution *execution) {
    pthread_mutex_lock(&lock);
    if (rings != NULL && execution->vnc < ring_count) {
        struct ring *ring = &rings[execution->vnc];
        uint64_t start = execution->called > ring->device_free ? execution->called : ring->device_free;
        uint64_t end = start + execution->nanoseconds;
        ring->device_free = end;
        for (uint32_t i = 0; i < runtime->physical_cores_each; i++) {
            struct event running = {.type = NC_EXEC_RUNNING, .timestamp = start, .execution = execution->id,
                    .place = runtime->places[execution->vnc * runtime->physical_cores_each + i]};
            keep_pair(ring, running, execution->vnc, end, execution->stopped);
        }
        struct event call = {.type = NRT_EXECUTE, .timestamp = execution->called, .execution = execution->id};
        keep_pair(ring, call, execution->vnc, execution->returned, true);
    }
    pthread_mutex_unlock(&lock);
}

/* Called with the lock held. */
static void forget(void) {
    for (uint32_t i = 0; rings != NULL && i < ring_count; i++) {
        free(rings[i].events);
    }
    free(rings);
    rings = NULL;
}

static void release_trace(struct runtime *runtime) {
    (void)runtime;
    pthread_mutex_lock(&lock);
    forget();
    pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void register_part(void) {
    runtime_register(PART_SYS_TRACE, (struct part){.release = release_trace});
}

/* ---- options, which can be created and set in every state */

static bool known(const void *options, enum handle_kind kind) {
    return !runtime_forked() && handle_is(options, kind);
}

static NRT_STATUS allocate(void **result, size_t size, enum handle_kind kind) {
    if (runtime_forked()) {
        return NRT_FAILURE;
    }
    if (result == NULL) {
        return NRT_INVALID;
    }
    void *fresh = calloc(1, size);
    if (fresh == NULL || !handle_add(fresh, kind)) {
        free(fresh);
        return NRT_RESOURCE;
    }
    *result = fresh;
    return NRT_SUCCESS;
}

static void release(void *options, enum handle_kind kind) {
    if (options != NULL && !runtime_forked() && handle_remove(options, kind)) {
        free(options);
    }
}

NRT_STATUS nrt_sys_trace_config_allocate(nrt_sys_trace_config_t **options) {
    NRT_STATUS status = allocate((void **)options, sizeof **options, HANDLE_TRACE_CONFIG);
    if (status == NRT_SUCCESS) {
        (*options)->most_events = DEFAULT_EVENTS;
    }
    return status;
}

void nrt_sys_trace_config_set_defaults(nrt_sys_trace_config_t *options) {
    if (known(options, HANDLE_TRACE_CONFIG)) {
        *options = (struct nrt_sys_trace_config){.most_events = DEFAULT_EVENTS};
    }
}

void nrt_sys_trace_config_free(nrt_sys_trace_config_t *options) {
    release(options, HANDLE_TRACE_CONFIG);
}

void nrt_sys_trace_config_set_max_events_per_nc(nrt_sys_trace_config_t *options, uint64_t most) {
    if (known(options, HANDLE_TRACE_CONFIG)) {
        options->most_events = most;
    }
}

void nrt_sys_trace_config_set_capture_enabled_for_nc(nrt_sys_trace_config_t *options, uint32_t nc_idx, bool enabled) {
    if (known(options, HANDLE_TRACE_CONFIG) && nc_idx < MOST_CORES) {
        options->cores_off[nc_idx] = !enabled;
    }
}

NRT_STATUS nrt_sys_trace_config_set_capture_enabled_for_event_type(
        nrt_sys_trace_config_t *options, const char *event_type, bool enabled) {
    if (!known(options, HANDLE_TRACE_CONFIG)) {
        return runtime_forked() ? NRT_FAILURE : NRT_INVALID;
    }
    if (event_type == NULL || *event_type == '\0') {
        return NRT_INVALID;
    }
    /* Every name is accepted, because the genuine runtime has more types than this stand-in. */
    for (size_t i = 0; i < EVENT_TYPE_COUNT; i++) {
        if (strcmp(event_type, EVENT_TYPES[i]) == 0) {
            options->types_off[i] = !enabled;
        }
    }
    return NRT_SUCCESS;
}

static NRT_STATUS give(const bool *off, const char ***event_types, size_t *count) {
    const char *names[EVENT_TYPE_COUNT];
    size_t number = 0;
    for (size_t i = 0; i < EVENT_TYPE_COUNT; i++) {
        if (off == NULL || !off[i]) {
            names[number++] = EVENT_TYPES[i];
        }
    }
    if (event_types == NULL || count == NULL) {
        return NRT_INVALID;
    }
    const char **copies = copied_names(names, number);
    if (copies == NULL || !handle_add(copies, HANDLE_EVENT_TYPES)) {
        return NRT_RESOURCE;
    }
    *event_types = copies;
    *count = number;
    return NRT_SUCCESS;
}

NRT_STATUS nrt_sys_trace_config_get_enabled_event_types(
        nrt_sys_trace_config_t *options, const char ***event_types, size_t *count) {
    if (!known(options, HANDLE_TRACE_CONFIG)) {
        return runtime_forked() ? NRT_FAILURE : NRT_INVALID;
    }
    return give(options->types_off, event_types, count);
}

NRT_STATUS nrt_sys_trace_get_event_types(const char ***event_types, size_t *count) {
    return runtime_forked() ? NRT_FAILURE : give(NULL, event_types, count);
}

void nrt_sys_trace_free_event_types(const char **event_types, size_t count) {
    free_names(HANDLE_EVENT_TYPES, event_types, count);
}

/* ---- start and stop */

static NRT_STATUS start(const struct runtime *runtime, const nrt_sys_trace_config_t *options) {
    static const struct nrt_sys_trace_config defaults = {.most_events = DEFAULT_EVENTS};
    if (rings != NULL) {
        log_write(LOG_ERROR, "nrt_sys_trace_start", "a trace runs already");
        return NRT_INVALID;
    }
    rings = calloc(runtime->core_count, sizeof *rings);
    if (rings == NULL) {
        return NRT_RESOURCE;
    }
    options = options == NULL ? &defaults : options;
    ring_count = runtime->core_count;
    most_events = options->most_events;
    memcpy(types_off, options->types_off, sizeof types_off);
    for (uint32_t i = 0; i < ring_count && i < MOST_CORES; i++) {
        rings[i].off = options->cores_off[i];
    }
    return NRT_SUCCESS;
}

NRT_STATUS nrt_sys_trace_start(nrt_sys_trace_config_t *options) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    if (options != NULL && !known(options, HANDLE_TRACE_CONFIG)) {
        status = NRT_INVALID;
    } else {
        pthread_mutex_lock(&lock);
        status = start(runtime, options);
        pthread_mutex_unlock(&lock);
    }
    runtime_leave();
    return status;
}

NRT_STATUS nrt_sys_trace_stop(void) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status == NRT_SUCCESS) {
        release_trace(runtime);
        runtime_leave();
    }
    return status;
}

/* ---- fetch */

NRT_STATUS nrt_sys_trace_fetch_options_allocate(nrt_sys_trace_fetch_options_t **options) {
    return allocate((void **)options, sizeof **options, HANDLE_TRACE_OPTIONS);
}

void nrt_sys_trace_fetch_options_set_defaults(nrt_sys_trace_fetch_options_t *options) {
    if (known(options, HANDLE_TRACE_OPTIONS)) {
        *options = (struct nrt_sys_trace_fetch_options){0};
    }
}

void nrt_sys_trace_fetch_options_free(nrt_sys_trace_fetch_options_t *options) {
    release(options, HANDLE_TRACE_OPTIONS);
}

void nrt_sys_trace_fetch_options_set_max_events_per_nc(nrt_sys_trace_fetch_options_t *options, uint64_t most) {
    if (known(options, HANDLE_TRACE_OPTIONS)) {
        options->most_events = most;
    }
}

void nrt_sys_trace_fetch_options_set_nc_idx(nrt_sys_trace_fetch_options_t *options, uint64_t nc_idx) {
    if (known(options, HANDLE_TRACE_OPTIONS)) {
        options->one_core = true;
        options->core = nc_idx;
    }
}

static void write_event(FILE *out, uint32_t core, const struct event *event) {
    fprintf(out,
            "{\"event_type\":\"%s\",\"phase\":\"%s\",\"id\":%" PRIu64 ",\"nc_idx\":%" PRIu32 ",\"nc_local_id\":%" PRIu64
            ",\"tracking_id\":%" PRIu64 ",\"thread_id\":%" PRIu64 ",\"worker_gid\":%" PRIu32 ",\"data\":{",
            EVENT_TYPES[event->type], event->stop ? "stop" : "start", event->id, core, event->local, event->tracking,
            event->thread, core);
    if (event->type == NC_EXEC_RUNNING) {
        fprintf(out, "\"exec_id\":%" PRIu64 ",\"device_core_idx\":%" PRIu32 ",\"nc_timestamp_ns\":%" PRIu64,
                event->execution, event->place, event->timestamp);
    }
    fprintf(out, "},\"timestamp_ns\":%" PRIu64 "}", event->timestamp);
}

/* Writes and removes the events of the rings. Called with the lock held. */
static void write_events(FILE *out, const nrt_sys_trace_fetch_options_t *options) {
    bool first = true;
    fputs("{\"events\":[", out);
    for (uint32_t i = 0; i < ring_count; i++) {
        struct ring *ring = &rings[i];
        if (options != NULL && options->one_core && options->core != i) {
            continue;
        }
        uint64_t left = options == NULL || options->most_events == 0 ? UINT64_MAX : options->most_events;
        for (; ring->count > 0 && left > 0; left--) {
            fputs(first ? "" : ",", out);
            first = false;
            write_event(out, i, &ring->events[ring->first]);
            ring->first = (ring->first + 1) % ring->capacity;
            ring->count--;
        }
    }
    fprintf(out, "],\"data_version\":%d}", DATA_VERSION);
}

/*
 * Offset of the buffer in its block. The genuine buffer comes from a separate allocator, and free() corrupts it. Here the buffer
 * starts after the begin of its block, to make the C library abort a program that frees it.
 */
#define HIDDEN 16

static NRT_STATUS fetch(char **buffer, size_t *written, const nrt_sys_trace_fetch_options_t *options) {
    if (rings == NULL) {
        log_write(LOG_ERROR, "nrt_sys_trace_fetch_events", "no trace runs");
        return NRT_INVALID;
    }
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out == NULL) {
        return NRT_RESOURCE;
    }
    write_events(out, options);
    if (fclose(out) != 0) {
        free(text);
        return NRT_RESOURCE;
    }
    char *block = malloc(HIDDEN + size + 1);
    if (block == NULL || !handle_add(block + HIDDEN, HANDLE_TRACE_EVENTS)) {
        free(block);
        free(text);
        return NRT_RESOURCE;
    }
    memcpy(block + HIDDEN, text, size + 1);
    free(text);
    *buffer = block + HIDDEN;
    *written = size;
    return NRT_SUCCESS;
}

NRT_STATUS nrt_sys_trace_fetch_events(
        char **buffer, size_t *written, const nrt_sys_trace_fetch_options_t *options) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    if (buffer == NULL || written == NULL || (options != NULL && !known(options, HANDLE_TRACE_OPTIONS))) {
        status = NRT_INVALID;
    } else {
        if (*buffer != NULL) {
            contract_broken(CONTRACT_FETCH, "the pointer to the buffer is %p before the call", (void *)*buffer);
        }
        pthread_mutex_lock(&lock);
        status = fetch(buffer, written, options);
        pthread_mutex_unlock(&lock);
    }
    runtime_leave();
    return status;
}

void nrt_sys_trace_buffer_free(char *buffer) {
    if (buffer != NULL && !runtime_forked() && handle_remove(buffer, HANDLE_TRACE_EVENTS)) {
        free(buffer - HIDDEN);
    }
}
