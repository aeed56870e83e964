#define _GNU_SOURCE
#include "internal.h"

#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_STREAM_EVENTS 65536
/* The default in the table of the documentation. */
#define DEFAULT_TIMEOUT_SECONDS 30
#define LONGEST_CORES 512

enum phase { START, OPEN, CLOSED };

static pthread_rwlock_t lock;
static enum phase phase = START;
static struct runtime runtime = {.host = {.socket = -1}};
static _Atomic bool forked;
static struct part parts[PARTS];
/* Number of calls of this thread that hold the lock. Signal handlers read it, so no access may allocate. */
static _Thread_local volatile sig_atomic_t entered __attribute__((tls_model("initial-exec")));

static bool hold(int (*take)(pthread_rwlock_t *)) {
    entered++;
    /* Fails if a signal handler calls in the middle of nrt_init or nrt_close of the same thread. */
    bool held = take(&lock) == 0;
    entered -= held ? 0 : 1;
    return held;
}

static void let_go(void) {
    pthread_rwlock_unlock(&lock);
    entered--;
}

static void poison(void) {
    forked = true;
    /* Otherwise the host would consider the parent alive as long as this child is. */
    host_abandon(&runtime.host);
    handles_abandon();
}

__attribute__((constructor)) static void prepare(void) {
    pthread_rwlockattr_t attributes;
    pthread_rwlockattr_init(&attributes);
    /* Threads that read streams without a pause must not block nrt_close. */
    pthread_rwlockattr_setkind_np(&attributes, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlock_init(&lock, &attributes);
    pthread_rwlockattr_destroy(&attributes);
    pthread_atfork(NULL, NULL, poison);
}

void runtime_register(enum part_number number, struct part part) {
    parts[number] = part;
}

bool runtime_forked(void) {
    return forked;
}

NRT_STATUS runtime_enter(struct runtime **opened) {
    if (forked) {
        return NRT_FAILURE;
    }
    if (!hold(pthread_rwlock_rdlock)) {
        return NRT_FAILURE;
    }
    if (phase == OPEN) {
        *opened = &runtime;
        return NRT_SUCCESS;
    }
    NRT_STATUS status = phase == START ? NRT_UNINITIALIZED : NRT_CLOSED;
    let_go();
    return status;
}

void runtime_leave(void) {
    let_go();
}

bool runtime_entered(void) {
    return entered != 0;
}

/* ---- environment */

static const char *variable(const char *name) {
    const char *value = getenv(name);
    return value == NULL ? "" : value;
}

static bool whole_number(const char *text, int64_t *number) {
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < 0) {
        return false;
    }
    *number = value;
    return true;
}

static const char *logical_core_size(void) {
    const char *size = variable("NEURON_LOGICAL_NC_CONFIG");
    return *size != '\0' ? size : variable("NEURON_RT_VIRTUAL_CORE_SIZE");
}

/* Builds the word for the host's init; false if the variables contain no valid cores. */
static bool visible_cores(char word[LONGEST_CORES]) {
    const char *visible = variable("NEURON_RT_VISIBLE_CORES");
    if (*visible != '\0') {
        size_t length = 0;
        for (; *visible != '\0'; visible++) {
            if (isspace((unsigned char)*visible)) {
                continue;
            }
            if (length == LONGEST_CORES - 1 || !isgraph((unsigned char)*visible)) {
                return false;
            }
            word[length++] = *visible;
        }
        word[length] = '\0';
        return length > 0;
    }
    const char *number = variable("NEURON_RT_NUM_CORES");
    int64_t count = 0;
    if (*number != '\0' && !whole_number(number, &count)) {
        return false;
    }
    if (count == 0) {
        strcpy(word, "all");
    } else {
        snprintf(word, LONGEST_CORES, "any:%lld", (long long)count);
    }
    return true;
}

static bool stream_capacity(uint64_t *events) {
    const char *text = variable("NEURON_RT_DEBUG_STREAM_BUFFER_SIZE");
    int64_t number = DEFAULT_STREAM_EVENTS;
    if (*text != '\0' && !whole_number(text, &number)) {
        return false;
    }
    *events = (uint64_t)number;
    return number > 0 && (number & (number - 1)) == 0;
}

static int64_t execution_timeout(void) {
    int64_t seconds;
    return whole_number(variable("NEURON_RT_EXEC_TIMEOUT"), &seconds) && seconds > 0 ? seconds
                                                                                      : DEFAULT_TIMEOUT_SECONDS;
}

/* The name of this program, with separators replaced. */
static void process_name(char name[32]) {
    const char *program = program_invocation_short_name;
    size_t length = 0;
    for (; *program != '\0' && length < 15; program++) {
        name[length++] = isalnum((unsigned char)*program) || strchr("._-", *program) != NULL ? *program : '_';
    }
    name[length] = '\0';
    if (length == 0) {
        strcpy(name, "neuron-app");
    }
}

/* ---- init and close */

static NRT_STATUS refused(const char *reason) {
    const char *counts = strstr(reason, "Requested:");
    if (counts == NULL) {
        log_write(LOG_ERROR, "nrt_init", "%s", reason);
        /* Wrong words are an error of the program; any other reason is a device that cannot be opened. */
        bool wrong = strstr(reason, "visible cores") != NULL || strstr(reason, "logical core") != NULL
                || strstr(reason, "in use") != NULL || strstr(reason, "usage:") != NULL;
        return wrong ? NRT_FAILURE : NRT_INVALID;
    }
    const char *end = strstr(counts, ": ");
    int length = end == NULL ? (int)strlen(counts) : (int)(end - counts);
    log_write(LOG_ERROR, "nrt_allocate_neuron_cores", "NeuronCore(s) not available - %.*s", length, counts);
    log_write(LOG_INFO, "nrt_init", "%s", reason);
    return NRT_FAILURE;
}

/* Parses the host's answer with the resources of this process. */
static bool understand(const char *text) {
    int length = 0;
    int wanted = 0;
    if (sscanf(text, "cores %u lnc %u memory %zu devices %u strict %d places %n", &runtime.core_count,
                &runtime.physical_cores_each, &runtime.memory_limit, &runtime.device_count, &wanted, &length)
                    != 5
            || length == 0 || runtime.core_count == 0 || runtime.physical_cores_each == 0) {
        return false;
    }
    size_t count = (size_t)runtime.core_count * runtime.physical_cores_each;
    runtime.places = calloc(count, sizeof *runtime.places);
    strict_set(wanted != 0);
    text += length;
    for (size_t i = 0; runtime.places != NULL && i < count; i++) {
        if (sscanf(text, "%u%n", &runtime.places[i], &length) != 1) {
            free(runtime.places);
            runtime.places = NULL;
            break;
        }
        text += length;
    }
    return runtime.places != NULL;
}

static NRT_STATUS take_cores(const char *cores) {
    const char *size = logical_core_size();
    struct answer answer = host_ask(&runtime.host, "init %s %s pid %d%s%.16s", runtime.process, cores, (int)getpid(),
            *size == '\0' ? "" : " lnc ", size);
    if (!answer.ok) {
        NRT_STATUS status = refused(answer.text);
        free(answer.text);
        return status;
    }
    free(answer.text);
    answer = host_ask(&runtime.host, "nrt open %s%s%.16s", runtime.process, *size == '\0' ? "" : " ", size);
    bool understood = answer.ok && understand(answer.text);
    if (!understood) {
        log_write(LOG_ERROR, "nrt_init", "%s", answer.text);
    }
    free(answer.text);
    return understood ? NRT_SUCCESS : NRT_FAILURE;
}

static bool open_parts(void) {
    for (int i = 0; i < PARTS; i++) {
        if (parts[i].open != NULL && !parts[i].open(&runtime)) {
            while (--i >= 0) {
                if (parts[i].release != NULL) {
                    parts[i].release(&runtime);
                }
            }
            return false;
        }
    }
    return true;
}

static NRT_STATUS open_runtime(void) {
    char cores[LONGEST_CORES];
    log_configure();
    if (!stream_capacity(&runtime.stream_capacity)) {
        log_write(LOG_ERROR, "nrt_init", "NEURON_RT_DEBUG_STREAM_BUFFER_SIZE=%s is not a power of two",
                variable("NEURON_RT_DEBUG_STREAM_BUFFER_SIZE"));
        return NRT_FAILURE;
    }
    if (!visible_cores(cores)) {
        log_write(LOG_ERROR, "nrt_init", "NEURON_RT_VISIBLE_CORES=%s NEURON_RT_NUM_CORES=%s name no cores",
                variable("NEURON_RT_VISIBLE_CORES"), variable("NEURON_RT_NUM_CORES"));
        return NRT_FAILURE;
    }
    runtime.timeout_seconds = execution_timeout();
    runtime.next_core = 0;
    process_name(runtime.process);
    if (!host_open(&runtime.host)) {
        log_write(LOG_ERROR, "nrt_init", "No neuron device available");
        return NRT_INVALID;
    }
    NRT_STATUS status = take_cores(cores);
    if (status == NRT_SUCCESS) {
        runtime.cores = calloc(runtime.core_count, sizeof *runtime.cores);
        status = runtime.cores != NULL ? NRT_SUCCESS : NRT_RESOURCE;
    }
    if (status != NRT_SUCCESS) {
        free(runtime.places);
        runtime.places = NULL;
        host_close(&runtime.host);
        return status;
    }
    for (uint32_t i = 0; i < runtime.core_count; i++) {
        pthread_mutex_init(&runtime.cores[i].busy, NULL);
    }
    if (!open_parts()) {
        free(runtime.cores);
        free(runtime.places);
        runtime.places = NULL;
        host_close(&runtime.host);
        return NRT_RESOURCE;
    }
    phase = OPEN;
    log_write(LOG_INFO, "nrt_init", "%u logical cores of %u physical cores each", runtime.core_count,
            runtime.physical_cores_each);
    return NRT_SUCCESS;
}

NRT_STATUS nrt_init(nrt_framework_type_t framework, const char *fw_version, const char *fal_version) {
    (void)fw_version;
    (void)fal_version;
    if (forked) {
        return NRT_FAILURE;
    }
    if ((int)framework <= NRT_FRAMEWORK_TYPE_INVALID || framework > NRT_FRAMEWORK_TYPE_PRECHECK) {
        log_configure();
        log_write(LOG_ERROR, "nrt_init", "%d is no framework", (int)framework);
        return NRT_INVALID;
    }
    if (!hold(pthread_rwlock_wrlock)) {
        return NRT_FAILURE;
    }
    NRT_STATUS status = phase == OPEN ? NRT_SUCCESS : open_runtime();
    let_go();
    return status;
}

void nrt_close(void) {
    if (forked || !hold(pthread_rwlock_wrlock)) {
        return;
    }
    if (phase == OPEN) {
        phase = CLOSED;
        for (int i = 0; i < PARTS; i++) {
            if (parts[i].release != NULL) {
                parts[i].release(&runtime);
            }
        }
        struct answer answer = host_ask(&runtime.host, "close %s", runtime.process);
        if (!answer.ok) {
            log_write(LOG_WARNING, "nrt_close", "%s", answer.text);
        }
        free(answer.text);
        host_close(&runtime.host);
        for (uint32_t i = 0; i < runtime.core_count; i++) {
            pthread_mutex_destroy(&runtime.cores[i].busy);
        }
        free(runtime.cores);
        runtime.cores = NULL;
        free(runtime.places);
        runtime.places = NULL;
    }
    let_go();
}

/* ---- visible cores, also before nrt_init */

static bool count_cores(const char *list, uint32_t all, uint32_t *count) {
    int64_t number;
    if (strcmp(list, "all") == 0) {
        *count = all;
        return true;
    }
    if (strncmp(list, "any:", 4) == 0) {
        bool is = whole_number(list + 4, &number) && number <= all;
        *count = is ? (uint32_t)number : 0;
        return is;
    }
    *count = 0;
    while (true) {
        unsigned from;
        unsigned to;
        int length = 0;
        if (sscanf(list, "%u-%u%n", &from, &to, &length) != 2 || length == 0) {
            length = 0;
            if (sscanf(list, "%u%n", &from, &length) != 1 || length == 0) {
                return false;
            }
            to = from;
        }
        if (to < from || to >= all) {
            return false;
        }
        *count += to - from + 1;
        list += length;
        if (*list == '\0') {
            return true;
        }
        if (*list++ != ',') {
            return false;
        }
    }
}

static NRT_STATUS ask_facts(struct host *host, struct visible *visible) {
    char cores[LONGEST_CORES];
    const char *size = logical_core_size();
    struct answer answer = host_ask(host, "nrt facts%s%.16s", *size == '\0' ? "" : " ", size);
    uint32_t physical = 0;
    uint32_t each = 0;
    bool understood = answer.ok && sscanf(answer.text, "cores %u lnc %u", &physical, &each) == 2 && each > 0;
    free(answer.text);
    if (!understood || !visible_cores(cores)) {
        return NRT_INVALID;
    }
    visible->total = physical / each;
    return count_cores(cores, visible->total, &visible->visible) ? NRT_SUCCESS : NRT_INVALID;
}

NRT_STATUS runtime_visible(struct visible *visible) {
    if (forked) {
        return NRT_FAILURE;
    }
    if (!hold(pthread_rwlock_rdlock)) {
        return NRT_FAILURE;
    }
    NRT_STATUS status;
    if (phase == OPEN) {
        status = ask_facts(&runtime.host, visible);
        visible->visible = runtime.core_count;
    } else {
        struct host connection;
        status = NRT_INVALID;
        if (host_open(&connection)) {
            status = ask_facts(&connection, visible);
            host_close(&connection);
        }
    }
    let_go();
    return status;
}

bool runtime_cached_count(uint32_t *count) {
    /* Only the thread that called fork exists. Therefore no lock is needed, and taking one is not safe. */
    if (phase != OPEN) {
        return false;
    }
    *count = runtime.core_count;
    return true;
}
