#define _GNU_SOURCE
#include "internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define NANOSECONDS 1000000000
/* Duration on the device of an execution without a scripted duration. */
#define USUAL_NANOSECONDS 1000000

/* The host's answer to the begin of an execution. */
struct plan {
    uint64_t id;
    int64_t latency; /* nanoseconds, negative if it never ends */
    int status;
    char events[64];
    char outputs[64];
    char log[64];
};

#define NO_FILE "-"
#define COMPUTE "compute"
/* Prefix for an execution that the host has already counted, because it takes no time and has no effects. */
#define DONE "done "
/* Mark in a length: the bytes are only the beginning of the tensor. */
#define PARTIAL (UINT64_C(1) << 62)

static bool named(const char *file) {
    return strcmp(file, NO_FILE) != 0;
}

/* ---- tensors that do not match the model */

static bool alive(const struct tensor_set *set) {
    for (const struct set_entry *entry = set == NULL ? NULL : set->first; entry != NULL; entry = entry->next) {
        if (!handle_is(entry->tensor, HANDLE_TENSOR)) {
            return false;
        }
    }
    return true;
}

static const struct model_tensor *declared(const nrt_model_t *model, nrt_tensor_usage_t usage, const char *name) {
    for (size_t i = 0; i < model->tensor_count; i++) {
        if (model->tensors[i].usage == usage && strcmp(model->tensors[i].name, name) == 0) {
            return &model->tensors[i];
        }
    }
    return NULL;
}

static bool set_fits(const nrt_model_t *model, const struct tensor_set *set, nrt_tensor_usage_t usage) {
    const char *kind = usage == NRT_TENSOR_USAGE_INPUT ? "input" : "output";
    for (const struct set_entry *entry = set == NULL ? NULL : set->first; entry != NULL; entry = entry->next) {
        const struct model_tensor *wanted = declared(model, usage, entry->name);
        if (wanted == NULL) {
            log_write(LOG_ERROR, "nrt_execute", "the model has no %s \"%s\"", kind, entry->name);
            return false;
        }
        if (wanted->size != entry->tensor->size) {
            log_write(LOG_ERROR, "nrt_execute", "%s \"%s\" has %zu bytes, the model wants %zu", kind, entry->name,
                    entry->tensor->size, wanted->size);
            return false;
        }
    }
    for (size_t i = 0; i < model->tensor_count; i++) {
        const struct model_tensor *each = &model->tensors[i];
        if (each->usage == usage && (set == NULL || tensor_set_find(set, each->name) == NULL)) {
            log_write(LOG_ERROR, "nrt_execute", "%s \"%s\" of %zu bytes is missing", kind, each->name, each->size);
            return false;
        }
    }
    return true;
}

/* ---- tensors to and from the host: length and bytes of the name, length and bytes of the tensor, and so on */

static bool hand_inputs(struct runtime *runtime, const struct tensor_set *set, char file[64]) {
    size_t size = 0;
    for (const struct set_entry *entry = set == NULL ? NULL : set->first; entry != NULL; entry = entry->next) {
        size += 16 + strlen(entry->name) + entry->tensor->size;
    }
    char *content = malloc(size + 1);
    if (content == NULL) {
        return false;
    }
    char *to = content;
    for (const struct set_entry *entry = set == NULL ? NULL : set->first; entry != NULL; entry = entry->next) {
        uint64_t lengths[2] = {strlen(entry->name), entry->tensor->size};
        to = mempcpy(to, &lengths[0], 8);
        to = mempcpy(to, entry->name, lengths[0]);
        to = mempcpy(to, &lengths[1], 8);
        if (lengths[1] > 0) {
            to = mempcpy(to, tensor_bytes(entry->tensor), lengths[1]);
        }
    }
    bool handed = exchange_put(&runtime->host, file, content, size);
    free(content);
    return handed;
}

static void zero_outputs(const struct tensor_set *set) {
    for (const struct set_entry *entry = set == NULL ? NULL : set->first; entry != NULL; entry = entry->next) {
        if (entry->tensor->size > 0 && !entry->tensor->scripted) {
            memset(tensor_bytes(entry->tensor), 0, entry->tensor->size);
        }
        entry->tensor->completions++;
    }
}

/* Writes the outputs that a script names, the others become zeros. A length with the mark PARTIAL is that of the first bytes; the rest
   keeps its content. */
static bool write_outputs(const struct tensor_set *set, const char *content, size_t size) {
    for (const struct set_entry *entry = set == NULL ? NULL : set->first; entry != NULL; entry = entry->next) {
        entry->tensor->scripted = false;
    }
    for (size_t at = 0; at < size;) {
        uint64_t length;
        char name[257];
        if (size - at < 8) {
            return false;
        }
        memcpy(&length, content + at, 8);
        at += 8;
        if (length > sizeof name - 1 || length > size - at) {
            return false;
        }
        memcpy(name, content + at, length);
        name[length] = '\0';
        at += length;
        if (size - at < 8) {
            return false;
        }
        memcpy(&length, content + at, 8);
        at += 8;
        bool partial = (length & PARTIAL) != 0;
        length &= ~PARTIAL;
        if (length > size - at) {
            return false;
        }
        struct nrt_tensor *tensor = set == NULL ? NULL : tensor_set_find(set, name);
        if (tensor == NULL || (partial ? tensor->size < length : tensor->size != length)) {
            log_write(LOG_ERROR, "nrt_execute", "the script writes %" PRIu64 " bytes of output \"%s\", of which the "
                    "set has %zu", length, name, tensor == NULL ? 0 : tensor->size);
            return false;
        }
        if (length > 0) {
            memcpy(tensor_bytes(tensor), content + at, length);
        }
        tensor->scripted = true;
        at += length;
    }
    zero_outputs(set);
    return true;
}

/* ---- a single execution */

static void deliver(struct runtime *runtime, const nrt_model_t *model, const char *file) {
    char *content;
    size_t size;
    if (!exchange_take(&runtime->host, file, &content, &size) || !stream_deliver(runtime, model->vnc, content, size)) {
        log_write(LOG_ERROR, "nrt_execute", "the events of the host are damaged");
    }
}

static bool compute(struct runtime *runtime, struct plan *plan, const struct tensor_set *inputs) {
    char file[64];
    if (!hand_inputs(runtime, inputs, file)) {
        log_write(LOG_ERROR, "nrt_execute", "the inputs could not be handed to the host");
        return false;
    }
    struct answer answer =
            host_ask(&runtime->host, "nrt compute %s %" PRIu64 " %s", runtime->process, plan->id, file);
    bool computed = answer.ok && sscanf(answer.text, "%63s", plan->outputs) == 1;
    if (!computed) {
        log_write(LOG_ERROR, "nrt_execute", "%s", answer.text);
    }
    free(answer.text);
    return computed;
}

static NRT_STATUS wait_for_end(struct runtime *runtime, const struct plan *plan) {
    int64_t most = runtime->timeout_seconds * NANOSECONDS;
    bool late = plan->latency < 0 || plan->latency > most;
    int64_t wait = late ? most : plan->latency;
    struct timespec left = {wait / NANOSECONDS, wait % NANOSECONDS};
    while (wait > 0 && nanosleep(&left, &left) != 0) {
        /* A signal arrived; wait for the rest of the time. */
    }
    if (late && !named(plan->log)) {
        log_write(LOG_ERROR, "nrt_execute", "execution timed out (%" PRId64 " ms)", runtime->timeout_seconds * 1000);
    }
    return late ? NRT_TIMEOUT : (NRT_STATUS)plan->status;
}

/* Returns whether outputs are available at the end. */
static bool completes(NRT_STATUS status) {
    return status == NRT_SUCCESS || status == NRT_EXEC_COMPLETED_WITH_NUM_ERR || status == NRT_EXEC_COMPLETED_WITH_ERR;
}

static NRT_STATUS carry_out(
        struct runtime *runtime, nrt_model_t *model, struct plan *plan, const struct tensor_set *inputs,
        const struct tensor_set *outputs) {
    if (named(plan->events)) {
        deliver(runtime, model, plan->events);
    }
    NRT_STATUS status = wait_for_end(runtime, plan);
    bool compute_wanted = strcmp(plan->outputs, COMPUTE) == 0;
    if (!completes(status)) {
        char *content;
        size_t size;
        if (!compute_wanted && named(plan->outputs) && exchange_take(&runtime->host, plan->outputs, &content, &size)) {
            free(content);
        }
        return status;
    }
    if (compute_wanted && !compute(runtime, plan, inputs)) {
        return NRT_FAILURE;
    }
    char *content = NULL;
    size_t size = 0;
    bool whole = !named(plan->outputs) || exchange_take(&runtime->host, plan->outputs, &content, &size);
    whole = whole && write_outputs(outputs, content, size);
    free(content);
    return whole ? status : NRT_FAILURE;
}

static void print_lines(struct runtime *runtime, const struct plan *plan) {
    char *content;
    size_t size;
    if (!exchange_take(&runtime->host, plan->log, &content, &size)) {
        log_write(LOG_ERROR, "nrt_execute", "the lines of the host are damaged");
        return;
    }
    char *lines = strndup(content, size);
    free(content);
    if (lines != NULL) {
        log_lines(lines, runtime->timeout_seconds * 1000);
        free(lines);
    }
}

/* Logs the lines of a fault, or else a line of this library if the execution failed. */
static NRT_STATUS ended(struct runtime *runtime, const struct plan *plan, NRT_STATUS status) {
    if (plan != NULL && named(plan->log)) {
        print_lines(runtime, plan);
    } else if (status != NRT_SUCCESS) {
        log_write(LOG_ERROR, "nrt_execute", "Execution failed with status %s (%d)", status_name(status),
                (int)status);
    }
    return status;
}

static NRT_STATUS tell_end(
        struct runtime *runtime, const char *verb, uint64_t id, const struct plan *plan, NRT_STATUS status) {
    struct answer answer =
            host_ask(&runtime->host, "nrt %s %s %" PRIu64 " %d", verb, runtime->process, id, (int)status);
    if (answer.ok) {
        status = ended(runtime, plan, status);
    } else {
        log_write(LOG_ERROR, "nrt_execute", "%s", answer.text);
        status = NRT_FAILURE;
    }
    free(answer.text);
    return status;
}

static NRT_STATUS execute_once(struct runtime *runtime, nrt_model_t *model, const struct tensor_set *inputs,
        const struct tensor_set *outputs) {
    if (model->declared
            && (!set_fits(model, inputs, NRT_TENSOR_USAGE_INPUT)
                    || !set_fits(model, outputs, NRT_TENSOR_USAGE_OUTPUT))) {
        return tell_end(runtime, "refused", model->id, NULL, NRT_EXEC_BAD_INPUT);
    }
    uint64_t called = trace_now();
    struct answer answer = host_ask(&runtime->host, "nrt begin %s %" PRIu64, runtime->process, model->id);
    struct plan plan;
    bool done = strncmp(answer.text, DONE, sizeof DONE - 1) == 0;
    bool begun = answer.ok
            && sscanf(answer.text + (done ? sizeof DONE - 1 : 0), "%" SCNu64 " %" SCNd64 " %d %63s %63s %63s", &plan.id, &plan.latency,
                       &plan.status, plan.events, plan.outputs, plan.log)
                    == 6;
    if (!begun) {
        log_write(LOG_ERROR, "nrt_execute", "%s", answer.text);
    }
    free(answer.text);
    if (!begun) {
        return NRT_FAILURE;
    }
    NRT_STATUS status = carry_out(runtime, model, &plan, inputs, outputs);
    status = done ? ended(runtime, &plan, status) : tell_end(runtime, "end", plan.id, &plan, status);
    struct execution execution = {.id = plan.id,
            .vnc = model->vnc,
            .called = called,
            .returned = trace_now(),
            .nanoseconds = plan.latency > 0 ? (uint64_t)plan.latency : USUAL_NANOSECONDS,
            .stopped = status != NRT_TIMEOUT};
    trace_execution(runtime, &execution);
    return status;
}

static NRT_STATUS execute(
        nrt_model_t *model, const nrt_tensor_set_t *inputs, nrt_tensor_set_t *outputs, int repeat_count) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    bool known = handle_is(model, HANDLE_MODEL) && (inputs == NULL || handle_is(inputs, HANDLE_SET))
            && (outputs == NULL || handle_is(outputs, HANDLE_SET));
    if (!known || !alive(inputs) || !alive(outputs)) {
        status = NRT_INVALID_HANDLE;
    } else {
        pthread_mutex_t *busy = &runtime->cores[model->vnc].busy;
        for (int i = 0; i < repeat_count && status == NRT_SUCCESS; i++) {
            pthread_mutex_lock(busy);
            /* The model may have been unloaded while this thread waited. */
            status = handle_is(model, HANDLE_MODEL) ? execute_once(runtime, model, inputs, outputs)
                                                    : NRT_INVALID_HANDLE;
            pthread_mutex_unlock(busy);
        }
    }
    runtime_leave();
    return status;
}

NRT_STATUS nrt_execute(nrt_model_t *model, const nrt_tensor_set_t *inputs, nrt_tensor_set_t *outputs) {
    return execute(model, inputs, outputs, 1);
}

NRT_STATUS nrt_execute_repeat(
        nrt_model_t *model, const nrt_tensor_set_t *inputs, nrt_tensor_set_t *outputs, int repeat_count) {
    return repeat_count < 1 ? NRT_INVALID : execute(model, inputs, outputs, repeat_count);
}

/* ---- executions are synchronous here; therefore nothing is queued and no callback is called */

NRT_STATUS nrt_register_async_exec_callback(NRT_ASYNC_EXEC_STATUS_CALLBACK callback, void *params) {
    struct runtime *runtime;
    (void)params;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status == NRT_SUCCESS) {
        runtime_leave();
        status = callback == NULL ? NRT_INVALID : NRT_SUCCESS;
    }
    return status;
}

NRT_STATUS nrt_async_drain_queued_execs(int32_t vnc) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status == NRT_SUCCESS) {
        status = vnc < -1 || vnc >= (int32_t)runtime->core_count ? NRT_INVALID : NRT_SUCCESS;
        runtime_leave();
    }
    return status;
}
