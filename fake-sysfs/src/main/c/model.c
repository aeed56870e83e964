#define _GNU_SOURCE
#include "internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_NAME 255

static void delete_model(struct nrt_model *model) {
    for (size_t i = 0; i < model->tensor_count; i++) {
        free(model->tensors[i].name);
    }
    free(model->tensors);
    free(model);
}

static void uncount(struct runtime *runtime, struct nrt_model *model) {
    for (uint32_t i = 0; i < model->vnc_count; i++) {
        atomic_fetch_sub(&runtime->cores[model->vnc + i].memory_used, model->code);
    }
}

static void release_models(struct runtime *runtime) {
    for (struct nrt_model *left; (left = handle_take_any(HANDLE_MODEL)) != NULL;) {
        uncount(runtime, left);
        delete_model(left);
    }
}

__attribute__((constructor)) static void register_part(void) {
    runtime_register(PART_MODELS, (struct part){.release = release_models});
}

/* ---- the host's description of a model, as words */

static bool next_number(char **words, uint64_t *number) {
    char *word = strsep(words, " ");
    char *end;
    if (word == NULL || *word == '\0') {
        return false;
    }
    *number = strtoull(word, &end, 10);
    return *end == '\0';
}

/* Decodes percent signs with two digits. They encode bytes that would separate words or lines. */
static char *unescaped(const char *word) {
    char *text = malloc(strlen(word) + 1);
    char *to = text;
    for (; text != NULL && *word != '\0'; word++) {
        unsigned code;
        if (*word == '%' && sscanf(word + 1, "%2x", &code) == 1) {
            *to++ = (char)code;
            word += 2;
        } else {
            *to++ = *word;
        }
    }
    if (text != NULL) {
        *to = '\0';
    }
    return text;
}

static bool parse_tensor(char **words, struct model_tensor *tensor) {
    char *usage = strsep(words, " ");
    uint64_t size;
    uint64_t dtype;
    uint64_t dimensions;
    if (usage == NULL || !next_number(words, &size) || !next_number(words, &dtype)
            || !next_number(words, &dimensions) || dimensions > 8) {
        return false;
    }
    tensor->usage = *usage == 'i' ? NRT_TENSOR_USAGE_INPUT : NRT_TENSOR_USAGE_OUTPUT;
    tensor->size = size;
    tensor->dtype = (nrt_dtype_t)dtype;
    tensor->dimensions = (uint32_t)dimensions;
    for (uint32_t i = 0; i < dimensions; i++) {
        uint64_t dimension;
        if (!next_number(words, &dimension)) {
            return false;
        }
        tensor->shape[i] = (uint32_t)dimension;
    }
    char *name = strsep(words, " ");
    tensor->name = name == NULL ? NULL : unescaped(name);
    return tensor->name != NULL;
}

static bool parse_model(char *words, struct nrt_model *model) {
    uint64_t code;
    uint64_t declared;
    uint64_t count;
    if (!next_number(&words, &model->id) || !next_number(&words, &code) || !next_number(&words, &declared)
            || !next_number(&words, &count)) {
        return false;
    }
    model->code = code;
    model->declared = declared == 1;
    model->tensors = calloc(count + 1, sizeof *model->tensors);
    if (model->tensors == NULL) {
        return false;
    }
    while (model->tensor_count < count) {
        if (!parse_tensor(&words, &model->tensors[model->tensor_count])) {
            return false;
        }
        model->tensor_count++;
    }
    return true;
}

/* ---- load and unload */

static NRT_STATUS ask_to_load(struct runtime *runtime, struct nrt_model *model, uint32_t workers, const char *file) {
    struct answer answer = host_ask(&runtime->host, "nrt load %s %u %u %u %s", runtime->process, model->vnc,
            model->vnc_count, workers, file);
    char *words = answer.text;
    uint64_t status = NRT_FAILURE;
    if (!answer.ok || !next_number(&words, &status)) {
        log_write(LOG_ERROR, "nrt_load", "%s", answer.text);
        status = NRT_FAILURE;
    } else if (status != NRT_SUCCESS) {
        log_write(LOG_ERROR, "nrt_load", "%s", words == NULL ? "" : words);
    } else if (words == NULL || !parse_model(words, model)) {
        log_write(LOG_ERROR, "nrt_load", "the host's description of the model is damaged");
        status = NRT_FAILURE;
    }
    free(answer.text);
    return (NRT_STATUS)status;
}

static NRT_STATUS load(struct runtime *runtime, const void *bytes, size_t size, int32_t vnc, int32_t vnc_count,
        uint32_t workers, nrt_model_t **result) {
    if (bytes == NULL || size == 0 || result == NULL || vnc < -1 || vnc >= (int32_t)runtime->core_count) {
        log_write(LOG_ERROR, "nrt_load", "no NEFF, or no logical core %d among %u", vnc, runtime->core_count);
        return NRT_INVALID;
    }
    uint32_t first = vnc >= 0 ? (uint32_t)vnc : runtime->next_core++ % runtime->core_count;
    uint32_t count = vnc_count < 1 ? 1 : (uint32_t)vnc_count;
    if (count > runtime->core_count - first) {
        log_write(LOG_ERROR, "nrt_load", "Not enough Neuron Cores: %u needed from logical core %u on, %u visible",
                count, first, runtime->core_count);
        return NRT_LOAD_NOT_ENOUGH_NC;
    }
    char file[64];
    if (!exchange_put(&runtime->host, file, bytes, size)) {
        log_write(LOG_ERROR, "nrt_load", "%zu bytes of NEFF could not be handed to the host", size);
        return NRT_RESOURCE;
    }
    struct nrt_model *model = calloc(1, sizeof *model);
    if (model == NULL) {
        return NRT_RESOURCE;
    }
    model->vnc = first;
    model->vnc_count = count;
    NRT_STATUS status = ask_to_load(runtime, model, workers, file);
    if (status == NRT_SUCCESS && !handle_add(model, HANDLE_MODEL)) {
        status = NRT_RESOURCE;
    }
    if (status != NRT_SUCCESS) {
        delete_model(model);
        return status;
    }
    for (uint32_t i = 0; i < count; i++) {
        atomic_fetch_add(&runtime->cores[first + i].memory_used, model->code);
    }
    *result = model;
    return NRT_SUCCESS;
}

NRT_STATUS nrt_load(const void *neff_bytes, size_t size, int32_t vnc, int32_t vnc_count, nrt_model_t **model) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status == NRT_SUCCESS) {
        status = load(runtime, neff_bytes, size, vnc, vnc_count, 1, model);
        runtime_leave();
    }
    return status;
}

NRT_STATUS nrt_load_collectives(const void *neff_bytes, size_t size, int32_t vnc, int32_t vnc_count,
        uint32_t ctx_device_id, uint32_t ctx_device_count, nrt_model_t **model) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    if (ctx_device_id >= ctx_device_count) {
        log_write(LOG_ERROR, "nrt_load_collectives", "no worker %u among %u", ctx_device_id, ctx_device_count);
        status = NRT_INVALID;
    } else {
        status = load(runtime, neff_bytes, size, vnc, vnc_count, ctx_device_count, model);
    }
    runtime_leave();
    return status;
}

NRT_STATUS nrt_unload(nrt_model_t *model) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    if (!handle_remove(model, HANDLE_MODEL)) {
        status = NRT_INVALID_HANDLE;
    } else {
        /* A running execution of the model ends first. */
        pthread_mutex_lock(&runtime->cores[model->vnc].busy);
        struct answer answer = host_ask(&runtime->host, "nrt unload %s %" PRIu64, runtime->process, model->id);
        pthread_mutex_unlock(&runtime->cores[model->vnc].busy);
        if (!answer.ok) {
            log_write(LOG_ERROR, "nrt_unload", "%s", answer.text);
            status = NRT_FAILURE;
        }
        free(answer.text);
        uncount(runtime, model);
        delete_model(model);
    }
    runtime_leave();
    return status;
}

/* ---- properties of a model */

static NRT_STATUS enter(const nrt_model_t *model, struct runtime **runtime) {
    NRT_STATUS status = runtime_enter(runtime);
    if (status == NRT_SUCCESS && !handle_is(model, HANDLE_MODEL)) {
        runtime_leave();
        return NRT_INVALID_HANDLE;
    }
    return status;
}

static NRT_STATUS leave(NRT_STATUS status) {
    runtime_leave();
    return status;
}

NRT_STATUS nrt_get_model_info(const nrt_model_t *model, nrt_model_info_t *info, size_t size_in, size_t *size_out) {
    struct runtime *runtime;
    NRT_STATUS status = enter(model, &runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    if (info == NULL || size_in < sizeof *info) {
        return leave(NRT_INVALID);
    }
    info->vnc = model->vnc;
    if (size_out != NULL) {
        *size_out = sizeof *info;
    }
    return leave(NRT_SUCCESS);
}

NRT_STATUS nrt_get_model_vnc_count(const nrt_model_t *model, uint32_t *vnc_count) {
    struct runtime *runtime;
    NRT_STATUS status = enter(model, &runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    if (vnc_count == NULL) {
        return leave(NRT_INVALID);
    }
    *vnc_count = model->vnc_count;
    return leave(NRT_SUCCESS);
}

NRT_STATUS nrt_get_model_nc_count(const nrt_model_t *model, uint32_t *vnc_count) {
    return nrt_get_model_vnc_count(model, vnc_count);
}

NRT_STATUS nrt_get_model_instance_count(nrt_model_t *model, uint32_t *instance_count) {
    NRT_STATUS status = nrt_get_model_vnc_count(model, instance_count);
    if (status == NRT_SUCCESS) {
        *instance_count = 1;
    }
    return status;
}

NRT_STATUS nrt_get_model_tensor_info(nrt_model_t *model, nrt_tensor_info_array_t **tensor_info) {
    struct runtime *runtime;
    NRT_STATUS status = enter(model, &runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    if (tensor_info == NULL) {
        return leave(NRT_INVALID);
    }
    size_t infos = sizeof(nrt_tensor_info_array_t) + model->tensor_count * sizeof(nrt_tensor_info_t);
    size_t shape_bytes = sizeof model->tensors->shape;
    /* The shapes follow the infos. */
    nrt_tensor_info_array_t *array = calloc(1, infos + model->tensor_count * shape_bytes);
    if (array == NULL || !handle_add(array, HANDLE_TENSOR_INFO)) {
        free(array);
        return leave(NRT_RESOURCE);
    }
    array->tensor_count = model->tensor_count;
    for (size_t i = 0; i < model->tensor_count; i++) {
        const struct model_tensor *tensor = &model->tensors[i];
        nrt_tensor_info_t *info = &array->tensor_array[i];
        snprintf(info->name, sizeof info->name, "%.*s", LONGEST_NAME, tensor->name);
        info->usage = tensor->usage;
        info->size = tensor->size;
        info->dtype = tensor->dtype;
        info->shape = (uint32_t *)(void *)((char *)array + infos + i * shape_bytes);
        info->ndim = tensor->dimensions;
        memcpy(info->shape, tensor->shape, shape_bytes);
    }
    *tensor_info = array;
    return leave(NRT_SUCCESS);
}

/* Callable also after nrt_close. */
NRT_STATUS nrt_free_model_tensor_info(nrt_tensor_info_array_t *tensor_info) {
    if (runtime_forked()) {
        return NRT_FAILURE;
    }
    if (!handle_remove(tensor_info, HANDLE_TENSOR_INFO)) {
        return NRT_INVALID_HANDLE;
    }
    free(tensor_info);
    return NRT_SUCCESS;
}
