#include "internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Minimum struct size, passed by callers that are older than the fields for version and hash. */
#define SMALLEST_VERSION 160
#define VERSION_WITH_HASH 200

NRT_STATUS nrt_get_version(nrt_version_t *ver, size_t size) {
    unsigned numbers[4] = {0};
    if (ver == NULL || size < SMALLEST_VERSION || !host_library_version(numbers)) {
        return NRT_INVALID;
    }
    nrt_version_t version = {numbers[0], numbers[1], numbers[2], numbers[3], "", ""};
    snprintf(version.rt_detail, sizeof version.rt_detail, "stand-in");
    if (size > VERSION_WITH_HASH) {
        snprintf(version.git_hash, sizeof version.git_hash, "0000000000000000000000000000000000000000");
    }
    memcpy(ver, &version, size < sizeof version ? size : sizeof version);
    return NRT_SUCCESS;
}

const char *status_name(NRT_STATUS status) {
    switch ((int)status) {
    case NRT_SUCCESS: return "NRT_SUCCESS";
    case NRT_FAILURE: return "NRT_FAILURE";
    case NRT_INVALID: return "NRT_INVALID";
    case NRT_INVALID_HANDLE: return "NRT_INVALID_HANDLE";
    case NRT_RESOURCE: return "NRT_RESOURCE";
    case NRT_TIMEOUT: return "NRT_TIMEOUT";
    case NRT_HW_ERROR: return "NRT_HW_ERROR";
    case NRT_QUEUE_FULL: return "NRT_QUEUE_FULL";
    case NRT_LOAD_NOT_ENOUGH_NC: return "NRT_LOAD_NOT_ENOUGH_NC";
    case NRT_UNSUPPORTED_NEFF_VERSION: return "NRT_UNSUPPORTED_NEFF_VERSION";
    case NRT_FAIL_HOST_MEM_ALLOC: return "NRT_FAIL_HOST_MEM_ALLOC";
    case NRT_UNINITIALIZED: return "NRT_UNINITIALIZED";
    case NRT_CLOSED: return "NRT_CLOSED";
    case NRT_QUEUE_EMPTY: return "NRT_QUEUE_EMPTY";
    case NRT_EXEC_UNIT_UNRECOVERABLE: return "NRT_EXEC_UNIT_UNRECOVERABLE";
    case NRT_EXEC_BAD_INPUT: return "NRT_EXEC_BAD_INPUT";
    case NRT_EXEC_COMPLETED_WITH_NUM_ERR: return "NRT_EXEC_COMPLETED_WITH_NUM_ERR";
    case NRT_EXEC_COMPLETED_WITH_ERR: return "NRT_EXEC_COMPLETED_WITH_ERR";
    case NRT_EXEC_NC_BUSY: return "NRT_EXEC_NC_BUSY";
    case NRT_EXEC_OOB: return "NRT_EXEC_OOB";
    case NRT_COLL_PENDING: return "NRT_COLL_PENDING";
    case NRT_EXEC_HW_ERR_COLLECTIVES: return "NRT_EXEC_HW_ERR_COLLECTIVES";
    case NRT_EXEC_HW_ERR_HBM_UE: return "NRT_EXEC_HW_ERR_HBM_UE";
    case NRT_EXEC_HW_ERR_NC_UE: return "NRT_EXEC_HW_ERR_NC_UE";
    case NRT_EXEC_HW_ERR_DMA_ABORT: return "NRT_EXEC_HW_ERR_DMA_ABORT";
    case NRT_EXEC_SW_NQ_OVERFLOW: return "NRT_EXEC_SW_NQ_OVERFLOW";
    case NRT_EXEC_HW_ERR_REPAIRABLE_HBM_UE: return "NRT_EXEC_HW_ERR_REPAIRABLE_HBM_UE";
    case NRT_NETWORK_PROXY_FAILURE: return "NRT_NETWORK_PROXY_FAILURE";
    default: return "UNKNOWN";
    }
}

#if RELEASE >= 34
const char *nrt_get_status_as_str(NRT_STATUS status) {
    return status_name(status);
}
#endif

/* ---- instance */

struct name {
    const char *text;
    uint32_t code;
};

/* A family without its own number has the number of its generation. */
static const struct name FAMILIES[] = {
    {"inf1", 1}, {"trn1n", 3}, {"trn1", 2}, {"inf2e", 7}, {"inf2", 4}, {"trn2n", 6}, {"trn2p", 8}, {"trn2u", 9},
    {"trn2e", 10}, {"trn2", 5}, {"trn3pd98", 15}, {"trn3e", 14}, {"trn3p", 14}, {"trn3", 14},
};

static const struct name SIZES[] = {
    {"xlarge", 0}, {"2xlarge", 1}, {"4xlarge", 2}, {"6xlarge", 3}, {"8xlarge", 4}, {"24xlarge", 5}, {"32xlarge", 6},
    {"48xlarge", 7}, {"3xlarge", 8},
};

#define SIZE_UNKNOWN 9

static bool ask_instance(nrt_instance_info_t *found) {
    struct host host;
    if (!host_open(&host)) {
        return false;
    }
    struct answer answer = host_ask(&host, "nrt instance");
    host_close(&host);
    char type[64] = "";
    bool understood = answer.ok && sscanf(answer.text, "%63s %15s", type, found->arch_name) == 2;
    free(answer.text);
    for (size_t i = 0; understood && i < sizeof FAMILIES / sizeof *FAMILIES; i++) {
        size_t length = strlen(FAMILIES[i].text);
        if (strncmp(type, FAMILIES[i].text, length) == 0 && type[length] == '.') {
            found->family = FAMILIES[i].code;
        }
    }
    const char *dot = strchr(type, '.');
    for (size_t i = 0; dot != NULL && i < sizeof SIZES / sizeof *SIZES; i++) {
        if (strcmp(dot + 1, SIZES[i].text) == 0) {
            found->size = SIZES[i].code;
        }
    }
    return understood;
}

/* Callable in every state, also before nrt_init and after nrt_close. The first answer is cached. */
NRT_STATUS nrt_get_instance_info(nrt_instance_info_t *info, size_t instance_info_len) {
    static _Atomic bool known;
    static nrt_instance_info_t cached;
    if (info == NULL || instance_info_len == 0) {
        return NRT_INVALID;
    }
    if (!known) {
        nrt_instance_info_t found = {.size = SIZE_UNKNOWN};
        if (!ask_instance(&found)) {
            log_write(LOG_ERROR, "nrt_get_instance_info", "No neuron device available");
            return NRT_INVALID;
        }
        /* Two threads that query at the same time write the same value. */
        cached = found;
        known = true;
    }
    memcpy(info, &cached, instance_info_len < sizeof cached ? instance_info_len : sizeof cached);
    return NRT_SUCCESS;
}

/* ---- counts, all of logical cores: the names with nc are older names of the calls with vnc */

static NRT_STATUS count(uint32_t *target, size_t member) {
    struct visible visible = {0};
    if (target == NULL) {
        return runtime_forked() ? NRT_FAILURE : NRT_INVALID;
    }
    NRT_STATUS status = runtime_visible(&visible);
    if (status == NRT_SUCCESS) {
        memcpy(target, (const char *)&visible + member, sizeof *target);
    }
    return status;
}

NRT_STATUS nrt_get_total_vnc_count(uint32_t *target) {
    return count(target, offsetof(struct visible, total));
}

NRT_STATUS nrt_get_total_nc_count(uint32_t *target) {
    return nrt_get_total_vnc_count(target);
}

NRT_STATUS nrt_get_visible_vnc_count(uint32_t *target) {
    /* The list of taken cores survives a fork. */
    if (runtime_forked() && target != NULL && runtime_cached_count(target)) {
        return NRT_SUCCESS;
    }
    return count(target, offsetof(struct visible, visible));
}

NRT_STATUS nrt_get_visible_nc_count(uint32_t *target) {
    return nrt_get_visible_vnc_count(target);
}

/* ---- memory */

NRT_STATUS nrt_get_vnc_memory_stats(
        uint32_t vnc, nrt_vnc_memory_stats_t *stats, size_t stats_size_in, size_t *stats_size_out) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    if (vnc >= runtime->core_count || stats == NULL || stats_size_in == 0) {
        status = NRT_INVALID;
    } else {
        nrt_vnc_memory_stats_t now = {runtime->cores[vnc].memory_used, runtime->memory_limit};
        size_t size = stats_size_in < sizeof now ? stats_size_in : sizeof now;
        memcpy(stats, &now, size);
        if (stats_size_out != NULL) {
            *stats_size_out = size;
        }
    }
    runtime_leave();
    return status;
}

NRT_STATUS nrt_host_device_id_get(int neuron_dev, uint32_t *host_device_id) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    runtime_leave();
    if (neuron_dev < 0 || host_device_id == NULL) {
        return NRT_INVALID;
    }
    /* The numbers are equal because there is no container. */
    *host_device_id = (uint32_t)neuron_dev;
    return NRT_SUCCESS;
}

/* Maps each device to its own number, which is also its routing number here. */
NRT_STATUS nrt_host_device_id_rid_map_get(uint32_t *count, uint32_t *host_did_to_rid_map) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    uint32_t devices = runtime->device_count;
    runtime_leave();
    if (count == NULL || host_did_to_rid_map == NULL || *count < devices) {
        return NRT_INVALID;
    }
    for (uint32_t i = 0; i < devices; i++) {
        host_did_to_rid_map[i] = i;
    }
    *count = devices;
    return NRT_SUCCESS;
}

/* Checks and ignores the images, because no execution needs them. */
NRT_STATUS nrt_set_pool_eng_ucode(const nrt_ucode_info *ucode_info) {
    struct runtime *runtime;
    if (runtime_forked()) {
        return NRT_FAILURE;
    }
    if (runtime_enter(&runtime) == NRT_SUCCESS) {
        runtime_leave();
        contract_broken(CONTRACT_UCODE, "nrt_set_pool_eng_ucode was called after nrt_init");
        log_write(LOG_ERROR, "nrt_set_pool_eng_ucode", "the images are loaded by nrt_init, which has been called");
        return NRT_INVALID;
    }
    bool whole = ucode_info != NULL && ucode_info->iram.bin != NULL && ucode_info->iram.size > 0
            && ucode_info->dram.bin != NULL && ucode_info->dram.size > 0;
    return whole ? NRT_SUCCESS : NRT_INVALID;
}
