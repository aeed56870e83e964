/* The options of a profile that a program collects: what to collect, on which cores, and where to. */
/* Required for strdup. */
#define _GNU_SOURCE
#include "internal.h"

#include <stdlib.h>
#include <string.h>

#define DEFAULT_EVENTS 1000000

static const char *const ACTIVITIES[INSPECT_ACTIVITIES] = {"system_profile", "device_profile", "host_memory", "cpu_util"};

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

void free_names(enum handle_kind kind, const char **names, size_t count) {
    if (runtime_forked() || !handle_remove(names, kind)) {
        return;
    }
    size_t last = 0;
    for (; names[last] != NULL; last++) {
        free((void *)(uintptr_t)names[last]);
    }
    free(names);
    if (count != last) {
        contract_broken(kind, "%zu names are freed in an array of %zu names", count, last);
    }
}

/* ---- options */

/* Checks a handle. Options can be created and set in every state. */
NRT_STATUS inspect_options_known(const nrt_inspect_config_t *options) {
    if (runtime_forked()) {
        return NRT_FAILURE;
    }
    return handle_is(options, HANDLE_INSPECT_CONFIG) ? NRT_SUCCESS : NRT_INVALID;
}

static void set_defaults(nrt_inspect_config_t *options) {
    free(options->output_dir);
    *options = (struct nrt_inspect_config){.session = 1, .most_events = DEFAULT_EVENTS};
    for (size_t i = 0; i < INSPECT_ACTIVITIES; i++) {
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
    NRT_STATUS status = inspect_options_known(options);
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
    NRT_STATUS status = inspect_options_known(options);
    if (status == NRT_SUCCESS) {
        options->session = session_id;
    }
    return status;
}

NRT_STATUS nrt_inspect_config_set_output_dir(nrt_inspect_config_t *options, const char *output_dir) {
    NRT_STATUS status = inspect_options_known(options);
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
    NRT_STATUS status = inspect_options_known(options);
    if (status == NRT_SUCCESS) {
        options->most_events = most;
    }
    return status;
}

NRT_STATUS nrt_inspect_config_set_capture_enabled_for_nc(nrt_inspect_config_t *options, uint32_t nc_idx, bool enabled) {
    NRT_STATUS status = inspect_options_known(options);
    if (status == NRT_SUCCESS && nc_idx >= INSPECT_CORES) {
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
    NRT_STATUS status = inspect_options_known(options);
    return status == NRT_SUCCESS && (event_type == NULL || *event_type == '\0') ? NRT_INVALID : status;
}

NRT_STATUS nrt_inspect_config_set_enable_inspect(nrt_inspect_config_t *options, bool enabled) {
    NRT_STATUS status = inspect_options_known(options);
    if (status == NRT_SUCCESS) {
        options->enabled = enabled;
    }
    return status;
}

NRT_STATUS nrt_inspect_config_set_enable_inspect_on_fail(nrt_inspect_config_t *options, bool enabled) {
    NRT_STATUS status = inspect_options_known(options);
    if (status == NRT_SUCCESS) {
        options->on_fail = enabled;
    }
    return status;
}

NRT_STATUS nrt_inspect_config_set_inspect_device_profile_mode(
        nrt_inspect_config_t *options, nrt_inspect_device_profile_mode_t mode) {
    NRT_STATUS status = inspect_options_known(options);
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
    NRT_STATUS status = inspect_options_known(options);
    if (status != NRT_SUCCESS) {
        return status;
    }
    bool found = false;
    for (size_t i = 0; activity_type != NULL && i < INSPECT_ACTIVITIES; i++) {
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
    return runtime_forked() ? NRT_FAILURE : give(ACTIVITIES, INSPECT_ACTIVITIES, activity_types, count);
}

NRT_STATUS nrt_inspect_config_get_enabled_activity_types(
        nrt_inspect_config_t *options, const char ***activity_types, size_t *count) {
    NRT_STATUS status = inspect_options_known(options);
    if (status != NRT_SUCCESS) {
        return status;
    }
    const char *enabled[INSPECT_ACTIVITIES];
    size_t number = 0;
    for (size_t i = 0; i < INSPECT_ACTIVITIES; i++) {
        if (options->activities[i]) {
            enabled[number++] = ACTIVITIES[i];
        }
    }
    return give(enabled, number, activity_types, count);
}

void nrt_inspect_config_free_activity_types(const char **activity_types, size_t count) {
    free_names(HANDLE_ACTIVITY_TYPES, activity_types, count);
}
