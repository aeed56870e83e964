/* Declarations shared by the files of this library. */
#ifndef INTERNAL_H
#define INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>

#include "nrt.h"

#ifndef RELEASE
#error "RELEASE is the second number of the runtime whose calls are exported, such as 34"
#endif

/* ---- log.c */

enum log_level { LOG_QUIET, LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG, LOG_TRACE };

void log_configure(void);
void log_write(enum log_level level, const char *function, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
/* Logs errors from the host. Each line has the component, a colon, the function, a tab, and the text. */
void log_lines(char *lines, int64_t timeout_milliseconds);

/* ---- strict.c */

enum handle_kind {
    HANDLE_MODEL = 1,
    HANDLE_TENSOR,
    HANDLE_SET,
    HANDLE_TENSOR_INFO,
    HANDLE_TRACE_CONFIG,
    HANDLE_TRACE_OPTIONS,
    HANDLE_TRACE_EVENTS,
    HANDLE_EVENT_TYPES,
    HANDLE_INSPECT_CONFIG,
    HANDLE_ACTIVITY_TYPES,
    HANDLE_CONTINUOUS_OPTIONS,
    HANDLE_KINDS
};

void strict_set(bool wanted);
bool strict(void);
/* The contracts besides those of handles, which have the numbers of enum handle_kind. */
enum contract {
    CONTRACT_TENSOR_IN_SET = HANDLE_KINDS,
    CONTRACT_UCODE,
    CONTRACT_DEVICE_COPY,
    CONTRACT_FETCH,
    CONTRACT_PROFILE,
    CONTRACT_STREAM,
    CONTRACT_STREAM_CONTENT,
    CONTRACT_STREAM_THREADS,
    CONTRACT_STREAM_PROCESS
};
/* Ends the program in strict mode, and has no effect otherwise. Called with no lock held. */
void contract_broken(int contract, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* ---- host.c: a connection to the control socket of the host */

struct host {
    int socket;
    /* The folder for the exchange of private files. */
    int folder;
    pthread_mutex_t lock;
    char *received;
    size_t length;
    size_t capacity;
};

/* The text after ok or after error. The caller frees it. */
struct answer {
    bool ok;
    char *text;
};

bool host_open(struct host *host);
void host_close(struct host *host);
/* Called in a child created by fork, where no lock may be taken. */
void host_abandon(struct host *host);
struct answer host_ask(struct host *host, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Reads the version from the file name of this library, such as 2.31.24.0. */
bool host_library_version(unsigned numbers[4]);

/* Private files of the host and its processes. A file from the host is read and deleted; a file created here is for the host. */
bool exchange_take(struct host *host, const char *name, char **content, size_t *size);
bool exchange_put(struct host *host, char name[64], const void *content, size_t size);
bool exchange_copy(struct host *host, const char *name, const char *target);

/* ---- state.c */

struct stream;

struct logical_core {
    /* Held during an execution; only one runs at a time. */
    pthread_mutex_t busy;
    _Atomic size_t memory_used;
    struct stream *stream;
};

struct runtime {
    struct host host;
    char process[32];
    uint32_t core_count;
    uint32_t physical_cores_each;
    uint32_t device_count;
    /* The numbers of the physical cores on their devices, ordered by logical core. */
    uint32_t *places;
    size_t memory_limit;
    uint64_t stream_capacity;
    int64_t timeout_seconds;
    struct logical_core *cores;
    _Atomic uint32_t next_core;
};

/* The parts of the library with resources of an open runtime, in the order in which nrt_close releases them. */
enum part_number { PART_PROFILE, PART_INSPECT, PART_SYS_TRACE, PART_STREAMS, PART_TENSOR_SETS, PART_TENSORS, PART_MODELS, PARTS };

struct part {
    /* Prepares a runtime that is being opened. If it fails, it leaves no resources. NULL if there is nothing to prepare. */
    bool (*open)(struct runtime *runtime);
    void (*release)(struct runtime *runtime);
};

/* Called by the constructor of each part. */
void runtime_register(enum part_number number, struct part part);

/* Keeps the runtime open until runtime_leave. If the runtime is not open, only a status is returned. */
NRT_STATUS runtime_enter(struct runtime **runtime);
void runtime_leave(void);
bool runtime_forked(void);
/* Returns whether this thread is in a call that keeps the runtime open, opens it or closes it. */
bool runtime_entered(void);

/* The number of logical cores of a process that would start now, also before nrt_init. */
struct visible {
    uint32_t total;
    uint32_t visible;
};
NRT_STATUS runtime_visible(struct visible *visible);
/* Returns the number of cores of the parent, in a child created by fork; false if the parent had none. */
bool runtime_cached_count(uint32_t *count);

/* ---- handles.c: live handles and their kinds */

/* A pointer that is neither NULL nor live breaks the contract, for every kind. */
bool handle_add(const void *pointer, enum handle_kind kind);
bool handle_is(const void *pointer, enum handle_kind kind);
/* Returns false if the handle did not exist: another caller has removed it, or it was never added. */
bool handle_remove(const void *pointer, enum handle_kind kind);
/* Returns whether a visitor accepts any handle of a kind. The visitor must not call functions of this file. */
bool handle_any(enum handle_kind kind, bool (*is)(const void *pointer, const void *wanted), const void *wanted);
/* Removes any handle of a kind; NULL if there is none. */
void *handle_take_any(enum handle_kind kind);
/* Called in a child created by fork. */
void handles_abandon(void);

/* ---- tensor.c */

struct storage {
    _Atomic uint32_t references;
    unsigned char *bytes;
    size_t size;
    /* False if a caller has attached the bytes. */
    bool owned;
    /* The host's number for the allocation, 0 if the host does not count it. */
    uint64_t allocation;
    size_t counted;
    int vnc;
    nrt_tensor_placement_t placement;
    bool mapped;
};

struct nrt_tensor {
    struct storage *storage;
    size_t offset;
    size_t size;
    char *name;
    _Atomic uint64_t completions;
    bool scripted; /* written by the script of the running execution; guarded like the execution */
};

unsigned char *tensor_bytes(const struct nrt_tensor *tensor);

/* ---- tensor_set.c */

struct set_entry {
    struct set_entry *next;
    struct nrt_tensor *tensor;
    char name[];
};

struct tensor_set {
    struct set_entry *first;
};

struct nrt_tensor *tensor_set_find(const struct tensor_set *set, const char *name);
bool tensor_sets_hold(const struct nrt_tensor *tensor);

/* ---- model.c */

struct model_tensor {
    char *name;
    nrt_tensor_usage_t usage;
    size_t size;
    nrt_dtype_t dtype;
    uint32_t shape[8];
    uint32_t dimensions;
};

struct nrt_model {
    uint64_t id;
    uint32_t vnc;
    uint32_t vnc_count;
    size_t code;
    /* False for a NEFF that the host's tools did not create; its tensors are unknown. */
    bool declared;
    size_t tensor_count;
    struct model_tensor *tensors;
};

/* ---- debug_stream.c */

/* Queues the events of a file of the host; false if the file is damaged. */
bool stream_deliver(struct runtime *runtime, uint32_t vnc, char *content, size_t size);

/* ---- info.c */

const char *status_name(NRT_STATUS status);

/* ---- inspect_options.c */

#define INSPECT_ACTIVITIES 4
#define INSPECT_CORES 1024

struct nrt_inspect_config {
    int session;
    char *output_dir;
    uint64_t most_events;
    bool activities[INSPECT_ACTIVITIES];
    bool cores_off[INSPECT_CORES];
    bool enabled;
    bool on_fail;
    nrt_inspect_device_profile_mode_t mode;
};

/* Checks a handle. Options can be created and set in every state. */
NRT_STATUS inspect_options_known(const nrt_inspect_config_t *options);


/* Returns an array of copies with NULL at its end; NULL if there is no memory. The caller may also free them one by one. */
const char **copied_names(const char *const *names, size_t count);
void free_names(enum handle_kind kind, const char **names, size_t count);

/* ---- sys_trace.c */

/* An execution in the trace: the call, and the time on each physical core by the device's clock. */
struct execution {
    uint64_t id;
    uint32_t vnc;
    uint64_t called;
    uint64_t returned;
    uint64_t nanoseconds;
    /* False for an execution that hangs. */
    bool stopped;
};

uint64_t trace_now(void);
void trace_execution(struct runtime *runtime, const struct execution *execution);

#endif
