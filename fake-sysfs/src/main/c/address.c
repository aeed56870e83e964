/* Device memory by its address, for transfer libraries. It is memory of this process here, and therefore writable. */
#include "internal.h"

#include <string.h>

static NRT_STATUS state(void) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status == NRT_SUCCESS) {
        runtime_leave();
    }
    return status;
}

struct range {
    const unsigned char *begin;
    size_t size;
};

static bool contains(const void *tensor, const void *wanted) {
    const struct range *range = wanted;
    const unsigned char *bytes = tensor_bytes(tensor);
    const struct storage *storage = ((const struct nrt_tensor *)tensor)->storage;
    size_t size = ((const struct nrt_tensor *)tensor)->size;
    return bytes != NULL && storage->placement == NRT_TENSOR_PLACEMENT_DEVICE && range->begin >= bytes
            && range->size <= size && (size_t)(range->begin - bytes) <= size - range->size;
}

NRT_STATUS nrt_memcpy_to_device(void *target, const void *source, size_t size) {
    NRT_STATUS status = state();
    if (status != NRT_SUCCESS) {
        return status;
    }
    if (size > 0 && (target == NULL || source == NULL)) {
        return NRT_INVALID;
    }
    if (size > 0) {
        struct range range = {target, size};
        if (strict() && !handle_any(HANDLE_TENSOR, contains, &range)) {
            contract_broken(CONTRACT_DEVICE_COPY, "the %zu bytes from %p on are not in a device tensor", size, target);
        }
        memmove(target, source, size);
    }
    return NRT_SUCCESS;
}

/* Fails, because there is no kernel driver that could export the memory. */
NRT_STATUS nrt_get_dmabuf_fd(uint64_t va, uint64_t size, int *fd) {
    NRT_STATUS status = state();
    (void)va;
    (void)size;
    if (status == NRT_SUCCESS) {
        log_write(LOG_INFO, "nrt_get_dmabuf_fd", "this stand-in exports no memory");
        status = fd == NULL ? NRT_INVALID : NRT_FAILURE;
    }
    return status;
}

/* Returns NRT_INVALID, which also means that the call is not supported. */
NRT_STATUS nrt_get_hbm_mmap_va(int device_id, int hbm_index, void **address, size_t *size) {
    NRT_STATUS status = state();
    (void)device_id;
    (void)hbm_index;
    (void)address;
    (void)size;
    return status == NRT_SUCCESS ? NRT_INVALID : status;
}

/* Fails, because no device has an attached network adapter. */
NRT_STATUS nrt_get_attached_efa_bdf(const void *va, char *efa_bdf, size_t *length) {
    NRT_STATUS status = state();
    if (status == NRT_SUCCESS) {
        status = va == NULL || efa_bdf == NULL || length == NULL ? NRT_INVALID : NRT_FAILURE;
    }
    return status;
}
