/*
 * Traces of the whole system in the format that preceded sys_trace.c. The stand-in refuses these calls, because an empty
 * trace would look like a trace without events.
 */
#include "internal.h"

static NRT_STATUS refuse(const char *function) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    runtime_leave();
    log_write(LOG_ERROR, function, "this stand-in makes no such trace; nrt_sys_trace_start does");
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
