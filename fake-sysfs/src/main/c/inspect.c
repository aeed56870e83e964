/*
 * Profiles that a program switches on and off. Options are stored, and every call returns the same as the genuine one. No files are
 * written, which is logged. The stand-in for a workload writes them if NEURON_RT_INSPECT_* is set.
 */
/* Required for strdup. */
#define _GNU_SOURCE
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_DIRECTORY "./output"
#define DEFAULT_EVENTS 1000000
#define MOST_CORES 1024

static const char *const ACTIVITIES[] = {"system_profile", "device_profile", "host_memory", "cpu_util"};
#define ACTIVITY_COUNT (sizeof ACTIVITIES / sizeof *ACTIVITIES)

struct nrt_inspect_config {
    int session;
    char *output_dir;
    uint64_t most_events;
    bool activities[ACTIVITY_COUNT];
    bool cores_off[MOST_CORES];
    bool enabled;
    bool on_fail;
    nrt_inspect_device_profile_mode_t mode;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool begun;

static void forget(struct runtime *runtime) {
    (void)runtime;
    pthread_mutex_lock(&lock);
    begun = false;
    pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void register_part(void) {
    runtime_register(PART_INSPECT, (struct part){.release = forget});
}

const char **copied_names(const char *const *names, size_t count) {
    const char **copies = calloc(count + 1, sizeof *copies);
    for (size_t i = 0; copies != NULL && i < count; i++) {
        copies[i] = strdup(names[i]);
        if (copies[i] == NULL) {
            while (i-- > 0) {
                free((void *)(uintptr_t)copies[i]);
            }
            free(copies);
            return NULL;
        }
    }
    return copies;
}

/* ---- options */

/* Checks a handle. Options can be created and set in every state. */
static NRT_STATUS known(const nrt_inspect_config_t *options) {
    if (runtime_forked()) {
        return NRT_FAILURE;
    }
    return handle_is(options, HANDLE_INSPECT_CONFIG) ? NRT_SUCCESS : NRT_INVALID;
}

static void set_defaults(nrt_inspect_config_t *options) {
    free(options->output_dir);
    *options = (struct nrt_inspect_config){.session = 1, .most_events = DEFAULT_EVENTS};
    for (size_t i = 0; i < ACTIVITY_COUNT; i++) {
        options->activities[i] = true;
    }
}

NRT_STATUS nrt_inspect_config_allocate(nrt_inspect_config_t **options) {
    if (runtime_forked()) {
        return NRT_FAILURE;
    }
    if (options == NULL) {
        return NRT_INVALID;
    }
    nrt_inspect_config_t *fresh = calloc(1, sizeof *fresh);
    if (fresh == NULL || !handle_add(fresh, HANDLE_INSPECT_CONFIG)) {
        free(fresh);
        return NRT_RESOURCE;
    }
    set_defaults(fresh);
    *options = fresh;
    return NRT_SUCCESS;
}

NRT_STATUS nrt_inspect_config_set_defaults(nrt_inspect_config_t *options) {
    NRT_STATUS status = known(options);
    if (status == NRT_SUCCESS) {
        set_defaults(options);
    }
    return status;
}

NRT_STATUS nrt_inspect_config_free(nrt_inspect_config_t *options) {
    if (runtime_forked()) {
        return NRT_FAILURE;
    }
    if (!handle_remove(options, HANDLE_INSPECT_CONFIG)) {
        return NRT_INVALID;
    }
    free(options->output_dir);
    free(options);
    return NRT_SUCCESS;
}

NRT_STATUS nrt_inspect_config_set_session_id(nrt_inspect_config_t *options, int session_id) {
    NRT_STATUS status = known(options);
    if (status == NRT_SUCCESS) {
        options->session = session_id;
    }
    return status;
}

NRT_STATUS nrt_inspect_config_set_output_dir(nrt_inspect_config_t *options, const char *output_dir) {
    NRT_STATUS status = known(options);
    if (status != NRT_SUCCESS) {
        return status;
    }
    if (output_dir == NULL || *output_dir == '\0') {
        return NRT_INVALID;
    }
    char *copy = strdup(output_dir);
    if (copy == NULL) {
        return NRT_RESOURCE;
    }
    free(options->output_dir);
    options->output_dir = copy;
    return NRT_SUCCESS;
}

NRT_STATUS nrt_inspect_config_set_sys_trace_max_events_per_nc(nrt_inspect_config_t *options, uint64_t most) {
    NRT_STATUS status = known(options);
    if (status == NRT_SUCCESS) {
        options->most_events = most;
    }
    return status;
}

NRT_STATUS nrt_inspect_config_set_capture_enabled_for_nc(nrt_inspect_config_t *options, uint32_t nc_idx, bool enabled) {
    NRT_STATUS status = known(options);
    if (status == NRT_SUCCESS && nc_idx >= MOST_CORES) {
        status = NRT_INVALID;
    }
    if (status == NRT_SUCCESS) {
        options->cores_off[nc_idx] = !enabled;
    }
    return status;
}

/* Accepts every name, because the genuine runtime has more events than this stand-in. */
NRT_STATUS nrt_inspect_config_set_capture_enabled_for_event_type_string(
        nrt_inspect_config_t *options, const char *event_type, bool enabled) {
    (void)enabled;
    NRT_STATUS status = known(options);
    return status == NRT_SUCCESS && (event_type == NULL || *event_type == '\0') ? NRT_INVALID : status;
}

NRT_STATUS nrt_inspect_config_set_enable_inspect(nrt_inspect_config_t *options, bool enabled) {
    NRT_STATUS status = known(options);
    if (status == NRT_SUCCESS) {
        options->enabled = enabled;
    }
    return status;
}

NRT_STATUS nrt_inspect_config_set_enable_inspect_on_fail(nrt_inspect_config_t *options, bool enabled) {
    NRT_STATUS status = known(options);
    if (status == NRT_SUCCESS) {
        options->on_fail = enabled;
    }
    return status;
}

NRT_STATUS nrt_inspect_config_set_inspect_device_profile_mode(
        nrt_inspect_config_t *options, nrt_inspect_device_profile_mode_t mode) {
    NRT_STATUS status = known(options);
    if (status == NRT_SUCCESS && ((int)mode < 0 || mode > NRT_INSPECT_DEVICE_PROFILE_SESSION)) {
        status = NRT_INVALID;
    }
    if (status == NRT_SUCCESS) {
        options->mode = mode;
    }
    return status;
}

/* ---- activities */

NRT_STATUS nrt_inspect_config_set_activity(nrt_inspect_config_t *options, const char *activity_type, bool enabled) {
    NRT_STATUS status = known(options);
    if (status != NRT_SUCCESS) {
        return status;
    }
    bool found = false;
    for (size_t i = 0; activity_type != NULL && i < ACTIVITY_COUNT; i++) {
        if (strcmp(activity_type, "all") == 0 || strcmp(activity_type, ACTIVITIES[i]) == 0) {
            options->activities[i] = enabled;
            found = true;
        }
    }
    return found ? NRT_SUCCESS : NRT_INVALID;
}

static NRT_STATUS give(const char *const *names, size_t number, const char ***activity_types, size_t *count) {
    if (activity_types == NULL || count == NULL) {
        return NRT_INVALID;
    }
    const char **copies = copied_names(names, number);
    if (copies == NULL || !handle_add(copies, HANDLE_ACTIVITY_TYPES)) {
        return NRT_RESOURCE;
    }
    *activity_types = copies;
    *count = number;
    return NRT_SUCCESS;
}

NRT_STATUS nrt_inspect_config_get_all_activity_types(const char ***activity_types, size_t *count) {
    return runtime_forked() ? NRT_FAILURE : give(ACTIVITIES, ACTIVITY_COUNT, activity_types, count);
}

NRT_STATUS nrt_inspect_config_get_enabled_activity_types(
        nrt_inspect_config_t *options, const char ***activity_types, size_t *count) {
    NRT_STATUS status = known(options);
    if (status != NRT_SUCCESS) {
        return status;
    }
    const char *enabled[ACTIVITY_COUNT];
    size_t number = 0;
    for (size_t i = 0; i < ACTIVITY_COUNT; i++) {
        if (options->activities[i]) {
            enabled[number++] = ACTIVITIES[i];
        }
    }
    return give(enabled, number, activity_types, count);
}

void nrt_inspect_config_free_activity_types(const char **activity_types, size_t count) {
    if (runtime_forked() || !handle_remove(activity_types, HANDLE_ACTIVITY_TYPES)) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        free((void *)(uintptr_t)activity_types[i]);
    }
    free(activity_types);
}

/* ---- begin and stop */

static NRT_STATUS begin(const char *function, const char *output_dir) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    pthread_mutex_lock(&lock);
    if (begun) {
        log_write(LOG_ERROR, function, "it has begun already");
        status = NRT_INVALID;
    } else {
        begun = true;
        log_write(LOG_WARNING, function, "this stand-in writes no profiles into %s",
                output_dir == NULL || *output_dir == '\0' ? DEFAULT_DIRECTORY : output_dir);
    }
    pthread_mutex_unlock(&lock);
    runtime_leave();
    return status;
}

NRT_STATUS nrt_inspect_begin(void) {
    return begin("nrt_inspect_begin", getenv("NEURON_RT_INSPECT_OUTPUT_DIR"));
}

NRT_STATUS nrt_inspect_begin_with_options(nrt_inspect_config_t *options) {
    NRT_STATUS status = options == NULL ? NRT_SUCCESS : known(options);
    return status != NRT_SUCCESS
            ? status
            : begin("nrt_inspect_begin_with_options", options == NULL ? NULL : options->output_dir);
}

NRT_STATUS nrt_inspect_stop(void) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status == NRT_SUCCESS) {
        forget(runtime);
        runtime_leave();
    }
    return status;
}
