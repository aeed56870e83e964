/*
 * Traces of the whole system are not made here. Starting one is refused with NRT_INVALID, which is what a library that was
 * built without it would say; ending one that was never started, too. Configurations can be made and freed.
 */
#include "internal.h"

#include <stdlib.h>

struct nrt_sys_trace_config {
    char unused;
};

static NRT_STATUS refuse(const char *function) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    runtime_leave();
    log_write(LOG_ERROR, function, "this stand-in makes no system trace");
    return NRT_INVALID;
}

NRT_STATUS nrt_trace_start(bool trace_mem) {
    (void)trace_mem;
    return refuse("nrt_trace_start");
}

NRT_STATUS nrt_trace_stop(const char *filename) {
    (void)filename;
    return refuse("nrt_trace_stop");
}

NRT_STATUS nrt_inspect_begin(void) {
    return refuse("nrt_inspect_begin");
}

NRT_STATUS nrt_inspect_stop(void) {
    return refuse("nrt_inspect_stop");
}

NRT_STATUS nrt_sys_trace_config_allocate(nrt_sys_trace_config_t **options) {
    if (runtime_forked()) {
        return NRT_FAILURE;
    }
    if (options == NULL) {
        return NRT_INVALID;
    }
    *options = calloc(1, sizeof **options);
    return *options == NULL ? NRT_RESOURCE : NRT_SUCCESS;
}

void nrt_sys_trace_config_free(nrt_sys_trace_config_t *options) {
    free(options);
}

NRT_STATUS nrt_sys_trace_start(nrt_sys_trace_config_t *options) {
    (void)options;
    return refuse("nrt_sys_trace_start");
}

NRT_STATUS nrt_sys_trace_stop(void) {
    return refuse("nrt_sys_trace_stop");
}

NRT_STATUS nrt_sys_trace_fetch_events(
        char **buffer, size_t *written, const nrt_sys_trace_fetch_options_t *options) {
    (void)buffer;
    (void)written;
    (void)options;
    return refuse("nrt_sys_trace_fetch_events");
}

void nrt_sys_trace_buffer_free(char *buffer) {
    free(buffer);
}
