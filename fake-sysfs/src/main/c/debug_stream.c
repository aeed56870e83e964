#include "internal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "ndebug_stream.h"

/* The number of events of a burst that are queued under a single lock and announced by a single write. */
#define BATCH 512
/*
 * Maximum size in bytes up to which a payload is extended to the size in its header. That size may be wrong, and readers must
 * survive it.
 */
#define LARGEST_PROMISE ((uint64_t)1 << 30)
#define NO_CLIENT (-1)

/* The file of the host for an execution. It is kept as long as one of its events is queued. */
struct events {
    _Atomic uint64_t references;
    char *content;
};

/* The fixed part of each record in the file. The payload follows, then the first element of each repetition. */
struct record {
    /* The type in the header. The upper 32 bits are the status of the call that reads the event, if it must fail. */
    uint64_t type;
    uint64_t data_size;
    uint64_t payload_size;
    uint64_t times;
    uint64_t element_at;
    uint64_t element_size;
};

struct queued {
    struct events *events;
    const char *record;
    uint64_t repetition;
};

struct stream {
    pthread_mutex_t lock;
    _Atomic int descriptor;
    /* True while a thread is in the call that reads; only one is permitted. */
    _Atomic bool reading;
    /* A ring buffer, which exists only while there is a client. */
    struct queued *ring;
    uint64_t capacity;
    uint64_t first;
    uint64_t end;
};

static void release(struct events *events) {
    if (atomic_fetch_sub(&events->references, 1) == 1) {
        free(events->content);
        free(events);
    }
}

/* ---- lifecycle */

static bool open_streams(struct runtime *runtime) {
    struct stream *streams = calloc(runtime->core_count, sizeof *streams);
    if (streams == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < runtime->core_count; i++) {
        pthread_mutex_init(&streams[i].lock, NULL);
        streams[i].descriptor = NO_CLIENT;
        streams[i].capacity = runtime->stream_capacity;
        runtime->cores[i].stream = &streams[i];
    }
    return true;
}

/* Called with the lock held. */
static void disconnect(struct stream *stream) {
    if (stream->descriptor == NO_CLIENT) {
        return;
    }
    for (; stream->first != stream->end; stream->first++) {
        release(stream->ring[stream->first & (stream->capacity - 1)].events);
    }
    free(stream->ring);
    stream->ring = NULL;
    int descriptor = stream->descriptor;
    stream->descriptor = NO_CLIENT;
    close(descriptor);
}

static void release_streams(struct runtime *runtime) {
    for (uint32_t i = 0; i < runtime->core_count; i++) {
        struct stream *stream = runtime->cores[i].stream;
        pthread_mutex_lock(&stream->lock);
        disconnect(stream);
        pthread_mutex_unlock(&stream->lock);
        pthread_mutex_destroy(&stream->lock);
    }
    free(runtime->cores[0].stream);
}

__attribute__((constructor)) static void register_part(void) {
    runtime_register(PART_STREAMS, (struct part){open_streams, release_streams});
}

/* ---- device side */

/* Queues repetitions of a record and returns how many fitted in; the rest is lost without a notice. Called with the lock held. */
static uint64_t queue(struct stream *stream, struct events *events, const char *record, uint64_t from, uint64_t to) {
    uint64_t room = stream->capacity - (stream->end - stream->first);
    uint64_t count = to - from < room ? to - from : room;
    atomic_fetch_add(&events->references, count);
    for (uint64_t i = 0; i < count; i++) {
        stream->ring[stream->end++ & (stream->capacity - 1)] = (struct queued){events, record, from + i};
    }
    if (count > 0) {
        ssize_t written = write(stream->descriptor, &count, sizeof count);
        (void)written;
    }
    return count;
}

static void emit(struct stream *stream, struct events *events, const char *record, uint64_t times) {
    for (uint64_t from = 0; from < times; from += BATCH) {
        uint64_t to = times - from < BATCH ? times : from + BATCH;
        pthread_mutex_lock(&stream->lock);
        if (stream->descriptor != NO_CLIENT) {
            queue(stream, events, record, from, to);
        }
        pthread_mutex_unlock(&stream->lock);
    }
}

bool stream_deliver(struct runtime *runtime, uint32_t vnc, char *content, size_t size) {
    struct stream *stream = runtime->cores[vnc].stream;
    struct events *events = malloc(sizeof *events);
    if (events == NULL) {
        free(content);
        return false;
    }
    events->references = 1;
    events->content = content;
    bool whole = true;
    for (size_t at = 0; at < size && whole;) {
        struct record record;
        whole = size - at >= sizeof record;
        if (whole) {
            memcpy(&record, content + at, sizeof record);
            uint64_t left = size - at - sizeof record;
            whole = record.payload_size <= left && record.element_at <= record.payload_size
                    && record.element_size <= record.payload_size - record.element_at
                    && (record.element_size == 0
                            || record.times <= (left - record.payload_size) / record.element_size);
        }
        if (whole) {
            emit(stream, events, content + at, record.times);
            at += sizeof record + record.payload_size + record.times * record.element_size;
        }
    }
    release(events);
    return whole;
}

/* ---- client side */

#if RELEASE >= 29

static struct stream *connected(struct runtime *runtime, int descriptor) {
    for (uint32_t i = 0; descriptor >= 0 && i < runtime->core_count; i++) {
        if (runtime->cores[i].stream->descriptor == descriptor) {
            return runtime->cores[i].stream;
        }
    }
    return NULL;
}

static void not_connected(int descriptor) {
    contract_broken(CONTRACT_STREAM, "the descriptor %d is not a debug stream: it was closed, or it never was one", descriptor);
}

static NRT_STATUS connect_client(struct stream *stream, int *descriptor) {
    if (stream->descriptor != NO_CLIENT) {
        return NRT_INVALID;
    }
    struct queued *ring = calloc(stream->capacity, sizeof *ring);
    if (ring == NULL) {
        return NRT_RESOURCE;
    }
    /* Not closed on exec, as in the genuine library. */
    int fresh = eventfd(0, EFD_SEMAPHORE | EFD_NONBLOCK);
    if (fresh < 0) {
        free(ring);
        return NRT_RESOURCE;
    }
    stream->ring = ring;
    stream->first = 0;
    stream->end = 0;
    stream->descriptor = fresh;
    *descriptor = fresh;
    return NRT_SUCCESS;
}

NRT_STATUS nrt_debug_client_connect(int logical_nc_idx, int *stream_fd) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    if (logical_nc_idx < 0 || (uint32_t)logical_nc_idx >= runtime->core_count || stream_fd == NULL) {
        status = NRT_INVALID;
    } else {
        struct stream *stream = runtime->cores[logical_nc_idx].stream;
        pthread_mutex_lock(&stream->lock);
        status = connect_client(stream, stream_fd);
        pthread_mutex_unlock(&stream->lock);
    }
    runtime_leave();
    return status;
}

void nrt_debug_client_connect_close(int stream_fd) {
    struct runtime *runtime;
    if (runtime_enter(&runtime) != NRT_SUCCESS) {
        return;
    }
    struct stream *stream = connected(runtime, stream_fd);
    if (stream == NULL) {
        not_connected(stream_fd);
    } else {
        if (stream->reading) {
            contract_broken(CONTRACT_STREAM_THREADS, "the debug stream %d is closed while another thread reads it", stream_fd);
        }
        pthread_mutex_lock(&stream->lock);
        if (stream->descriptor == stream_fd) {
            disconnect(stream);
        }
        pthread_mutex_unlock(&stream->lock);
    }
    runtime_leave();
}

static NRT_STATUS take(struct stream *stream, int descriptor, struct queued *taken) {
    NRT_STATUS status = NRT_QUEUE_EMPTY;
    bool alone = true;
    pthread_mutex_lock(&stream->lock);
    if (stream->descriptor != descriptor) {
        status = NRT_INVALID;
    } else if (stream->first != stream->end) {
        *taken = stream->ring[stream->first++ & (stream->capacity - 1)];
        status = NRT_SUCCESS;
        uint64_t one;
        /* The read fails if the client has read the descriptor itself. */
        alone = read(descriptor, &one, sizeof one) == sizeof one;
    }
    pthread_mutex_unlock(&stream->lock);
    if (!alone) {
        contract_broken(CONTRACT_STREAM_CONTENT, "the descriptor %d of a debug stream was read or closed by another function",
                descriptor);
    }
    return status;
}

static NRT_STATUS materialise(
        const struct queued *event, ndebug_stream_event_header_t *header, void **payload) {
    struct record record;
    memcpy(&record, event->record, sizeof record);
    if (record.type >> 32 != 0) {
        return (NRT_STATUS)(record.type >> 32);
    }
    const char *template = event->record + sizeof record;
    uint64_t size = record.payload_size;
    if (record.data_size > size && record.data_size <= LARGEST_PROMISE) {
        size = record.data_size;
    }
    char *bytes = NULL;
    if (size > 0) {
        bytes = malloc(size);
        if (bytes == NULL) {
            return NRT_RESOURCE;
        }
        memcpy(bytes, template, record.payload_size);
        memset(bytes + record.payload_size, 0, size - record.payload_size);
        memcpy(bytes + record.element_at,
                template + record.payload_size + event->repetition * record.element_size, record.element_size);
    }
    memset(header, 0, sizeof *header);
    header->data_size = record.data_size;
    header->type = (uint32_t)record.type;
    *payload = bytes;
    return NRT_SUCCESS;
}

NRT_STATUS nrt_debug_client_read_one_event(int stream_fd, ndebug_stream_event_header_t *header, void **payload) {
    if (runtime_forked()) {
        contract_broken(CONTRACT_STREAM_PROCESS, "a child created by fork reads the debug stream %d of its parent", stream_fd);
    }
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    struct stream *stream = connected(runtime, stream_fd);
    if (stream == NULL) {
        not_connected(stream_fd);
    }
    if (stream == NULL || header == NULL || payload == NULL) {
        status = NRT_INVALID;
    } else {
        struct queued event;
        if (atomic_exchange(&stream->reading, true)) {
            contract_broken(CONTRACT_STREAM_THREADS, "two threads read the debug stream %d at once", stream_fd);
        }
        status = take(stream, stream_fd, &event);
        if (status == NRT_SUCCESS) {
            status = materialise(&event, header, payload);
            release(event.events);
        }
        stream->reading = false;
    }
    runtime_leave();
    return status;
}

#endif
