/* Required for strdup. */
#define _GNU_SOURCE
#include "internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Only one profile runs at a time. The host records the executions during a profile. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *file_name;
static uint64_t model_id;
static bool continuous;

struct nrt_profile_continuous_options {
    char *output_dir;
};

static void forget(struct runtime *runtime) {
    (void)runtime;
    pthread_mutex_lock(&lock);
    free(file_name);
    file_name = NULL;
    continuous = false;
    pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void register_part(void) {
    runtime_register(PART_PROFILE, (struct part){.release = forget});
}

static NRT_STATUS start(struct runtime *runtime, nrt_model_t *model, const char *filename) {
    if (!handle_is(model, HANDLE_MODEL)) {
        return NRT_INVALID_HANDLE;
    }
    if (filename == NULL || *filename == '\0' || file_name != NULL) {
        log_write(LOG_ERROR, "nrt_profile_start", "no file name, or a profile runs already");
        return NRT_INVALID;
    }
    struct answer answer = host_ask(&runtime->host, "nrt trace %s %" PRIu64, runtime->process, model->id);
    NRT_STATUS status = answer.ok ? NRT_SUCCESS : NRT_FAILURE;
    if (answer.ok) {
        file_name = strdup(filename);
        model_id = model->id;
    } else {
        log_write(LOG_ERROR, "nrt_profile_start", "%s", answer.text);
    }
    free(answer.text);
    return status;
}

static NRT_STATUS stop(struct runtime *runtime, const char *filename) {
    if (filename == NULL || file_name == NULL || strcmp(filename, file_name) != 0) {
        log_write(LOG_ERROR, "nrt_profile_stop", "no profile was started for this file");
        return NRT_INVALID;
    }
    free(file_name);
    file_name = NULL;
    struct answer answer = host_ask(&runtime->host, "nrt traced %s %" PRIu64, runtime->process, model_id);
    bool written = answer.ok && exchange_copy(&runtime->host, answer.text, filename);
    if (!written) {
        log_write(LOG_ERROR, "nrt_profile_stop", "%s: %s", filename, answer.ok ? "cannot be written" : answer.text);
    }
    free(answer.text);
    return written ? NRT_SUCCESS : NRT_FAILURE;
}

NRT_STATUS nrt_profile_start(nrt_model_t *model, const char *filename) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status == NRT_SUCCESS) {
        pthread_mutex_lock(&lock);
        status = start(runtime, model, filename);
        pthread_mutex_unlock(&lock);
        runtime_leave();
    }
    return status;
}

NRT_STATUS nrt_profile_stop(const char *filename) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status == NRT_SUCCESS) {
        pthread_mutex_lock(&lock);
        bool other = filename != NULL && file_name != NULL && strcmp(filename, file_name) != 0;
        status = stop(runtime, filename);
        pthread_mutex_unlock(&lock);
        if (other) {
            contract_broken(CONTRACT_PROFILE, "a profile with another file name than %s runs", filename);
        }
        runtime_leave();
    }
    return status;
}

/* ---- continuous profiles of the last execution on a core, saved on request */

#define DEFAULT_DIRECTORY "./output"
#define LONGEST_PATH 4096

NRT_STATUS nrt_profile_continuous_options_allocate(nrt_profile_continuous_options_t **options) {
    if (runtime_forked()) {
        return NRT_FAILURE;
    }
    if (options == NULL) {
        return NRT_INVALID;
    }
    nrt_profile_continuous_options_t *fresh = calloc(1, sizeof *fresh);
    char *output_dir = strdup(DEFAULT_DIRECTORY);
    if (fresh == NULL || output_dir == NULL || !handle_add(fresh, HANDLE_CONTINUOUS_OPTIONS)) {
        free(output_dir);
        free(fresh);
        return NRT_RESOURCE;
    }
    fresh->output_dir = output_dir;
    *options = fresh;
    return NRT_SUCCESS;
}

NRT_STATUS nrt_profile_continuous_options_free(nrt_profile_continuous_options_t *options) {
    if (runtime_forked()) {
        return NRT_FAILURE;
    }
    if (!handle_remove(options, HANDLE_CONTINUOUS_OPTIONS)) {
        return NRT_INVALID;
    }
    free(options->output_dir);
    free(options);
    return NRT_SUCCESS;
}

NRT_STATUS nrt_profile_continuous_options_set_output_dir(
        nrt_profile_continuous_options_t *options, const char *output_dir) {
    if (runtime_forked()) {
        return NRT_FAILURE;
    }
    if (!handle_is(options, HANDLE_CONTINUOUS_OPTIONS) || output_dir == NULL || *output_dir == '\0') {
        return NRT_INVALID;
    }
    char *copy = strdup(output_dir);
    if (copy == NULL) {
        return NRT_RESOURCE;
    }
    free(options->output_dir);
    options->output_dir = copy;
    return NRT_SUCCESS;
}

/* Returns whether inspect profiles the device, which excludes continuous profiles. */
static bool inspected(void) {
    const char *enabled = getenv("NEURON_RT_INSPECT_ENABLE");
    const char *device = getenv("NEURON_RT_INSPECT_DEVICE_PROFILE");
    return enabled != NULL && strcmp(enabled, "1") == 0 && device != NULL && *device != '\0'
            && strcmp(device, "0") != 0;
}

NRT_STATUS nrt_profile_continuous_start(nrt_profile_continuous_options_t *options) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    pthread_mutex_lock(&lock);
    if (!handle_is(options, HANDLE_CONTINUOUS_OPTIONS) || continuous || file_name != NULL) {
        log_write(LOG_ERROR, "nrt_profile_continuous_start", "no options, or a profile runs already");
        status = NRT_INVALID;
    } else if (inspected()) {
        log_write(LOG_ERROR, "nrt_profile_continuous_start", "NEURON_RT_INSPECT_DEVICE_PROFILE is set");
        status = NRT_INVALID;
    } else {
        continuous = true;
    }
    pthread_mutex_unlock(&lock);
    runtime_leave();
    return status;
}

static NRT_STATUS save(struct runtime *runtime, uint32_t vnc, const nrt_profile_continuous_options_t *options) {
    if (!handle_is(options, HANDLE_CONTINUOUS_OPTIONS) || !continuous || vnc >= runtime->core_count) {
        log_write(LOG_ERROR, "nrt_profile_continuous_save", "no options, no profile, or no logical core %u", vnc);
        return NRT_INVALID;
    }
    struct answer answer = host_ask(&runtime->host, "nrt latest %s %u", runtime->process, vnc);
    char path[LONGEST_PATH];
    int length = -1;
    mkdir(options->output_dir, 0777);
    for (int number = 1; answer.ok && (length < 0 || access(path, F_OK) == 0); number++) {
        length = snprintf(path, sizeof path, "%s/profile_nc_%u_%d.ntff", options->output_dir, vnc, number);
        if (length >= (int)sizeof path) {
            break;
        }
    }
    bool written = answer.ok && length < (int)sizeof path && exchange_copy(&runtime->host, answer.text, path);
    if (!written) {
        log_write(LOG_ERROR, "nrt_profile_continuous_save", "%s: %s", options->output_dir,
                answer.ok ? "cannot be written" : answer.text);
    }
    free(answer.text);
    return written ? NRT_SUCCESS : NRT_FAILURE;
}

NRT_STATUS nrt_profile_continuous_save(uint32_t vnc, nrt_profile_continuous_options_t *options) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status == NRT_SUCCESS) {
        pthread_mutex_lock(&lock);
        status = save(runtime, vnc, options);
        pthread_mutex_unlock(&lock);
        runtime_leave();
    }
    return status;
}

NRT_STATUS nrt_profile_continuous_stop(void) {
    struct runtime *runtime;
    NRT_STATUS status = runtime_enter(&runtime);
    if (status != NRT_SUCCESS) {
        return status;
    }
    pthread_mutex_lock(&lock);
    status = continuous ? NRT_SUCCESS : NRT_INVALID;
    continuous = false;
    pthread_mutex_unlock(&lock);
    runtime_leave();
    return status;
}
