/*
 * Communication between workers outside of a NEFF. The stand-in has only a single worker. A call with several workers would have to
 * wait for the others. It is refused instead of simulating them.
 */
#include "internal.h"

#include <stdio.h>
#include <string.h>

static NRT_STATUS check(const char *function, int64_t vnc, uint32_t id, uint32_t count) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    if (vnc < 0 || vnc >= (int64_t)runtime->core_count || id >= count) {
        log_write(LOG_ERROR, function, "no logical core %d, or no worker %u among %u", (int)vnc, id, count);
        status = NRT_INVALID;
    }
    runtime_leave();
    return status;
}

static NRT_STATUS check_alone(const char *function, int64_t vnc, uint32_t id, uint32_t count) {
    NRT_STATUS status = check(function, vnc, id, count);
    if (status == NRT_SUCCESS && count > 1) {
        log_write(LOG_ERROR, function, "this stand-in does not reach the other %u workers", count - 1);
        status = NRT_FAILURE;
    }
    return status;
}

NRT_STATUS nrt_build_global_comm(int32_t vnc, uint32_t g_device_id, uint32_t g_device_count) {
    return check("nrt_build_global_comm", vnc, g_device_id, g_device_count);
}

NRT_STATUS nrt_cc_global_comm_init(uint32_t vnc, uint32_t g_device_id, uint32_t g_device_count) {
    return check("nrt_cc_global_comm_init", vnc, g_device_id, g_device_count);
}

NRT_STATUS nrt_barrier(int32_t vnc, uint32_t g_device_id, uint32_t g_device_count) {
    return check_alone("nrt_barrier", vnc, g_device_id, g_device_count);
}

NRT_STATUS nrt_all_gather(int32_t vnc, uint32_t g_device_id, uint32_t g_device_count, uint32_t rank_input_size,
        void *input, void *output) {
    NRT_STATUS status = check_alone("nrt_all_gather", vnc, g_device_id, g_device_count);
    if (status == NRT_SUCCESS && rank_input_size > 0) {
        if (input == NULL || output == NULL) {
            return NRT_INVALID;
        }
        memmove(output, input, rank_input_size);
    }
    return status;
}

void *nrt_get_libnccl_net(int *error, char *message, size_t message_size) {
    if (error != NULL) {
        *error = 1;
    }
    if (message != NULL && message_size > 0) {
        snprintf(message, message_size, "this stand-in has no network plugin");
    }
    return NULL;
}
