/* Required for dladdr and O_PATH. */
#define _GNU_SOURCE
#include "internal.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define ROOT_VARIABLE "NEURON_FAKE_ROOT"
#define LIBRARY_DEPTH 5 /* opt/aws/neuron/lib/libnrt.so.1 */
#define SOCKET "control.sock"
#define EXCHANGE ".runtime"
#define LONGEST_COMMAND 8192

static bool library_path(char path[PATH_MAX]) {
    Dl_info info;
    return dladdr((const void *)&library_path, &info) != 0 && info.dli_fname != NULL
            && realpath(info.dli_fname, path) != NULL;
}

static bool root_path(char root[PATH_MAX]) {
    const char *named = getenv(ROOT_VARIABLE);
    if (named != NULL && *named != '\0') {
        return realpath(named, root) != NULL;
    }
    if (!library_path(root)) {
        return false;
    }
    for (int i = 0; i < LIBRARY_DEPTH; i++) {
        char *slash = strrchr(root, '/');
        if (slash == NULL) {
            return false;
        }
        *slash = '\0';
    }
    return true;
}

bool host_library_version(unsigned numbers[4]) {
    char path[PATH_MAX];
    if (!library_path(path)) {
        return false;
    }
    const char *suffix = strstr(strrchr(path, '/'), ".so.");
    return suffix != NULL
            && sscanf(suffix, ".so.%u.%u.%u.%u", &numbers[0], &numbers[1], &numbers[2], &numbers[3]) == 4;
}

bool host_open(struct host *host) {
    char root[PATH_MAX];
    char path[PATH_MAX + sizeof SOCKET + 1];
    char target[PATH_MAX];
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (!root_path(root)) {
        return false;
    }
    snprintf(path, sizeof path, "%s/%s", root, SOCKET);
    /* A link leads to a path that is short enough for an address. */
    const char *place = realpath(path, target) != NULL ? target : path;
    if (strlen(place) >= sizeof address.sun_path) {
        return false;
    }
    strcpy(address.sun_path, place);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) {
        return false;
    }
    snprintf(path, sizeof path, "%s/%s", root, EXCHANGE);
    int folder = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        close(descriptor);
        if (folder >= 0) {
            close(folder);
        }
        return false;
    }
    memset(host, 0, sizeof *host);
    host->socket = descriptor;
    host->folder = folder;
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&host->lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    return true;
}

void host_close(struct host *host) {
    close(host->socket);
    close(host->folder);
    free(host->received);
    pthread_mutex_destroy(&host->lock);
    host->socket = -1;
    host->received = NULL;
}

void host_abandon(struct host *host) {
    if (host->socket >= 0) {
        close(host->socket);
        close(host->folder);
        host->socket = -1;
    }
}

static bool send_all(int descriptor, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t sent = send(descriptor, bytes, size, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR) {
            return false;
        }
        if (sent > 0) {
            bytes += sent;
            size -= (size_t)sent;
        }
    }
    return true;
}

/* Receives a line without its end. Returns NULL if the connection is lost. Each answer arrives before the next command is sent. */
static char *receive_line(struct host *host) {
    host->length = 0;
    while (true) {
        if (host->capacity - host->length < 2) {
            size_t capacity = host->capacity == 0 ? 4096 : host->capacity * 2;
            char *larger = realloc(host->received, capacity);
            if (larger == NULL) {
                return NULL;
            }
            host->received = larger;
            host->capacity = capacity;
        }
        ssize_t got = recv(host->socket, host->received + host->length, host->capacity - host->length - 1, 0);
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return NULL;
        }
        if (got > 0) {
            host->length += (size_t)got;
            if (host->received[host->length - 1] == '\n') {
                host->received[host->length - 1] = '\0';
                return host->received;
            }
        }
    }
}

static struct answer answered(bool ok, const char *text) {
    return (struct answer){ok, strdup(text)};
}

struct answer host_ask(struct host *host, const char *format, ...) {
    char command[LONGEST_COMMAND];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(command, sizeof command - 1, format, arguments);
    va_end(arguments);
    if (length < 0 || length >= (int)sizeof command - 1) {
        return answered(false, "the command is too long");
    }
    command[length] = '\n';
    if (pthread_mutex_lock(&host->lock) == EDEADLK) {
        return answered(false, "a signal handler of the program makes a call in the middle of a call");
    }
    char *line = send_all(host->socket, command, (size_t)length + 1) ? receive_line(host) : NULL;
    struct answer answer;
    if (line == NULL) {
        answer = answered(false, "the host has gone");
    } else if (strncmp(line, "ok", 2) == 0) {
        answer = answered(true, line[2] == ' ' ? line + 3 : line + 2);
    } else {
        answer = answered(false, strncmp(line, "error ", 6) == 0 ? line + 6 : line);
    }
    pthread_mutex_unlock(&host->lock);
    return answer;
}

/* ---- private files */

static bool write_all(int descriptor, const char *bytes, size_t size) {
    while (size > 0) {
        ssize_t written = write(descriptor, bytes, size);
        if (written < 0 && errno != EINTR) {
            return false;
        }
        if (written > 0) {
            bytes += written;
            size -= (size_t)written;
        }
    }
    return true;
}

static bool read_all(int descriptor, char **content, size_t *size) {
    struct stat file;
    if (fstat(descriptor, &file) != 0 || !S_ISREG(file.st_mode)) {
        return false;
    }
    size_t wanted = (size_t)file.st_size;
    char *bytes = malloc(wanted + 1);
    size_t got = 0;
    while (bytes != NULL && got < wanted) {
        ssize_t part = read(descriptor, bytes + got, wanted - got);
        if (part == 0 || (part < 0 && errno != EINTR)) {
            break;
        }
        got += part > 0 ? (size_t)part : 0;
    }
    if (bytes == NULL || got < wanted) {
        free(bytes);
        return false;
    }
    *content = bytes;
    *size = wanted;
    return true;
}

bool exchange_take(struct host *host, const char *name, char **content, size_t *size) {
    int descriptor = openat(host->folder, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
    bool whole = descriptor >= 0 && read_all(descriptor, content, size);
    if (descriptor >= 0) {
        close(descriptor);
        unlinkat(host->folder, name, 0);
    }
    return whole;
}

bool exchange_put(struct host *host, char name[64], const void *content, size_t size) {
    static _Atomic unsigned long numbers;
    snprintf(name, 64, "to-host-%d-%lu", (int)getpid(), ++numbers);
    int descriptor = openat(host->folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool whole = descriptor >= 0 && write_all(descriptor, content, size);
    if (descriptor >= 0) {
        whole = close(descriptor) == 0 && whole;
        if (!whole) {
            unlinkat(host->folder, name, 0);
        }
    }
    return whole;
}

bool exchange_copy(struct host *host, const char *name, const char *target) {
    char *content;
    size_t size;
    if (!exchange_take(host, name, &content, &size)) {
        return false;
    }
    int descriptor = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    bool whole = descriptor >= 0 && write_all(descriptor, content, size);
    if (descriptor >= 0) {
        whole = close(descriptor) == 0 && whole;
    }
    free(content);
    return whole;
}
