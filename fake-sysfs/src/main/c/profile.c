#include "internal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One profile at a time; the host knows what is executed meanwhile. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *file_name;
static uint64_t model_id;

void profile_forget(void) {
    pthread_mutex_lock(&lock);
    free(file_name);
    file_name = NULL;
    pthread_mutex_unlock(&lock);
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
        status = stop(runtime, filename);
        pthread_mutex_unlock(&lock);
        runtime_leave();
    }
    return status;
}
