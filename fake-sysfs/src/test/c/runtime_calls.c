/*
 * A program linked to libnrt that makes one call for each line that it reads from the test. It answers each line with
 * one line, which begins with the status. It uses the public interface alone.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <malloc.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ndebug_stream.h"
#include "nrt.h"

#define MOST 64

static nrt_model_t *models[MOST];
static int model_count;
static nrt_tensor_set_t *inputs;
static nrt_tensor_set_t *outputs;

static struct {
    char name[64];
    nrt_tensor_t *tensor;
} tensors[MOST];

static int tensor_count;

static nrt_tensor_t **tensor(const char *name) {
    for (int i = 0; i < tensor_count; i++) {
        if (strcmp(tensors[i].name, name) == 0) {
            return &tensors[i].tensor;
        }
    }
    snprintf(tensors[tensor_count].name, sizeof tensors[0].name, "%s", name);
    return &tensors[tensor_count++].tensor;
}

static char *content(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        exit(3);
    }
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    rewind(file);
    char *bytes = malloc(*size + 1);
    if (fread(bytes, 1, *size, file) != *size) {
        exit(3);
    }
    fclose(file);
    return bytes;
}

static void hex(const unsigned char *bytes, size_t size) {
    for (size_t i = 0; i < size; i++) {
        printf("%02x", bytes[i]);
    }
}

static uint64_t nanoseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void print_event(const ndebug_stream_event_header_t *header, const void *payload) {
    printf(" type %" PRIu32 " size %" PRIu64, header->type, header->data_size);
    const ndebug_stream_payload_debug_tensor_read_t *print = payload;
    if (header->type != 1 || payload == NULL || header->data_size < sizeof *print) {
        printf(" payload ");
        hex(payload, payload == NULL ? 0 : header->data_size < 32 ? header->data_size : 32);
        return;
    }
    printf(" prefix %.512s core %" PRIu32 " pipe %" PRIu32 " dtype %.16s shape", print->prefix, print->logical_nc_id,
            print->pipe, print->tensor_dtype);
    for (int i = 0; i < 8 && print->tensor_shape[i] != 0; i++) {
        printf("%c%" PRIu64, i == 0 ? ' ' : 'x', print->tensor_shape[i]);
    }
    uint64_t bytes = print->tensor_data_size;
    printf(" bytes %" PRIu64 " reserved ", bytes);
    hex((const unsigned char *)print->reserved0, 4);
    printf(" data ");
    hex((const unsigned char *)print->tensor_data, bytes < 64 ? bytes : 64);
}

static void drain(int stream) {
    ndebug_stream_event_header_t header;
    void *payload;
    uint64_t events = 0;
    uint64_t gaps = 0;
    NRT_STATUS status;
    while ((status = nrt_debug_client_read_one_event(stream, &header, &payload)) == NRT_SUCCESS) {
        int32_t number = -1;
        if (header.data_size >= 1028) {
            memcpy(&number, (char *)payload + 1024, 4);
        }
        gaps += number != (int32_t)events;
        events++;
        free(payload);
    }
    printf("%d events %" PRIu64 " out-of-sequence %" PRIu64 "\n", (int)status, events, gaps);
}

static void infos(nrt_model_t *model) {
    nrt_tensor_info_array_t *array = NULL;
    NRT_STATUS status = nrt_get_model_tensor_info(model, &array);
    printf("%d", (int)status);
    for (uint64_t i = 0; status == NRT_SUCCESS && i < array->tensor_count; i++) {
        const nrt_tensor_info_t *info = &array->tensor_array[i];
        printf(" %s \"%s\" size %zu dtype %d shape", info->usage == NRT_TENSOR_USAGE_INPUT ? "input" : "output",
                info->name, info->size, (int)info->dtype);
        for (uint32_t d = 0; d < info->ndim; d++) {
            printf("%c%" PRIu32, d == 0 ? ' ' : 'x', info->shape[d]);
        }
    }
    if (status == NRT_SUCCESS) {
        printf(" freed %d", (int)nrt_free_model_tensor_info(array));
    }
    printf("\n");
}

/* ---- threads */

struct worker {
    pthread_t thread;
    nrt_model_t *model;
    int executions;
    NRT_STATUS worst;
};

static _Atomic int readers_stop;
static _Atomic uint64_t events_read;

static void *execute_many(void *argument) {
    struct worker *worker = argument;
    for (int i = 0; i < worker->executions; i++) {
        NRT_STATUS status = nrt_execute(worker->model, NULL, NULL);
        if (status != NRT_SUCCESS) {
            worker->worst = status;
        }
    }
    return NULL;
}

static void *read_streams(void *argument) {
    const int *streams = argument;
    ndebug_stream_event_header_t header;
    void *payload;
    bool last = false;
    while (true) {
        bool stop = readers_stop;
        for (int i = 0; streams[i] >= 0; i++) {
            NRT_STATUS status;
            while ((status = nrt_debug_client_read_one_event(streams[i], &header, &payload)) == NRT_SUCCESS) {
                events_read++;
                free(payload);
            }
            if (status == NRT_CLOSED) {
                return NULL;
            }
        }
        if (last) {
            return NULL;
        }
        last = stop;
    }
}

static void threads(const char *neff, int count, int executions, bool close_meanwhile) {
    size_t size;
    char *bytes = content(neff, &size);
    struct worker workers[MOST] = {0};
    int streams[MOST];
    for (int i = 0; i < count; i++) {
        workers[i].executions = executions;
        if (nrt_load(bytes, size, i, 1, &workers[i].model) != NRT_SUCCESS
                || nrt_debug_client_connect(i, &streams[i]) != NRT_SUCCESS) {
            printf("-1\n");
            return;
        }
    }
    streams[count] = -1;
    pthread_t reader;
    readers_stop = false;
    pthread_create(&reader, NULL, read_streams, streams);
    for (int i = 0; i < count; i++) {
        pthread_create(&workers[i].thread, NULL, execute_many, &workers[i]);
    }
    if (close_meanwhile) {
        while (events_read == 0) {
            usleep(1000);
        }
        nrt_close();
    }
    NRT_STATUS worst = NRT_SUCCESS;
    for (int i = 0; i < count; i++) {
        pthread_join(workers[i].thread, NULL);
        worst = workers[i].worst > worst ? workers[i].worst : worst;
    }
    readers_stop = true;
    pthread_join(reader, NULL);
    free(bytes);
    printf("%d events %" PRIu64 "\n", (int)worst, events_read);
}

/* ---- threads that use one stream, until the library ends the program or they give up */

static void *read_on(void *argument) {
    ndebug_stream_event_header_t header;
    void *payload;
    for (int i = 0; i < 20000000; i++) {
        nrt_debug_client_read_one_event(*(const int *)argument, &header, &payload);
    }
    return NULL;
}

static void read_in_two_threads(int stream) {
    pthread_t reader;
    pthread_create(&reader, NULL, read_on, &stream);
    read_on(&stream);
    pthread_join(reader, NULL);
    printf("0\n");
}

static void *read_once(void *argument) {
    ndebug_stream_event_header_t header;
    void *payload = NULL;
    nrt_debug_client_read_one_event(*(const int *)argument, &header, &payload);
    free(payload);
    return NULL;
}

/* Closes a stream of core 0 when its event has been taken, which is before the call that reads it returns. */
static void close_while_reading(nrt_model_t *model) {
    for (int i = 0; i < 100; i++) {
        int stream = -1;
        pthread_t reader;
        nrt_debug_client_connect(0, &stream);
        nrt_execute(model, NULL, NULL);
        pthread_create(&reader, NULL, read_once, &stream);
        struct pollfd waiting = {stream, POLLIN, 0};
        while (poll(&waiting, 1, 0) > 0) {
        }
        nrt_debug_client_connect_close(stream);
        pthread_join(reader, NULL);
    }
    printf("0\n");
}

/* ---- one line */

static nrt_model_t *model(const char *word) {
    return word == NULL ? NULL : models[atoi(word)];
}

static void load(char *path, char *vnc, char *vnc_count) {
    size_t size;
    char *bytes = content(path, &size);
    NRT_STATUS status = nrt_load(bytes, size, vnc == NULL ? -1 : atoi(vnc), vnc_count == NULL ? -1 : atoi(vnc_count),
            &models[model_count]);
    free(bytes);
    printf("%d", (int)status);
    if (status == NRT_SUCCESS) {
        nrt_model_info_t info = {99};
        nrt_get_model_info(models[model_count], &info, sizeof info, NULL);
        printf(" model %d core %" PRIu32, model_count++, info.vnc);
    }
    printf("\n");
}

static void counts(void) {
    uint32_t found[4] = {0};
    NRT_STATUS status[4] = {nrt_get_total_nc_count(&found[0]), nrt_get_total_vnc_count(&found[1]),
            nrt_get_visible_nc_count(&found[2]), nrt_get_visible_vnc_count(&found[3])};
    for (int i = 0; i < 4; i++) {
        if (status[i] != NRT_SUCCESS) {
            printf("%d\n", (int)status[i]);
            return;
        }
    }
    printf("0 total %" PRIu32 " %" PRIu32 " visible %" PRIu32 " %" PRIu32 "\n", found[0], found[1], found[2], found[3]);
}

static void visible(void) {
    uint32_t found[2] = {0};
    NRT_STATUS status = nrt_get_visible_nc_count(&found[0]);
    status = status == NRT_SUCCESS ? nrt_get_visible_vnc_count(&found[1]) : status;
    printf("%d visible %" PRIu32 " %" PRIu32 "\n", (int)status, found[0], found[1]);
}

static void model_counts(nrt_model_t *model) {
    uint32_t found[3] = {0};
    NRT_STATUS status = nrt_get_model_nc_count(model, &found[0]);
    status = status == NRT_SUCCESS ? nrt_get_model_vnc_count(model, &found[1]) : status;
    status = status == NRT_SUCCESS ? nrt_get_model_instance_count(model, &found[2]) : status;
    printf("%d cores %" PRIu32 " %" PRIu32 " instances %" PRIu32 "\n", (int)status, found[0], found[1], found[2]);
}

/* ---- calls of transfer libraries, profilers and frameworks */

static nrt_profile_continuous_options_t *continuous_options;
static char byte_of_device;
static char map_text[32];

static void trace_start(const char *left_out) {
    nrt_sys_trace_config_t *config = NULL;
    NRT_STATUS status = nrt_sys_trace_config_allocate(&config);
    nrt_sys_trace_config_set_defaults(config);
    nrt_sys_trace_config_set_max_events_per_nc(config, 6);
    if (left_out != NULL) {
        nrt_sys_trace_config_set_capture_enabled_for_nc(config, (uint32_t)atoi(left_out), false);
    }
    status = status == NRT_SUCCESS ? nrt_sys_trace_config_set_capture_enabled_for_event_type(config, "nrt_execute", false)
                                   : status;
    const char **types = NULL;
    size_t count = 0;
    status = status == NRT_SUCCESS ? nrt_sys_trace_config_get_enabled_event_types(config, &types, &count) : status;
    printf("%d", (int)(status == NRT_SUCCESS ? nrt_sys_trace_start(config) : status));
    for (size_t i = 0; i < count; i++) {
        printf(" %s", types[i]);
    }
    printf("\n");
    nrt_sys_trace_free_event_types(types, count);
    nrt_sys_trace_config_free(config);
}

static void trace_fetch(const char *core, const char *most) {
    nrt_sys_trace_fetch_options_t *options = NULL;
    nrt_sys_trace_fetch_options_allocate(&options);
    nrt_sys_trace_fetch_options_set_defaults(options);
    if (core != NULL) {
        nrt_sys_trace_fetch_options_set_nc_idx(options, (uint64_t)atoi(core));
    }
    if (most != NULL) {
        nrt_sys_trace_fetch_options_set_max_events_per_nc(options, (uint64_t)atoi(most));
    }
    char *json = NULL;
    size_t written = 0;
    NRT_STATUS status = nrt_sys_trace_fetch_events(&json, &written, core == NULL ? NULL : options);
    nrt_sys_trace_fetch_options_free(options);
    printf("%d %s%s\n", (int)status, json == NULL ? "" : json, json != NULL && strlen(json) != written ? "?" : "");
    nrt_sys_trace_buffer_free(json);
}

/* Configures an inspection of one activity as a framework does, and prints the worst status of all calls. */
static void inspect(const char *directory, const char *activity) {
    nrt_inspect_config_t *config = NULL;
    int worst = (int)nrt_inspect_config_allocate(&config);
    worst |= (int)nrt_inspect_config_set_defaults(config);
    worst |= (int)nrt_inspect_config_set_output_dir(config, directory);
    worst |= (int)nrt_inspect_config_set_session_id(config, 7);
    worst |= (int)nrt_inspect_config_set_activity(config, "all", false);
    worst |= (int)nrt_inspect_config_set_activity(config, activity, true);
    worst |= (int)nrt_inspect_config_set_enable_inspect(config, true);
    worst |= (int)nrt_inspect_config_set_enable_inspect_on_fail(config, false);
    worst |= (int)nrt_inspect_config_set_sys_trace_max_events_per_nc(config, 1000);
    worst |= (int)nrt_inspect_config_set_capture_enabled_for_nc(config, 0, true);
    worst |= (int)nrt_inspect_config_set_capture_enabled_for_event_type_string(config, "cc_exec_barrier", false);
    worst |= (int)nrt_inspect_config_set_inspect_device_profile_mode(config, NRT_INSPECT_DEVICE_PROFILE_SESSION);
    const char **all = NULL;
    const char **enabled = NULL;
    size_t all_count = 0;
    size_t enabled_count = 0;
    worst |= (int)nrt_inspect_config_get_all_activity_types(&all, &all_count);
    worst |= (int)nrt_inspect_config_get_enabled_activity_types(config, &enabled, &enabled_count);
    worst |= (int)nrt_inspect_begin_with_options(config);
    worst |= (int)nrt_inspect_stop();
    printf("%d all %zu enabled %zu %s wrong %d %d %d\n", worst, all_count, enabled_count,
            enabled_count > 0 ? enabled[0] : "", (int)nrt_inspect_config_set_activity(config, "power", true),
            (int)nrt_inspect_config_set_output_dir(config, ""),
            (int)nrt_inspect_config_set_inspect_device_profile_mode(config, 3));
    nrt_inspect_config_free_activity_types(all, all_count);
    nrt_inspect_config_free_activity_types(enabled, enabled_count);
    nrt_inspect_config_free(config);
}

static void exit_with_seven(int number) {
    (void)number;
    exit(7);
}

static bool carry_out_rare(const char *call, char **words) {
    if (strcmp(call, "device-copy") == 0) {
        void *target = nrt_tensor_get_va(*tensor(words[1]));
        printf("%d\n", (int)nrt_memcpy_to_device(target, words[2], strlen(words[2])));
    } else if (strcmp(call, "barrier") == 0) {
        int32_t vnc = atoi(words[1]);
        uint32_t count = (uint32_t)atoi(words[2]);
        char from[4] = "abc";
        char to[4] = "";
        NRT_STATUS status[4] = {nrt_build_global_comm(vnc, 0, count), nrt_cc_global_comm_init((uint32_t)vnc, 0, count),
                nrt_barrier(vnc, 0, count), nrt_all_gather(vnc, 0, count, sizeof from, from, to)};
        printf("%d %d %d %d %s\n", (int)status[0], (int)status[1], (int)status[2], (int)status[3], to);
    } else if (strcmp(call, "trace-start") == 0) {
        trace_start(words[1]);
    } else if (strcmp(call, "trace-fetch") == 0) {
        trace_fetch(words[1], words[1] == NULL ? NULL : words[2]);
    } else if (strcmp(call, "trace-stop") == 0) {
        printf("%d\n", (int)nrt_sys_trace_stop());
    } else if (strcmp(call, "trace-onto") == 0) {
        char *json = words[0];
        size_t written = 0;
        printf("%d\n", (int)nrt_sys_trace_fetch_events(&json, &written, NULL));
    } else if (strcmp(call, "device-copy-beyond") == 0) {
        char *target = nrt_tensor_get_va(*tensor(words[1]));
        printf("%d\n", (int)nrt_memcpy_to_device(target + nrt_tensor_get_size(*tensor(words[1])) - 1, "xy", 2));
    } else if (strcmp(call, "stale") == 0) {
        nrt_tensor_t *stale = *tensor(words[1]);
        nrt_tensor_free(tensor(words[1]));
        printf("0 size %zu\n", nrt_tensor_get_size(stale));
    } else if (strcmp(call, "unload-twice") == 0) {
        NRT_STATUS first = nrt_unload(model(words[1]));
        printf("%d %d\n", (int)first, (int)nrt_unload(model(words[1])));
    } else if (strcmp(call, "free-names") == 0) {
        const char **names = NULL;
        size_t count = 0;
        NRT_STATUS status = nrt_sys_trace_get_event_types(&names, &count);
        nrt_sys_trace_free_event_types(names, count + 1);
        printf("%d\n", (int)status);
    } else if (strcmp(call, "own-free") == 0) {
        /* Frees arrays itself, as the headers permit. The allocator gives their addresses to tensor sets. */
        int worst = 0;
        for (int i = 0; i < 100; i++) {
            const char **names = NULL;
            size_t count = 0;
            nrt_tensor_set_t *set = NULL;
            worst |= (int)nrt_sys_trace_get_event_types(&names, &count);
            for (size_t each = 0; each < count; each++) {
                free((void *)(uintptr_t)names[each]);
            }
            free(names);
            worst |= (int)nrt_allocate_tensor_set(&set);
            worst |= (int)nrt_add_tensor_to_tensor_set(set, "own", *tensor(words[1]));
            nrt_destroy_tensor_set(&set);
        }
        printf("%d\n", worst);
    } else if (strcmp(call, "read-in-two-threads") == 0) {
        read_in_two_threads(atoi(words[1]));
    } else if (strcmp(call, "close-while-reading") == 0) {
        close_while_reading(model(words[1]));
    } else if (strcmp(call, "get") == 0) {
        nrt_tensor_t *found = NULL;
        NRT_STATUS status = nrt_get_tensor_from_tensor_set(inputs, words[1], &found);
        printf("%d %s\n", (int)status, found == NULL ? "null" : found == *tensor(words[1]) ? "same" : "other");
    } else if (strcmp(call, "close-descriptor") == 0) {
        printf("%d\n", close(atoi(words[1])));
    } else if (strcmp(call, "trace-free") == 0) {
        char *json = NULL;
        size_t written = 0;
        nrt_sys_trace_fetch_events(&json, &written, NULL);
        free(json);
        printf("0\n");
    } else if (strcmp(call, "inspect") == 0) {
        inspect(words[1], words[2] == NULL ? "device_profile" : words[2]);
    } else if (strcmp(call, "sleep") == 0) {
        printf("sleeping\n");
        fflush(stdout);
        sleep(3600);
        _exit(0);
    } else if (strcmp(call, "block-term") == 0) {
        sigset_t blocked;
        sigemptyset(&blocked);
        sigaddset(&blocked, SIGTERM);
        printf("%d\n", sigprocmask(SIG_BLOCK, &blocked, NULL));
    } else if (strcmp(call, "read-term") == 0) {
        sigset_t blocked;
        sigemptyset(&blocked);
        sigaddset(&blocked, SIGTERM);
        struct signalfd_siginfo signal;
        int descriptor = signalfd(-1, &blocked, SFD_CLOEXEC);
        printf("%d\n", read(descriptor, &signal, sizeof signal) == sizeof signal ? 0 : -1);
    } else if (strcmp(call, "exit-on-term") == 0) {
        printf("%d\n", signal(SIGTERM, exit_with_seven) == SIG_ERR ? -1 : 0);
    } else if (strcmp(call, "continuous-start") == 0) {
        NRT_STATUS status = nrt_profile_continuous_options_allocate(&continuous_options);
        status = status == NRT_SUCCESS ? nrt_profile_continuous_options_set_output_dir(continuous_options, words[1])
                                       : status;
        printf("%d\n", (int)(status == NRT_SUCCESS ? nrt_profile_continuous_start(continuous_options) : status));
    } else if (strcmp(call, "continuous-save") == 0) {
        printf("%d\n", (int)nrt_profile_continuous_save((uint32_t)atoi(words[1]), continuous_options));
    } else if (strcmp(call, "continuous-stop") == 0) {
        printf("%d %d\n", (int)nrt_profile_continuous_stop(),
                (int)nrt_profile_continuous_options_free(continuous_options));
    } else if (strcmp(call, "routes") == 0) {
        uint32_t map[64] = {0};
        uint32_t count = (uint32_t)atoi(words[1]);
        NRT_STATUS status = nrt_host_device_id_rid_map_get(&count, map);
        printf("%d count %" PRIu32 " last %" PRIu32 "\n", (int)status, count, status == NRT_SUCCESS ? map[count - 1] : 0);
    } else if (strcmp(call, "ucode") == 0) {
        uint8_t byte = 0;
        nrt_ucode_info images = {{&byte, 1}, {&byte, 1}};
        printf("%d\n", (int)nrt_set_pool_eng_ucode(&images));
    } else if (strcmp(call, "unsupported") == 0) {
        void *address = NULL;
        size_t size = sizeof map_text;
        int descriptor = -1;
        int error = 0;
        char message[64] = "";
        NRT_STATUS status[3] = {nrt_get_hbm_mmap_va(0, 0, &address, &size), nrt_get_dmabuf_fd(4096, 4096, &descriptor),
                nrt_get_attached_efa_bdf(&byte_of_device, map_text, &size)};
        void *plugin = nrt_get_libnccl_net(&error, message, sizeof message);
        printf("%d %d %d %s %d %s\n", (int)status[0], (int)status[1], (int)status[2], plugin == NULL ? "null" : "plugin",
                error, message);
    } else {
        return false;
    }
    return true;
}

/* Ends the program as its own handler of a signal does. */
static void end_by_handler(int number) {
    (void)number;
    _exit(7);
}

/* Forks a child that outlives this program and keeps what it inherits. */

static pid_t lingering_fork(void) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        close(STDIN_FILENO);
        close(STDOUT_FILENO);
        for (unsigned remaining = 60; remaining > 0;) {
            remaining = sleep(remaining);
        }
        _exit(0);
    }
    return child;
}

static pid_t lingering_program(void) {
    pid_t child = -1;
    char *words[] = {"sleep", "60", NULL};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addclose(&actions, STDIN_FILENO);
    posix_spawn_file_actions_addclose(&actions, STDOUT_FILENO);
    posix_spawnp(&child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    return child;
}

static void in_child(char *line);

static void carry_out(char *line) {
    char *words[8] = {0};
    int count = 0;
    char *rest = strchr(line, ' ');
    rest = rest == NULL ? NULL : strdup(rest + 1);
    for (char *word = strtok(line, " \n"); word != NULL && count < 8; word = strtok(NULL, " \n")) {
        words[count++] = word;
    }
    const char *call = count == 0 ? "" : words[0];
    if (strcmp(call, "init") == 0) {
        printf("%d\n", (int)nrt_init(count > 1 ? atoi(words[1]) : NRT_FRAMEWORK_TYPE_NO_FW, "", ""));
    } else if (strcmp(call, "close") == 0) {
        nrt_close();
        inputs = outputs = NULL;
        printf("0\n");
    } else if (strcmp(call, "set") == 0) {
        setenv(words[1], count > 2 ? words[2] : "", 1);
        printf("0\n");
    } else if (strcmp(call, "counts") == 0) {
        counts();
    } else if (strcmp(call, "visible") == 0) {
        visible();
    } else if (strcmp(call, "model-counts") == 0) {
        model_counts(model(words[1]));
    } else if (strcmp(call, "version") == 0) {
        nrt_version_t version;
        NRT_STATUS status = nrt_get_version(&version, (size_t)atoi(words[1]));
        printf("%d", (int)status);
        if (status == NRT_SUCCESS) {
            printf(" %" PRIu64 ".%" PRIu64 ".%" PRIu64 ".%" PRIu64, version.rt_major, version.rt_minor, version.rt_patch,
                    version.rt_maintenance);
        }
        printf("\n");
    } else if (strcmp(call, "instance") == 0) {
        nrt_instance_info_t info;
        NRT_STATUS status = nrt_get_instance_info(&info, sizeof info);
        printf("%d family %" PRIu32 " size %" PRIu32 " arch %s\n", (int)status, status == 0 ? info.family : 0,
                status == 0 ? info.size : 0, status == 0 ? info.arch_name : "");
    } else if (strcmp(call, "memory") == 0) {
        nrt_vnc_memory_stats_t stats = {0};
        size_t size = 0;
        NRT_STATUS status = nrt_get_vnc_memory_stats((uint32_t)atoi(words[1]), &stats, sizeof stats, &size);
        printf("%d used %zu limit %zu size %zu\n", (int)status, stats.bytes_used, stats.bytes_limit, size);
    } else if (strcmp(call, "heap") == 0) {
        struct mallinfo2 heap = mallinfo2();
        printf("0 %zu\n", heap.uordblks + heap.hblkhd);
    } else if (strcmp(call, "status-name") == 0) {
        /* Some releases do not export it. */
        const char *(*name)(NRT_STATUS) = (const char *(*)(NRT_STATUS))dlsym(RTLD_DEFAULT, "nrt_get_status_as_str");
        printf("0 %s\n", name == NULL ? "none" : name((NRT_STATUS)atoi(words[1])));
    } else if (strcmp(call, "load") == 0) {
        load(words[1], words[2], words[3]);
    } else if (strcmp(call, "load-part") == 0) {
        size_t size;
        char *bytes = content(words[1], &size);
        nrt_model_t *part;
        size_t left = (size_t)atol(words[2]);
        printf("%d\n", (int)nrt_load(bytes, left < size ? left : size, 0, 1, &part));
        free(bytes);
    } else if (strcmp(call, "unload") == 0) {
        printf("%d\n", (int)nrt_unload(model(words[1])));
    } else if (strcmp(call, "infos") == 0) {
        infos(model(words[1]));
    } else if (strcmp(call, "allocate") == 0) {
        bool host = count > 4 && strcmp(words[4], "host") == 0;
        printf("%d\n", (int)nrt_tensor_allocate(host ? NRT_TENSOR_PLACEMENT_HOST : NRT_TENSOR_PLACEMENT_DEVICE,
                               atoi(words[2]), (size_t)strtoull(words[3], NULL, 10), words[1], tensor(words[1])));
    } else if (strcmp(call, "slice") == 0) {
        printf("%d\n", (int)nrt_tensor_allocate_slice(*tensor(words[2]), (size_t)atol(words[3]), (size_t)atol(words[4]),
                               words[1], tensor(words[1])));
    } else if (strcmp(call, "attach") == 0) {
        NRT_STATUS status = nrt_tensor_allocate_empty(words[1], tensor(words[1]));
        size_t size = (size_t)atol(words[2]);
        status = status != NRT_SUCCESS ? status : nrt_tensor_attach_buffer(*tensor(words[1]), calloc(1, size), size);
        printf("%d\n", (int)status);
    } else if (strcmp(call, "free") == 0) {
        nrt_tensor_free(tensor(words[1]));
        printf("0 %s\n", *tensor(words[1]) == NULL ? "null" : "not null");
    } else if (strcmp(call, "fill") == 0) {
        nrt_tensor_t *filled = *tensor(words[1]);
        printf("%d\n", (int)nrt_tensor_memset(filled, 0, atoi(words[2]), nrt_tensor_get_size(filled)));
    } else if (strcmp(call, "write") == 0) {
        printf("%d\n", (int)nrt_tensor_write(*tensor(words[1]), words[3], (size_t)atol(words[2]), strlen(words[3])));
    } else if (strcmp(call, "read") == 0) {
        unsigned char bytes[256] = {0};
        size_t size = (size_t)atol(words[3]);
        NRT_STATUS status = nrt_tensor_read(*tensor(words[1]), bytes, (size_t)atol(words[2]), size);
        printf("%d ", (int)status);
        hex(bytes, status == NRT_SUCCESS ? size : 0);
        printf("\n");
    } else if (strcmp(call, "copy") == 0) {
        printf("%d\n", (int)nrt_tensor_copy(*tensor(words[1]), 0, *tensor(words[2]), 0, (size_t)atol(words[3])));
    } else if (strcmp(call, "batch") == 0) {
        unsigned char bytes[2][4] = {{0}};
        nrt_tensor_batch_op_t ops[2] = {{0, 4, bytes[0]}, {4, 4, bytes[1]}};
        nrt_tensor_batch_t batch = {*tensor(words[1]), ops, 2};
        printf("%d ", (int)nrt_tensor_read_batch(&batch, 1, false));
        hex(bytes[0], 8);
        printf("\n");
    } else if (strcmp(call, "address") == 0) {
        nrt_tensor_device_allocation_info_t info = {0};
        NRT_STATUS status = nrt_tensor_get_device_allocation_info(*tensor(words[1]), &info);
        printf("%d size %zu %s\n", (int)status, info.size,
                nrt_tensor_get_va(*tensor(words[1])) == NULL ? "null" : "mapped");
    } else if (strcmp(call, "completed") == 0) {
        printf("%d\n", (int)nrt_tensor_check_output_completion(*tensor(words[1]), 1000, (uint64_t)atol(words[2])));
    } else if (strcmp(call, "reset-completion") == 0) {
        printf("%d\n", (int)nrt_tensor_reset_output_completion(*tensor(words[1])));
    } else if (strcmp(call, "input") == 0 || strcmp(call, "output") == 0) {
        nrt_tensor_set_t **set = *call == 'i' ? &inputs : &outputs;
        NRT_STATUS status = *set == NULL ? nrt_allocate_tensor_set(set) : NRT_SUCCESS;
        printf("%d\n", (int)(status != NRT_SUCCESS ? status
                                                   : nrt_add_tensor_to_tensor_set(*set, words[1], *tensor(words[2]))));
    } else if (strcmp(call, "clear-sets") == 0) {
        nrt_destroy_tensor_set(&inputs);
        nrt_destroy_tensor_set(&outputs);
        printf("0 %s\n", inputs == NULL && outputs == NULL ? "null" : "not null");
    } else if (strcmp(call, "execute") == 0) {
        printf("%d\n", (int)nrt_execute(model(words[1]), inputs, outputs));
    } else if (strcmp(call, "repeat") == 0) {
        printf("%d\n", (int)nrt_execute_repeat(model(words[1]), inputs, outputs, atoi(words[2])));
    } else if (strcmp(call, "connect") == 0) {
        int stream = -1;
        NRT_STATUS status = nrt_debug_client_connect(atoi(words[1]), &stream);
        printf("%d stream %d", (int)status, stream);
        if (status == NRT_SUCCESS) {
            printf(" close-on-exec %d non-blocking %d", (fcntl(stream, F_GETFD) & FD_CLOEXEC) != 0,
                    (fcntl(stream, F_GETFL) & O_NONBLOCK) != 0);
        }
        printf("\n");
    } else if (strcmp(call, "disconnect") == 0) {
        nrt_debug_client_connect_close(atoi(words[1]));
        printf("0\n");
    } else if (strcmp(call, "poll") == 0) {
        struct pollfd waiting = {atoi(words[1]), POLLIN, 0};
        int ready = poll(&waiting, 1, 0);
        printf("%d events %d\n", ready, waiting.revents);
    } else if (strcmp(call, "steal") == 0) {
        uint64_t number = 0;
        ssize_t got = read(atoi(words[1]), &number, sizeof number);
        printf("0 got %zd number %" PRIu64 "\n", got, number);
    } else if (strcmp(call, "event") == 0) {
        ndebug_stream_event_header_t header;
        void *payload = NULL;
        NRT_STATUS status = nrt_debug_client_read_one_event(atoi(words[1]), &header, &payload);
        printf("%d", (int)status);
        if (status == NRT_SUCCESS) {
            print_event(&header, payload);
            free(payload);
        }
        printf("\n");
    } else if (strcmp(call, "drain") == 0) {
        drain(atoi(words[1]));
    } else if (strcmp(call, "time") == 0) {
        uint64_t begin = nanoseconds();
        NRT_STATUS status = nrt_execute(model(words[1]), inputs, outputs);
        printf("%d nanoseconds %" PRIu64 "\n", (int)status, nanoseconds() - begin);
    } else if (strcmp(call, "profile-start") == 0) {
        printf("%d\n", (int)nrt_profile_start(model(words[1]), words[2]));
    } else if (strcmp(call, "profile-stop") == 0) {
        printf("%d\n", (int)nrt_profile_stop(words[1]));
    } else if (strcmp(call, "trace") == 0) {
        printf("%d\n", (int)nrt_trace_start(false));
    } else if (strcmp(call, "cycles") == 0) {
        size_t size;
        char *bytes = content(words[1], &size);
        int worst = 0;
        for (int i = 0; i < atoi(words[2]); i++) {
            nrt_model_t *each = NULL;
            nrt_tensor_t *scratch = NULL;
            worst |= (int)nrt_load(bytes, size, 0, 1, &each);
            worst |= (int)nrt_tensor_allocate(NRT_TENSOR_PLACEMENT_DEVICE, 0, 65536, "x", &scratch);
            worst |= (int)nrt_execute(each, NULL, NULL);
            nrt_tensor_free(&scratch);
            worst |= (int)nrt_unload(each);
        }
        free(bytes);
        printf("%d\n", worst);
    } else if (strcmp(call, "threads") == 0) {
        threads(words[1], atoi(words[2]), atoi(words[3]), count > 4);
    } else if (strcmp(call, "handle-term") == 0) {
        printf("%d\n", signal(SIGTERM, end_by_handler) == SIG_ERR);
    } else if (strcmp(call, "fork") == 0 || strcmp(call, "spawn") == 0) {
        printf("0 %d\n", (int)(*call == 'f' ? lingering_fork() : lingering_program()));
    } else if (strcmp(call, "child") == 0) {
        in_child(rest);
    } else if (!carry_out_rare(call, words)) {
        printf("-1 unknown call %s\n", call);
    }
    free(rest);
}

static void in_child(char *line) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        carry_out(line);
        fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

int main(void) {
    char *line = NULL;
    size_t capacity = 0;
    while (getline(&line, &capacity, stdin) > 0) {
        carry_out(line);
        fflush(stdout);
    }
    free(line);
    return 0;
}
