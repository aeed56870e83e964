#include "internal.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_NAME 256

static struct set_entry *find(const struct tensor_set *set, const char *name) {
    struct set_entry *entry = set->first;
    while (entry != NULL && strcmp(entry->name, name) != 0) {
        entry = entry->next;
    }
    return entry;
}

struct nrt_tensor *tensor_set_find(const struct tensor_set *set, const char *name) {
    struct set_entry *entry = find(set, name);
    return entry == NULL ? NULL : entry->tensor;
}

static void delete_set(struct tensor_set *set) {
    for (struct set_entry *entry = set->first; entry != NULL;) {
        struct set_entry *next = entry->next;
        free(entry);
        entry = next;
    }
    free(set);
}

static void release_sets(struct runtime *runtime) {
    (void)runtime;
    for (struct tensor_set *left; (left = handle_take_any(HANDLE_SET)) != NULL;) {
        delete_set(left);
    }
}

__attribute__((constructor)) static void register_part(void) {
    runtime_register(PART_TENSOR_SETS, (struct part){.release = release_sets});
}

static bool holds(const void *set, const void *tensor) {
    const struct set_entry *entry = ((const struct tensor_set *)set)->first;
    while (entry != NULL && entry->tensor != tensor) {
        entry = entry->next;
    }
    return entry != NULL;
}

bool tensor_sets_hold(const struct nrt_tensor *tensor) {
    return handle_any(HANDLE_SET, holds, tensor);
}

NRT_STATUS nrt_allocate_tensor_set(nrt_tensor_set_t **result) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    struct tensor_set *set = result == NULL ? NULL : calloc(1, sizeof *set);
    if (result == NULL) {
        status = NRT_INVALID;
    } else if (set == NULL || !handle_add(set, HANDLE_SET)) {
        free(set);
        status = NRT_RESOURCE;
    } else {
        *result = set;
    }
    runtime_leave();
    return status;
}

void nrt_destroy_tensor_set(nrt_tensor_set_t **tensor_set) {
    struct runtime *runtime;
    if (tensor_set == NULL || *tensor_set == NULL) {
        return;
    }
    if (runtime_enter(&runtime) == NRT_SUCCESS) {
        if (handle_remove(*tensor_set, HANDLE_SET)) {
            delete_set(*tensor_set);
        }
        runtime_leave();
    }
    *tensor_set = NULL;
}

static NRT_STATUS add(struct tensor_set *set, const char *name, nrt_tensor_t *tensor) {
    if (!handle_is(set, HANDLE_SET) || !handle_is(tensor, HANDLE_TENSOR)) {
        return NRT_INVALID_HANDLE;
    }
    if (name == NULL || *name == '\0' || strnlen(name, LONGEST_NAME) == LONGEST_NAME) {
        return NRT_INVALID;
    }
    struct set_entry *entry = find(set, name);
    if (entry != NULL) {
        entry->tensor = tensor;
        return NRT_SUCCESS;
    }
    size_t length = strlen(name) + 1;
    entry = malloc(sizeof *entry + length);
    if (entry == NULL) {
        return NRT_RESOURCE;
    }
    entry->tensor = tensor;
    memcpy(entry->name, name, length);
    entry->next = set->first;
    set->first = entry;
    return NRT_SUCCESS;
}

NRT_STATUS nrt_add_tensor_to_tensor_set(nrt_tensor_set_t *set, const char *tensor_name, nrt_tensor_t *tensor) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status == NRT_SUCCESS) {
        status = add(set, tensor_name, tensor);
        runtime_leave();
    }
    return status;
}

NRT_STATUS nrt_get_tensor_from_tensor_set(nrt_tensor_set_t *set, const char *tensor_name, nrt_tensor_t **tensor) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    if (!handle_is(set, HANDLE_SET)) {
        status = NRT_INVALID_HANDLE;
    } else if (tensor_name == NULL || tensor == NULL) {
        status = NRT_INVALID;
    } else {
        struct nrt_tensor *found = tensor_set_find(set, tensor_name);
        status = found == NULL ? NRT_FAILURE : NRT_SUCCESS;
        if (found != NULL) {
            *tensor = found;
        }
    }
    runtime_leave();
    return status;
}
