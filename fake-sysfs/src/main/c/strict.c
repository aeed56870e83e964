/*
 * Contracts that the vendor documents and the genuine library does not check. With that library a violation causes wrong results, a
 * much later fault, or no symptom. In strict mode the program ends at the violation and prints its stack. An order of calls that no
 * documentation forbids is not a violation.
 */
#include "internal.h"

#include <execinfo.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define VARIABLE "NEURON_FAKE_STRICT"
#define LONGEST_TEXT 1024
#define MOST_FRAMES 64

/*
 * Each contract with the function that documents it and the header of that function. The page of the fake host has the same rows,
 * which a test compares. For nrt_unload, nrt_free_model_tensor_info and nrt_profile_start the developer guide is more explicit than
 * the header. The header has no comment for nrt_sys_trace_fetch_options_free; its contract is that of the other functions that free.
 */
static const struct {
    const char *header;
    const char *function;
    const char *rule;
} CONTRACTS[] = {
    [HANDLE_MODEL] = {"nrt.h", "nrt_unload", "a model is invalid after nrt_unload and nrt_close"},
    [HANDLE_TENSOR] = {"nrt.h", "nrt_tensor_free", "a tensor is invalid after nrt_tensor_free and nrt_close"},
    [HANDLE_SET] = {"nrt.h", "nrt_destroy_tensor_set",
            "a tensor set is invalid after nrt_destroy_tensor_set and nrt_close"},
    [HANDLE_TENSOR_INFO] = {"nrt_experimental.h", "nrt_free_model_tensor_info",
            "an array of tensor infos is freed once"},
    [HANDLE_TRACE_CONFIG] = {"nrt_sys_trace.h", "nrt_sys_trace_config_free",
            "a configuration is invalid after it is freed"},
    [HANDLE_TRACE_OPTIONS] = {"nrt_sys_trace.h", "nrt_sys_trace_fetch_options_free",
            "options are invalid after they are freed"},
    [HANDLE_TRACE_EVENTS] = {"nrt_sys_trace.h", "nrt_sys_trace_buffer_free", "a buffer of events is freed once"},
    [HANDLE_EVENT_TYPES] = {"nrt_sys_trace.h", "nrt_sys_trace_free_event_types",
            "an array of event types is freed once, with its count"},
    [HANDLE_INSPECT_CONFIG] = {"nrt_profile.h", "nrt_inspect_config_free",
            "a configuration is invalid after it is freed"},
    [HANDLE_ACTIVITY_TYPES] = {"nrt_profile.h", "nrt_inspect_config_free_activity_types",
            "an array of activity types is freed once, with its count"},
    [HANDLE_CONTINUOUS_OPTIONS] = {"nrt_profile.h", "nrt_profile_continuous_options_free",
            "options are invalid after they are freed"},
    [CONTRACT_TENSOR_IN_SET] = {"nrt.h", "nrt_add_tensor_to_tensor_set",
            "a tensor must stay valid until its tensor set is destroyed"},
    [CONTRACT_UCODE] = {"nrt_experimental.h", "nrt_set_pool_eng_ucode", "images must be set before nrt_init"},
    [CONTRACT_DEVICE_COPY] = {"nrt_experimental.h", "nrt_memcpy_to_device", "the target must be mapped device memory"},
    [CONTRACT_FETCH] = {"nrt_sys_trace.h", "nrt_sys_trace_fetch_events",
            "the pointer to the buffer must be NULL before the call"},
    [CONTRACT_PROFILE] = {"nrt_profile.h", "nrt_profile_start", "a profile ends with the file name of its start"},
    [CONTRACT_STREAM] = {"ndebug_stream.h", "nrt_debug_client_connect_close", "a stream is invalid after it is closed"},
    [CONTRACT_STREAM_CONTENT] = {"ndebug_stream.h", "nrt_debug_client_read_one_event",
            "only functions of the header may read or close a stream; others may poll it"},
    [CONTRACT_STREAM_THREADS] = {"ndebug_stream.h", "nrt_debug_client_read_one_event",
            "threads must not use the same stream at the same time"},
    [CONTRACT_STREAM_PROCESS] = {"ndebug_stream.h", "nrt_debug_client_read_one_event",
            "only the process that owns the core may read its stream"},
};

static _Atomic bool wanted_by_host;

void strict_set(bool wanted) {
    wanted_by_host = wanted;
}

bool strict(void) {
    const char *value = getenv(VARIABLE);
    return wanted_by_host || (value != NULL && *value != '\0' && strcmp(value, "0") != 0);
}

void contract_broken(int contract, const char *format, ...) {
    if (!strict()) {
        return;
    }
    char text[LONGEST_TEXT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    char line[2 * LONGEST_TEXT];
    int length = snprintf(line, sizeof line,
            "libnrt: a contract is broken: %s. Contract of %s in nrt/%s: %s. "
            "The program ends here, because strict checks are enabled.\n",
            text, CONTRACTS[contract].function, CONTRACTS[contract].header, CONTRACTS[contract].rule);
    ssize_t written = write(STDERR_FILENO, line, (size_t)length);
    (void)written;
    void *frames[MOST_FRAMES];
    backtrace_symbols_fd(frames, backtrace(frames, MOST_FRAMES), STDERR_FILENO);
    abort();
}
