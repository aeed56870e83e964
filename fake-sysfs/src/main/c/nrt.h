/*
 * The part of the runtime's interface that this library implements. Sizes and offsets are those of the public headers on LP64, and
 * enums are 32 bits. The assertions at the end check them.
 */
#ifndef NRT_H
#define NRT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(default)

typedef enum {
    NRT_SUCCESS = 0,
    NRT_FAILURE = 1,
    NRT_INVALID = 2,
    NRT_INVALID_HANDLE = 3,
    NRT_RESOURCE = 4,
    NRT_TIMEOUT = 5,
    NRT_HW_ERROR = 6,
    NRT_QUEUE_FULL = 7,
    NRT_LOAD_NOT_ENOUGH_NC = 9,
    NRT_UNSUPPORTED_NEFF_VERSION = 10,
    NRT_FAIL_HOST_MEM_ALLOC = 11,
    NRT_UNINITIALIZED = 13,
    NRT_CLOSED = 14,
    NRT_QUEUE_EMPTY = 15,
    NRT_EXEC_UNIT_UNRECOVERABLE = 101,
    NRT_EXEC_BAD_INPUT = 1002,
    NRT_EXEC_COMPLETED_WITH_NUM_ERR = 1003,
    NRT_EXEC_COMPLETED_WITH_ERR = 1004,
    NRT_EXEC_NC_BUSY = 1005,
    NRT_EXEC_OOB = 1006,
    NRT_COLL_PENDING = 1100,
    NRT_EXEC_HW_ERR_COLLECTIVES = 1200,
    NRT_EXEC_HW_ERR_HBM_UE = 1201,
    NRT_EXEC_HW_ERR_NC_UE = 1202,
    NRT_EXEC_HW_ERR_DMA_ABORT = 1203,
    NRT_EXEC_SW_NQ_OVERFLOW = 1204,
    NRT_EXEC_HW_ERR_REPAIRABLE_HBM_UE = 1205,
    NRT_NETWORK_PROXY_FAILURE = 1206
} NRT_STATUS;

typedef enum {
    NRT_FRAMEWORK_TYPE_INVALID = 0,
    NRT_FRAMEWORK_TYPE_NO_FW = 1,
    NRT_FRAMEWORK_TYPE_TENSORFLOW = 2,
    NRT_FRAMEWORK_TYPE_PYTORCH = 3,
    NRT_FRAMEWORK_TYPE_MXNET = 4,
    NRT_FRAMEWORK_TYPE_PRECHECK = 5
} nrt_framework_type_t;

typedef enum {
    NRT_TENSOR_PLACEMENT_DEVICE = 0,
    NRT_TENSOR_PLACEMENT_HOST = 1,
    NRT_TENSOR_PLACEMENT_VIRTUAL = 2
} nrt_tensor_placement_t;

typedef enum { NRT_TENSOR_USAGE_INPUT = 0, NRT_TENSOR_USAGE_OUTPUT = 1 } nrt_tensor_usage_t;

typedef enum {
    NRT_DTYPE_UNKNOWN = 0,
    NRT_DTYPE_UINT64 = 1,
    NRT_DTYPE_INT8 = 2,
    NRT_DTYPE_UINT8 = 3,
    NRT_DTYPE_INT16 = 4,
    NRT_DTYPE_UINT16 = 5,
    NRT_DTYPE_BFLOAT16 = 6,
    NRT_DTYPE_FLOAT16 = 7,
    NRT_DTYPE_INT32 = 8,
    NRT_DTYPE_UINT32 = 9,
    NRT_DTYPE_FLOAT32 = 0xA,
    NRT_DTYPE_FP32R = 0xB,
    NRT_DTYPE_INT64 = 0xC,
    NRT_DTYPE_FP8_E3 = 0xD,
    NRT_DTYPE_FP8_E4 = 0xE,
    NRT_DTYPE_FP8_E5 = 0xF
} nrt_dtype_t;

typedef struct nrt_model nrt_model_t;
typedef struct nrt_tensor nrt_tensor_t;
typedef void nrt_tensor_set_t;
typedef struct nrt_sys_trace_config nrt_sys_trace_config_t;
typedef struct nrt_sys_trace_fetch_options nrt_sys_trace_fetch_options_t;
typedef struct nrt_inspect_config nrt_inspect_config_t;
typedef struct nrt_profile_continuous_options nrt_profile_continuous_options_t;

/* The public headers do not contain this type, but a client of the runtime passes it. */
typedef enum {
    NRT_INSPECT_DEVICE_PROFILE_OFF = 0,
    NRT_INSPECT_DEVICE_PROFILE_MODEL = 1,
    NRT_INSPECT_DEVICE_PROFILE_SESSION = 2
} nrt_inspect_device_profile_mode_t;

typedef struct {
    char name[256];
    nrt_tensor_usage_t usage;
    size_t size;
    nrt_dtype_t dtype;
    uint32_t *shape;
    uint32_t ndim;
} nrt_tensor_info_t;

typedef struct {
    uint64_t tensor_count;
    nrt_tensor_info_t tensor_array[];
} nrt_tensor_info_array_t;

typedef struct {
    uint64_t rt_major;
    uint64_t rt_minor;
    uint64_t rt_patch;
    uint64_t rt_maintenance;
    char rt_detail[128];
    char git_hash[64];
} nrt_version_t;

typedef struct {
    uint32_t family;
    uint32_t size;
    char arch_name[16];
    char device_revision[8];
} nrt_instance_info_t;

typedef struct {
    size_t bytes_used;
    size_t bytes_limit;
} nrt_vnc_memory_stats_t;

typedef struct {
    uint32_t vnc;
} nrt_model_info_t;

typedef struct {
    uint64_t physical_address;
    size_t size;
    int hbm_index;
} nrt_tensor_device_allocation_info_t;

typedef struct {
    uint64_t offset;
    uint64_t size;
    void *buffer;
} nrt_tensor_batch_op_t;

typedef struct {
    const nrt_tensor_t *tensor;
    const nrt_tensor_batch_op_t *ops;
    uint32_t num_ops;
} nrt_tensor_batch_t;

typedef struct {
    uint8_t *bin;
    size_t size;
} nrt_ucode_img;

typedef struct {
    nrt_ucode_img iram;
    nrt_ucode_img dram;
} nrt_ucode_info;

typedef void (*NRT_ASYNC_EXEC_STATUS_CALLBACK)(
        void *params, uint32_t model_id, uint32_t vnc, uint64_t job_id, NRT_STATUS status);

NRT_STATUS nrt_init(nrt_framework_type_t framework, const char *fw_version, const char *fal_version);
void nrt_close(void);

NRT_STATUS nrt_get_version(nrt_version_t *ver, size_t size);
const char *nrt_get_status_as_str(NRT_STATUS status);
NRT_STATUS nrt_get_instance_info(nrt_instance_info_t *info, size_t instance_info_len);
NRT_STATUS nrt_get_total_nc_count(uint32_t *count);
NRT_STATUS nrt_get_total_vnc_count(uint32_t *count);
NRT_STATUS nrt_get_visible_nc_count(uint32_t *count);
NRT_STATUS nrt_get_visible_vnc_count(uint32_t *count);
NRT_STATUS nrt_get_vnc_memory_stats(
        uint32_t vnc, nrt_vnc_memory_stats_t *stats, size_t stats_size_in, size_t *stats_size_out);
NRT_STATUS nrt_host_device_id_get(int neuron_dev, uint32_t *host_device_id);
NRT_STATUS nrt_host_device_id_rid_map_get(uint32_t *count, uint32_t *host_did_to_rid_map);
NRT_STATUS nrt_set_pool_eng_ucode(const nrt_ucode_info *ucode_info);

NRT_STATUS nrt_memcpy_to_device(void *target, const void *source, size_t size);
NRT_STATUS nrt_get_dmabuf_fd(uint64_t va, uint64_t size, int *fd);
NRT_STATUS nrt_get_hbm_mmap_va(int device_id, int hbm_index, void **address, size_t *size);
NRT_STATUS nrt_get_attached_efa_bdf(const void *va, char *efa_bdf, size_t *length);

NRT_STATUS nrt_build_global_comm(int32_t vnc, uint32_t g_device_id, uint32_t g_device_count);
NRT_STATUS nrt_cc_global_comm_init(uint32_t vnc, uint32_t g_device_id, uint32_t g_device_count);
NRT_STATUS nrt_barrier(int32_t vnc, uint32_t g_device_id, uint32_t g_device_count);
NRT_STATUS nrt_all_gather(int32_t vnc, uint32_t g_device_id, uint32_t g_device_count, uint32_t rank_input_size,
        void *input, void *output);
void *nrt_get_libnccl_net(int *error, char *message, size_t message_size);

NRT_STATUS nrt_load(const void *neff_bytes, size_t size, int32_t vnc, int32_t vnc_count, nrt_model_t **model);
NRT_STATUS nrt_load_collectives(const void *neff_bytes, size_t size, int32_t vnc, int32_t vnc_count,
        uint32_t ctx_device_id, uint32_t ctx_device_count, nrt_model_t **model);
NRT_STATUS nrt_unload(nrt_model_t *model);
NRT_STATUS nrt_get_model_info(const nrt_model_t *model, nrt_model_info_t *info, size_t size_in, size_t *size_out);
NRT_STATUS nrt_get_model_instance_count(nrt_model_t *model, uint32_t *instance_count);
NRT_STATUS nrt_get_model_nc_count(const nrt_model_t *model, uint32_t *nc_count);
NRT_STATUS nrt_get_model_vnc_count(const nrt_model_t *model, uint32_t *vnc_count);
NRT_STATUS nrt_get_model_tensor_info(nrt_model_t *model, nrt_tensor_info_array_t **tensor_info);
NRT_STATUS nrt_free_model_tensor_info(nrt_tensor_info_array_t *tensor_info);

NRT_STATUS nrt_allocate_tensor_set(nrt_tensor_set_t **result);
void nrt_destroy_tensor_set(nrt_tensor_set_t **tensor_set);
NRT_STATUS nrt_add_tensor_to_tensor_set(nrt_tensor_set_t *set, const char *tensor_name, nrt_tensor_t *tensor);
NRT_STATUS nrt_get_tensor_from_tensor_set(nrt_tensor_set_t *set, const char *tensor_name, nrt_tensor_t **tensor);

NRT_STATUS nrt_tensor_allocate(
        nrt_tensor_placement_t placement, int vnc, size_t size, const char *name, nrt_tensor_t **tensor);
NRT_STATUS nrt_tensor_allocate_empty(const char *name, nrt_tensor_t **tensor);
NRT_STATUS nrt_tensor_attach_buffer(nrt_tensor_t *tensor, void *buffer, size_t size);
NRT_STATUS nrt_tensor_allocate_slice(
        const nrt_tensor_t *source, size_t offset, size_t size, const char *name, nrt_tensor_t **slice);
void nrt_tensor_free(nrt_tensor_t **tensor);
NRT_STATUS nrt_tensor_read(const nrt_tensor_t *tensor, void *buffer, size_t offset, size_t size);
NRT_STATUS nrt_tensor_write(nrt_tensor_t *tensor, const void *buffer, size_t offset, size_t size);
NRT_STATUS nrt_tensor_read_batch(const nrt_tensor_batch_t *batches, uint64_t count, bool unsafe);
NRT_STATUS nrt_tensor_write_batch(const nrt_tensor_batch_t *batches, uint64_t count, bool unsafe);
NRT_STATUS nrt_tensor_copy(
        const nrt_tensor_t *source, size_t source_offset, nrt_tensor_t *target, size_t target_offset, size_t size);
NRT_STATUS nrt_tensor_memset(nrt_tensor_t *tensor, uint64_t offset, int value, size_t size);
size_t nrt_tensor_get_size(const nrt_tensor_t *tensor);
void *nrt_tensor_get_va(const nrt_tensor_t *tensor);
NRT_STATUS nrt_tensor_get_device_allocation_info(
        const nrt_tensor_t *tensor, nrt_tensor_device_allocation_info_t *info);
NRT_STATUS nrt_tensor_check_output_completion(
        const nrt_tensor_t *output, int64_t timeout_us, uint64_t expected_count);
NRT_STATUS nrt_tensor_reset_output_completion(nrt_tensor_t *output);

NRT_STATUS nrt_execute(nrt_model_t *model, const nrt_tensor_set_t *inputs, nrt_tensor_set_t *outputs);
NRT_STATUS nrt_execute_repeat(
        nrt_model_t *model, const nrt_tensor_set_t *inputs, nrt_tensor_set_t *outputs, int repeat_count);
NRT_STATUS nrt_register_async_exec_callback(NRT_ASYNC_EXEC_STATUS_CALLBACK callback, void *params);
NRT_STATUS nrt_async_drain_queued_execs(int32_t vnc);

NRT_STATUS nrt_profile_start(nrt_model_t *model, const char *filename);
NRT_STATUS nrt_profile_stop(const char *filename);
NRT_STATUS nrt_trace_start(bool trace_mem);
NRT_STATUS nrt_trace_stop(const char *filename);
NRT_STATUS nrt_profile_continuous_options_allocate(nrt_profile_continuous_options_t **options);
NRT_STATUS nrt_profile_continuous_options_free(nrt_profile_continuous_options_t *options);
NRT_STATUS nrt_profile_continuous_options_set_output_dir(
        nrt_profile_continuous_options_t *options, const char *output_dir);
NRT_STATUS nrt_profile_continuous_start(nrt_profile_continuous_options_t *options);
NRT_STATUS nrt_profile_continuous_save(uint32_t vnc, nrt_profile_continuous_options_t *options);
NRT_STATUS nrt_profile_continuous_stop(void);

NRT_STATUS nrt_inspect_begin(void);
NRT_STATUS nrt_inspect_begin_with_options(nrt_inspect_config_t *options);
NRT_STATUS nrt_inspect_stop(void);
NRT_STATUS nrt_inspect_config_allocate(nrt_inspect_config_t **options);
NRT_STATUS nrt_inspect_config_set_defaults(nrt_inspect_config_t *options);
NRT_STATUS nrt_inspect_config_free(nrt_inspect_config_t *options);
NRT_STATUS nrt_inspect_config_set_session_id(nrt_inspect_config_t *options, int session_id);
NRT_STATUS nrt_inspect_config_set_output_dir(nrt_inspect_config_t *options, const char *output_dir);
NRT_STATUS nrt_inspect_config_set_sys_trace_max_events_per_nc(nrt_inspect_config_t *options, uint64_t most);
NRT_STATUS nrt_inspect_config_set_capture_enabled_for_nc(nrt_inspect_config_t *options, uint32_t nc_idx, bool enabled);
NRT_STATUS nrt_inspect_config_set_capture_enabled_for_event_type_string(
        nrt_inspect_config_t *options, const char *event_type, bool enabled);
NRT_STATUS nrt_inspect_config_set_enable_inspect(nrt_inspect_config_t *options, bool enabled);
NRT_STATUS nrt_inspect_config_set_enable_inspect_on_fail(nrt_inspect_config_t *options, bool enabled);
NRT_STATUS nrt_inspect_config_set_inspect_device_profile_mode(
        nrt_inspect_config_t *options, nrt_inspect_device_profile_mode_t mode);
NRT_STATUS nrt_inspect_config_set_activity(nrt_inspect_config_t *options, const char *activity_type, bool enabled);
NRT_STATUS nrt_inspect_config_get_all_activity_types(const char ***activity_types, size_t *count);
NRT_STATUS nrt_inspect_config_get_enabled_activity_types(
        nrt_inspect_config_t *options, const char ***activity_types, size_t *count);
void nrt_inspect_config_free_activity_types(const char **activity_types, size_t count);

NRT_STATUS nrt_sys_trace_config_allocate(nrt_sys_trace_config_t **options);
void nrt_sys_trace_config_set_defaults(nrt_sys_trace_config_t *options);
void nrt_sys_trace_config_free(nrt_sys_trace_config_t *options);
void nrt_sys_trace_config_set_max_events_per_nc(nrt_sys_trace_config_t *options, uint64_t most);
void nrt_sys_trace_config_set_capture_enabled_for_nc(nrt_sys_trace_config_t *options, uint32_t nc_idx, bool enabled);
NRT_STATUS nrt_sys_trace_config_set_capture_enabled_for_event_type(
        nrt_sys_trace_config_t *options, const char *event_type, bool enabled);
NRT_STATUS nrt_sys_trace_config_get_enabled_event_types(
        nrt_sys_trace_config_t *options, const char ***event_types, size_t *count);
NRT_STATUS nrt_sys_trace_get_event_types(const char ***event_types, size_t *count);
void nrt_sys_trace_free_event_types(const char **event_types, size_t count);
NRT_STATUS nrt_sys_trace_start(nrt_sys_trace_config_t *options);
NRT_STATUS nrt_sys_trace_stop(void);
NRT_STATUS nrt_sys_trace_fetch_options_allocate(nrt_sys_trace_fetch_options_t **options);
void nrt_sys_trace_fetch_options_set_defaults(nrt_sys_trace_fetch_options_t *options);
void nrt_sys_trace_fetch_options_free(nrt_sys_trace_fetch_options_t *options);
void nrt_sys_trace_fetch_options_set_max_events_per_nc(nrt_sys_trace_fetch_options_t *options, uint64_t most);
void nrt_sys_trace_fetch_options_set_nc_idx(nrt_sys_trace_fetch_options_t *options, uint64_t nc_idx);
NRT_STATUS nrt_sys_trace_fetch_events(
        char **buffer, size_t *written, const nrt_sys_trace_fetch_options_t *options);
void nrt_sys_trace_buffer_free(char *buffer);

#pragma GCC visibility pop

#define NRT_AT(type, member, offset) _Static_assert(offsetof(type, member) == (offset), #type "." #member)
#define NRT_SIZE(type, size) _Static_assert(sizeof(type) == (size), #type)

_Static_assert(sizeof(size_t) == 8 && sizeof(void *) == 8 && sizeof(bool) == 1, "LP64");
NRT_SIZE(NRT_STATUS, 4);
NRT_SIZE(nrt_framework_type_t, 4);
NRT_SIZE(nrt_tensor_placement_t, 4);
NRT_SIZE(nrt_tensor_usage_t, 4);
NRT_SIZE(nrt_dtype_t, 4);

NRT_SIZE(nrt_tensor_info_t, 296);
NRT_AT(nrt_tensor_info_t, name, 0);
NRT_AT(nrt_tensor_info_t, usage, 256);
NRT_AT(nrt_tensor_info_t, size, 264);
NRT_AT(nrt_tensor_info_t, dtype, 272);
NRT_AT(nrt_tensor_info_t, shape, 280);
NRT_AT(nrt_tensor_info_t, ndim, 288);

NRT_SIZE(nrt_tensor_info_array_t, 8);
NRT_AT(nrt_tensor_info_array_t, tensor_count, 0);
NRT_AT(nrt_tensor_info_array_t, tensor_array, 8);

NRT_SIZE(nrt_version_t, 224);
NRT_AT(nrt_version_t, rt_major, 0);
NRT_AT(nrt_version_t, rt_minor, 8);
NRT_AT(nrt_version_t, rt_patch, 16);
NRT_AT(nrt_version_t, rt_maintenance, 24);
NRT_AT(nrt_version_t, rt_detail, 32);
NRT_AT(nrt_version_t, git_hash, 160);

NRT_SIZE(nrt_instance_info_t, 32);
NRT_AT(nrt_instance_info_t, family, 0);
NRT_AT(nrt_instance_info_t, size, 4);
NRT_AT(nrt_instance_info_t, arch_name, 8);
NRT_AT(nrt_instance_info_t, device_revision, 24);

NRT_SIZE(nrt_vnc_memory_stats_t, 16);
NRT_AT(nrt_vnc_memory_stats_t, bytes_used, 0);
NRT_AT(nrt_vnc_memory_stats_t, bytes_limit, 8);

NRT_SIZE(nrt_model_info_t, 4);
NRT_AT(nrt_model_info_t, vnc, 0);

NRT_SIZE(nrt_tensor_device_allocation_info_t, 24);
NRT_AT(nrt_tensor_device_allocation_info_t, physical_address, 0);
NRT_AT(nrt_tensor_device_allocation_info_t, size, 8);
NRT_AT(nrt_tensor_device_allocation_info_t, hbm_index, 16);

NRT_SIZE(nrt_tensor_batch_op_t, 24);
NRT_AT(nrt_tensor_batch_op_t, offset, 0);
NRT_AT(nrt_tensor_batch_op_t, size, 8);
NRT_AT(nrt_tensor_batch_op_t, buffer, 16);

NRT_SIZE(nrt_ucode_info, 32);
NRT_AT(nrt_ucode_info, iram, 0);
NRT_AT(nrt_ucode_info, dram, 16);

NRT_SIZE(nrt_tensor_batch_t, 24);
NRT_AT(nrt_tensor_batch_t, tensor, 0);
NRT_AT(nrt_tensor_batch_t, ops, 8);
NRT_AT(nrt_tensor_batch_t, num_ops, 16);

#endif
