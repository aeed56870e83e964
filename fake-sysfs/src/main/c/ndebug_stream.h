/* The debug prints of a kernel on the device, as read by the process that owns the core. */
#ifndef NDEBUG_STREAM_H
#define NDEBUG_STREAM_H

#include "nrt.h"

#pragma GCC visibility push(default)

typedef enum {
    NDEBUG_STREAM_EVENT_TYPE_INVALID = 0,
    NDEBUG_STREAM_EVENT_TYPE_DEBUG_TENSOR_READ = 1
} ndebug_stream_event_type_t;

typedef struct {
    uint64_t data_size;
    uint32_t type;
    char reserved[52];
} ndebug_stream_event_header_t;

typedef struct {
    char prefix[512];
    uint32_t logical_nc_id;
    uint32_t pipe;
    char tensor_dtype[16];
    uint64_t tensor_shape[8];
    uint64_t tensor_data_size;
    char reserved0[416];
    char tensor_data[];
} ndebug_stream_payload_debug_tensor_read_t;

NRT_STATUS nrt_debug_client_connect(int logical_nc_idx, int *stream_fd);
void nrt_debug_client_connect_close(int stream_fd);
NRT_STATUS nrt_debug_client_read_one_event(int stream_fd, ndebug_stream_event_header_t *header, void **payload);

#pragma GCC visibility pop

NRT_SIZE(ndebug_stream_event_type_t, 4);

NRT_SIZE(ndebug_stream_event_header_t, 64);
NRT_AT(ndebug_stream_event_header_t, data_size, 0);
NRT_AT(ndebug_stream_event_header_t, type, 8);
NRT_AT(ndebug_stream_event_header_t, reserved, 12);

NRT_SIZE(ndebug_stream_payload_debug_tensor_read_t, 1024);
NRT_AT(ndebug_stream_payload_debug_tensor_read_t, prefix, 0);
NRT_AT(ndebug_stream_payload_debug_tensor_read_t, logical_nc_id, 512);
NRT_AT(ndebug_stream_payload_debug_tensor_read_t, pipe, 516);
NRT_AT(ndebug_stream_payload_debug_tensor_read_t, tensor_dtype, 520);
NRT_AT(ndebug_stream_payload_debug_tensor_read_t, tensor_shape, 536);
NRT_AT(ndebug_stream_payload_debug_tensor_read_t, tensor_data_size, 600);
NRT_AT(ndebug_stream_payload_debug_tensor_read_t, reserved0, 608);
NRT_AT(ndebug_stream_payload_debug_tensor_read_t, tensor_data, 1024);

#endif
