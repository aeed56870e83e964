/* Required for mmap without reserved memory, and strdup. */
#define _GNU_SOURCE
#include "internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096
/* Minimum size in bytes of mapped tensors, which use memory only where they are written. */
#define MAPPED_FROM (128 * 1024)
#define FIRST_ADDRESS 0x100000000u
#define COMPLETION_POLL_NANOSECONDS 200000
#define COMPLETION_WARNING_MICROSECONDS 30000000
/* The core number of host memory without a core. */
#define NO_CORE (-1)

unsigned char *tensor_bytes(const struct nrt_tensor *tensor) {
    return tensor->storage == NULL ? NULL : tensor->storage->bytes + tensor->offset;
}

static bool fits(const struct nrt_tensor *tensor, size_t offset, size_t size) {
    return tensor->storage != NULL && offset <= tensor->size && size <= tensor->size - offset;
}

/* ---- bytes, shared by slices */

static struct storage *storage_new(size_t size) {
    struct storage *storage = calloc(1, sizeof *storage);
    if (storage == NULL) {
        return NULL;
    }
    storage->references = 1;
    storage->size = size;
    storage->owned = true;
    storage->mapped = size >= MAPPED_FROM;
    if (storage->mapped) {
        void *map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        storage->bytes = map == MAP_FAILED ? NULL : map;
    } else {
        storage->bytes = calloc(1, size);
    }
    if (storage->bytes == NULL) {
        free(storage);
        return NULL;
    }
    return storage;
}

static void storage_delete(struct storage *storage) {
    if (storage->owned && storage->mapped) {
        munmap(storage->bytes, storage->size);
    } else if (storage->owned) {
        free(storage->bytes);
    }
    free(storage);
}

static NRT_STATUS count_storage(struct runtime *runtime, struct storage *storage) {
    struct logical_core *core = &runtime->cores[storage->vnc];
    bool device = storage->placement == NRT_TENSOR_PLACEMENT_DEVICE;
    if (device) {
        storage->counted = (storage->size + PAGE - 1) / PAGE * PAGE;
        size_t before = atomic_fetch_add(&core->memory_used, storage->counted);
        if (before > runtime->memory_limit || storage->counted > runtime->memory_limit - before) {
            atomic_fetch_sub(&core->memory_used, storage->counted);
            log_write(LOG_ERROR, "dmem_alloc_internal", "Failed to alloc DEVICE memory: %zu", storage->size);
            return NRT_RESOURCE;
        }
    }
    struct answer answer = host_ask(&runtime->host, "nrt alloc %s %d %s %zu", runtime->process, storage->vnc,
            device ? "device" : "host", storage->size);
    bool counted = answer.ok && sscanf(answer.text, "%" SCNu64, &storage->allocation) == 1;
    if (!counted) {
        log_write(LOG_ERROR, "nrt_tensor_allocate", "%s", answer.text);
        atomic_fetch_sub(&core->memory_used, storage->counted);
    }
    free(answer.text);
    return counted ? NRT_SUCCESS : NRT_FAILURE;
}

static void release_storage(struct runtime *runtime, struct storage *storage, bool tell_host) {
    if (storage == NULL || atomic_fetch_sub(&storage->references, 1) > 1) {
        return;
    }
    if (storage->allocation != 0) {
        atomic_fetch_sub(&runtime->cores[storage->vnc].memory_used, storage->counted);
        if (tell_host) {
            struct answer answer =
                    host_ask(&runtime->host, "nrt free %s %" PRIu64, runtime->process, storage->allocation);
            if (!answer.ok) {
                log_write(LOG_WARNING, "nrt_tensor_free", "%s", answer.text);
            }
            free(answer.text);
        }
    }
    storage_delete(storage);
}

/* ---- tensors */

static NRT_STATUS publish(struct storage *storage, size_t offset, size_t size, const char *name,
        struct nrt_tensor **result) {
    struct nrt_tensor *tensor = calloc(1, sizeof *tensor);
    char *copy = strdup(name == NULL ? "" : name);
    if (tensor != NULL && copy != NULL && handle_add(tensor, HANDLE_TENSOR)) {
        *tensor = (struct nrt_tensor){.storage = storage, .offset = offset, .size = size, .name = copy};
        *result = tensor;
        return NRT_SUCCESS;
    }
    free(copy);
    free(tensor);
    return NRT_RESOURCE;
}

static void delete_tensor(struct runtime *runtime, struct nrt_tensor *tensor, bool tell_host) {
    release_storage(runtime, tensor->storage, tell_host);
    free(tensor->name);
    free(tensor);
}

static void release_tensors(struct runtime *runtime) {
    for (struct nrt_tensor *left; (left = handle_take_any(HANDLE_TENSOR)) != NULL;) {
        delete_tensor(runtime, left, false);
    }
}

__attribute__((constructor)) static void register_part(void) {
    runtime_register(PART_TENSORS, (struct part){.release = release_tensors});
}

/* Begins a public call with an open runtime and one of its tensors. */
static NRT_STATUS enter(const nrt_tensor_t *tensor, struct runtime **runtime) {
    NRT_STATUS status = runtime_enter(runtime);
    if (status == NRT_SUCCESS && !handle_is(tensor, HANDLE_TENSOR)) {
        runtime_leave();
        return tensor == NULL ? NRT_INVALID : NRT_INVALID_HANDLE;
    }
    return status;
}

static NRT_STATUS leave(NRT_STATUS status) {
    runtime_leave();
    return status;
}

static NRT_STATUS allocate(struct runtime *runtime, nrt_tensor_placement_t placement, int vnc, size_t size,
        const char *name, nrt_tensor_t **tensor) {
    bool host = placement == NRT_TENSOR_PLACEMENT_HOST;
    bool known = host || placement == NRT_TENSOR_PLACEMENT_DEVICE;
    if (tensor == NULL || !known || vnc < (host ? NO_CORE : 0) || vnc >= (int64_t)runtime->core_count || size == 0
            || size > INT64_MAX - PAGE) {
        return NRT_INVALID;
    }
    struct storage *storage = storage_new(size);
    if (storage == NULL) {
        return NRT_RESOURCE;
    }
    /* The host counts its own memory by device. Memory without a core is counted on the device of the first core. */
    storage->vnc = vnc == NO_CORE ? 0 : vnc;
    storage->placement = placement;
    NRT_STATUS status = count_storage(runtime, storage);
    if (status != NRT_SUCCESS) {
        storage_delete(storage);
        return status;
    }
    status = publish(storage, 0, size, name, tensor);
    if (status != NRT_SUCCESS) {
        release_storage(runtime, storage, true);
    }
    return status;
}

NRT_STATUS nrt_tensor_allocate(
        nrt_tensor_placement_t placement, int vnc, size_t size, const char *name, nrt_tensor_t **tensor) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    return status != NRT_SUCCESS ? status : leave(allocate(runtime, placement, vnc, size, name, tensor));
}

NRT_STATUS nrt_tensor_allocate_empty(const char *name, nrt_tensor_t **tensor) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    return leave(tensor == NULL ? NRT_INVALID : publish(NULL, 0, 0, name, tensor));
}

NRT_STATUS nrt_tensor_attach_buffer(nrt_tensor_t *tensor, void *buffer, size_t size) {
    struct runtime *runtime;
    NRT_STATUS status = enter(tensor, &runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    if (buffer == NULL || size == 0) {
        return leave(NRT_INVALID);
    }
    struct storage *storage = calloc(1, sizeof *storage);
    if (storage == NULL) {
        return leave(NRT_RESOURCE);
    }
    *storage = (struct storage){
            .references = 1, .bytes = buffer, .size = size, .vnc = -1, .placement = NRT_TENSOR_PLACEMENT_HOST};
    release_storage(runtime, tensor->storage, true);
    tensor->storage = storage;
    tensor->offset = 0;
    tensor->size = size;
    return leave(NRT_SUCCESS);
}

NRT_STATUS nrt_tensor_allocate_slice(
        const nrt_tensor_t *source, size_t offset, size_t size, const char *name, nrt_tensor_t **slice) {
    struct runtime *runtime;
    NRT_STATUS status = enter(source, &runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    if (slice == NULL || size == 0 || !fits(source, offset, size)) {
        return leave(NRT_INVALID);
    }
    atomic_fetch_add(&source->storage->references, 1);
    status = publish(source->storage, source->offset + offset, size, name, slice);
    if (status != NRT_SUCCESS) {
        release_storage(runtime, source->storage, true);
    }
    return leave(status);
}

void nrt_tensor_free(nrt_tensor_t **tensor) {
    struct runtime *runtime;
    if (tensor == NULL || *tensor == NULL) {
        return;
    }
    /* After nrt_close the tensor no longer exists. */
    if (runtime_enter(&runtime) == NRT_SUCCESS) {
        if (strict() && handle_is(*tensor, HANDLE_TENSOR) && tensor_sets_hold(*tensor)) {
            contract_broken(CONTRACT_TENSOR_IN_SET, "tensor %p \"%s\" is freed before its tensor set is destroyed", (void *)*tensor,
                    (*tensor)->name);
        }
        if (handle_remove(*tensor, HANDLE_TENSOR)) {
            delete_tensor(runtime, *tensor, true);
        }
        runtime_leave();
    }
    *tensor = NULL;
}

/* ---- content */

NRT_STATUS nrt_tensor_read(const nrt_tensor_t *tensor, void *buffer, size_t offset, size_t size) {
    struct runtime *runtime;
    NRT_STATUS status = enter(tensor, &runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    if (!fits(tensor, offset, size) || (buffer == NULL && size > 0)) {
        return leave(NRT_INVALID);
    }
    memcpy(buffer, tensor_bytes(tensor) + offset, size);
    return leave(NRT_SUCCESS);
}

NRT_STATUS nrt_tensor_write(nrt_tensor_t *tensor, const void *buffer, size_t offset, size_t size) {
    struct runtime *runtime;
    NRT_STATUS status = enter(tensor, &runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    if (!fits(tensor, offset, size) || (buffer == NULL && size > 0)) {
        return leave(NRT_INVALID);
    }
    memcpy(tensor_bytes(tensor) + offset, buffer, size);
    return leave(NRT_SUCCESS);
}

NRT_STATUS nrt_tensor_read_batch(const nrt_tensor_batch_t *batches, uint64_t count, bool unsafe) {
    (void)unsafe;
    NRT_STATUS status = batches == NULL && count > 0 ? NRT_INVALID : NRT_SUCCESS;
    for (uint64_t i = 0; i < count && status == NRT_SUCCESS; i++) {
        for (uint32_t j = 0; j < batches[i].num_ops && status == NRT_SUCCESS; j++) {
            const nrt_tensor_batch_op_t *each = &batches[i].ops[j];
            status = nrt_tensor_read(batches[i].tensor, each->buffer, each->offset, each->size);
        }
    }
    return status;
}

NRT_STATUS nrt_tensor_write_batch(const nrt_tensor_batch_t *batches, uint64_t count, bool unsafe) {
    (void)unsafe;
    NRT_STATUS status = batches == NULL && count > 0 ? NRT_INVALID : NRT_SUCCESS;
    for (uint64_t i = 0; i < count && status == NRT_SUCCESS; i++) {
        for (uint32_t j = 0; j < batches[i].num_ops && status == NRT_SUCCESS; j++) {
            const nrt_tensor_batch_op_t *each = &batches[i].ops[j];
            status = nrt_tensor_write(
                    (nrt_tensor_t *)(uintptr_t)batches[i].tensor, each->buffer, each->offset, each->size);
        }
    }
    return status;
}

NRT_STATUS nrt_tensor_copy(
        const nrt_tensor_t *source, size_t source_offset, nrt_tensor_t *target, size_t target_offset, size_t size) {
    struct runtime *runtime;
    NRT_STATUS status = enter(source, &runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    if (!handle_is(target, HANDLE_TENSOR)) {
        return leave(NRT_INVALID_HANDLE);
    }
    if (!fits(source, source_offset, size) || !fits(target, target_offset, size)) {
        return leave(NRT_INVALID);
    }
    bool devices = source->storage->placement == NRT_TENSOR_PLACEMENT_DEVICE
            && target->storage->placement == NRT_TENSOR_PLACEMENT_DEVICE;
    if (devices && source->storage->vnc != target->storage->vnc) {
        return leave(NRT_INVALID);
    }
    memmove(tensor_bytes(target) + target_offset, tensor_bytes(source) + source_offset, size);
    return leave(NRT_SUCCESS);
}

NRT_STATUS nrt_tensor_memset(nrt_tensor_t *tensor, uint64_t offset, int value, size_t size) {
    struct runtime *runtime;
    NRT_STATUS status = enter(tensor, &runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    if (!fits(tensor, offset, size)) {
        return leave(NRT_INVALID);
    }
    memset(tensor_bytes(tensor) + offset, value, size);
    return leave(NRT_SUCCESS);
}

size_t nrt_tensor_get_size(const nrt_tensor_t *tensor) {
    struct runtime *runtime;
    if (enter(tensor, &runtime) != NRT_SUCCESS) {
        return 0;
    }
    size_t size = tensor->size;
    runtime_leave();
    return size;
}

void *nrt_tensor_get_va(const nrt_tensor_t *tensor) {
    struct runtime *runtime;
    if (enter(tensor, &runtime) != NRT_SUCCESS) {
        return NULL;
    }
    void *address = tensor_bytes(tensor);
    runtime_leave();
    return address;
}

NRT_STATUS nrt_tensor_get_device_allocation_info(
        const nrt_tensor_t *tensor, nrt_tensor_device_allocation_info_t *info) {
    struct runtime *runtime;
    NRT_STATUS status = enter(tensor, &runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    bool device = tensor->storage != NULL && tensor->storage->placement == NRT_TENSOR_PLACEMENT_DEVICE;
    if (!device || info == NULL) {
        return leave(NRT_INVALID);
    }
    /* Numbers of this library, without overlapping allocations. */
    *info = (nrt_tensor_device_allocation_info_t){
            .physical_address = FIRST_ADDRESS + (uint64_t)(uintptr_t)tensor_bytes(tensor),
            .size = tensor->size,
            .hbm_index = tensor->storage->vnc};
    return leave(NRT_SUCCESS);
}

/* ---- completion */

static int64_t microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

NRT_STATUS nrt_tensor_check_output_completion(
        const nrt_tensor_t *output, int64_t timeout_us, uint64_t expected_count) {
    int64_t begin = microseconds();
    bool warned = timeout_us >= 0;
    while (true) {
        struct runtime *runtime;
        NRT_STATUS status = enter(output, &runtime);
        if (status != NRT_SUCCESS) {
            return status;
        }
        bool complete = output->completions >= expected_count;
        runtime_leave();
        if (complete) {
            return NRT_SUCCESS;
        }
        if (timeout_us >= 0 && microseconds() - begin >= timeout_us) {
            return NRT_TIMEOUT;
        }
        if (!warned && microseconds() - begin >= COMPLETION_WARNING_MICROSECONDS) {
            warned = true;
            log_write(LOG_WARNING, "nrt_tensor_check_output_completion", "an output is not complete after 30 seconds");
        }
        nanosleep(&(struct timespec){0, COMPLETION_POLL_NANOSECONDS}, NULL);
    }
}

NRT_STATUS nrt_tensor_reset_output_completion(nrt_tensor_t *output) {
    struct runtime *runtime;
    NRT_STATUS status = enter(output, &runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    output->completions = 0;
    return leave(NRT_SUCCESS);
}
