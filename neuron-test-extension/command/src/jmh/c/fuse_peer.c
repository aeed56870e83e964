/*
 * A file system on libfuse3 with the files of a list: the peer of a fake's mount.
 *
 *   fuse_peer low|single|high POINT LIST
 *
 * LIST names one file a line, relative to POINT. Every read reaches the program, which makes the content then; names and
 * attributes are known to the kernel for a day. "low" and "single" use the low-level API with many threads and with one,
 * "high" the path-based one. Each line on standard input is an event of every file that is open and polled (not with
 * "high"); the answer is one line with the time just before it in nanoseconds of the monotonic clock.
 */
#define FUSE_USE_VERSION 35
#define _GNU_SOURCE
#include <errno.h>
#include <fuse.h>
#include <fuse_lowlevel.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define DAY 86400.0
#define MOST 65536

/* A file or directory, and those below a directory. */
struct node { char *name; int parent, is_file, first, next; };
static struct node nodes[MOST];
static int count = 2;
static _Atomic unsigned long value, events;
struct open_file { unsigned long seen; struct fuse_pollhandle *waiting; struct open_file *next; };
static struct open_file *polled;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int child(int parent, const char *name) {
    for (int i = nodes[parent].first; i; i = nodes[i].next)
        if (!strcmp(nodes[i].name, name))
            return i;
    return 0;
}

static int make(int parent, const char *name, int is_file) {
    int made = child(parent, name);
    if (!made && count < MOST) {
        made = count++;
        nodes[made] = (struct node){strdup(name), parent, is_file, 0, nodes[parent].first};
        nodes[parent].first = made;
    }
    return made;
}

static void attributes(int i, struct stat *s) {
    *s = (struct stat){.st_ino = (ino_t)i, .st_mode = nodes[i].is_file ? S_IFREG | 0644 : S_IFDIR | 0755, .st_nlink = 1,
                       .st_size = nodes[i].is_file ? 4096 : 0};
}

static void lookup(fuse_req_t r, fuse_ino_t parent, const char *name) {
    int i = child((int)parent, name);
    if (!i) { fuse_reply_err(r, ENOENT); return; }
    struct fuse_entry_param e = {.ino = (fuse_ino_t)i, .attr_timeout = DAY, .entry_timeout = DAY};
    attributes(i, &e.attr);
    fuse_reply_entry(r, &e);
}
static void getattr(fuse_req_t r, fuse_ino_t i, struct fuse_file_info *f) {
    (void)f; struct stat s; attributes((int)i, &s); fuse_reply_attr(r, &s, DAY);
}
static void open_(fuse_req_t r, fuse_ino_t i, struct fuse_file_info *f) {
    (void)i;
    struct open_file *o = calloc(1, sizeof *o);
    o->seen = (unsigned long)-1;
    f->fh = (uint64_t)o; f->direct_io = 1; f->noflush = 1;
    fuse_reply_open(r, f);
}
static void release(fuse_req_t r, fuse_ino_t i, struct fuse_file_info *f) {
    (void)i;
    struct open_file *o = (struct open_file *)f->fh;
    pthread_mutex_lock(&lock);
    for (struct open_file **p = &polled; *p; p = &(*p)->next)
        if (*p == o) { *p = o->next; break; }
    pthread_mutex_unlock(&lock);
    if (o->waiting) fuse_pollhandle_destroy(o->waiting);
    free(o);
    fuse_reply_err(r, 0);
}
static void read_(fuse_req_t r, fuse_ino_t i, size_t size, off_t offset, struct fuse_file_info *f) {
    (void)i;
    ((struct open_file *)f->fh)->seen = events;
    char text[32]; int n = snprintf(text, sizeof text, "%lu\n", value);
    if (offset >= n) fuse_reply_buf(r, NULL, 0);
    else fuse_reply_buf(r, text + offset, (size_t)(n - offset) < size ? (size_t)(n - offset) : size);
}
static void poll_(fuse_req_t r, fuse_ino_t i, struct fuse_file_info *f, struct fuse_pollhandle *h) {
    (void)i;
    struct open_file *o = (struct open_file *)f->fh;
    pthread_mutex_lock(&lock);
    if (h) {
        int known = 0;
        for (struct open_file *p = polled; p; p = p->next) known |= p == o;
        if (!known) { o->next = polled; polled = o; }
        if (o->waiting) fuse_pollhandle_destroy(o->waiting);
        o->waiting = h;
    }
    pthread_mutex_unlock(&lock);
    fuse_reply_poll(r, POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM | (o->seen != events ? POLLPRI | POLLERR : 0));
}
static void readdir_(fuse_req_t r, fuse_ino_t parent, size_t size, off_t offset, struct fuse_file_info *f) {
    (void)f;
    char *buffer = malloc(size); size_t used = 0; off_t at = 0;
    for (int i = nodes[parent].first; i; i = nodes[i].next) {
        if (at++ < offset) continue;
        struct stat s; attributes(i, &s);
        size_t n = fuse_add_direntry(r, buffer + used, size - used, nodes[i].name, &s, at);
        if (n > size - used) break;
        used += n;
    }
    fuse_reply_buf(r, buffer, used);
    free(buffer);
}
static void *event_loop(void *unused) {
    (void)unused;
    char line[16];
    while (fgets(line, sizeof line, stdin)) {
        struct timespec t;
        clock_gettime(CLOCK_MONOTONIC, &t);
        value++;
        events++;
        pthread_mutex_lock(&lock);
        for (struct open_file *o = polled; o; o = o->next)
            if (o->waiting) {
                fuse_lowlevel_notify_poll(o->waiting);
                fuse_pollhandle_destroy(o->waiting);
                o->waiting = NULL;
            }
        pthread_mutex_unlock(&lock);
        printf("%lld\n", t.tv_sec * 1000000000LL + t.tv_nsec);
        fflush(stdout);
    }
    return NULL;
}

static const struct fuse_lowlevel_ops operations = {.lookup = lookup, .getattr = getattr, .open = open_, .release = release,
    .read = read_, .poll = poll_, .readdir = readdir_};

static int found(const char *path) {
    char copy[4096], *save;
    snprintf(copy, sizeof copy, "%s", path);
    int at = 1;
    for (char *word = strtok_r(copy, "/", &save); word && at; word = strtok_r(NULL, "/", &save))
        at = child(at, word);
    return at;
}
static int path_getattr(const char *path, struct stat *s, struct fuse_file_info *f) {
    (void)f;
    int i = found(path);
    if (!i)
        return -ENOENT;
    attributes(i, s);
    return 0;
}
static int path_open(const char *path, struct fuse_file_info *f) {
    f->direct_io = 1;
    f->noflush = 1;
    return found(path) ? 0 : -ENOENT;
}
static int path_read(const char *path, char *to, size_t size, off_t offset, struct fuse_file_info *f) {
    (void)f;
    if (!found(path))
        return -ENOENT;
    char text[32];
    int n = snprintf(text, sizeof text, "%lu\n", value);
    if (offset >= n)
        return 0;
    size_t left = (size_t)(n - offset) < size ? (size_t)(n - offset) : size;
    memcpy(to, text + offset, left);
    return (int)left;
}
static void *path_init(struct fuse_conn_info *connection, struct fuse_config *config) {
    (void)connection;
    config->entry_timeout = DAY;
    config->attr_timeout = DAY;
    return NULL;
}
static const struct fuse_operations path_operations = {.init = path_init, .getattr = path_getattr, .open = path_open,
    .read = path_read};

static int ready(void) {
    puts("ready");
    return fflush(stdout);
}

static int serve_paths(struct fuse_args *args, const char *point) {
    struct fuse *f = fuse_new(args, &path_operations, sizeof path_operations, NULL);
    if (!f || fuse_set_signal_handlers(fuse_get_session(f)) || fuse_mount(f, point) || ready())
        return 1;
    struct fuse_loop_config config = {.clone_fd = 0, .max_idle_threads = 10};
    fuse_loop_mt(f, &config);
    fuse_unmount(f);
    return 0;
}

static int serve_nodes(struct fuse_args *args, const char *point, int single) {
    struct fuse_session *s = fuse_session_new(args, &operations, sizeof operations, NULL);
    if (!s || fuse_set_signal_handlers(s) || fuse_session_mount(s, point))
        return 1;
    /* Signals are for the thread that serves. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    pthread_t t;
    pthread_create(&t, NULL, event_loop, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (ready())
        return 1;
    struct fuse_loop_config config = {.clone_fd = 0, .max_idle_threads = 10};
    if (single)
        fuse_session_loop(s);
    else
        fuse_session_loop_mt(s, &config);
    fuse_session_unmount(s);
    return 0;
}

int main(int argc, char **argv) {
    FILE *list = argc == 4 ? fopen(argv[3], "r") : NULL;
    if (!list) {
        fprintf(stderr, "usage: fuse_peer low|single|high POINT LIST\n");
        return 2;
    }
    char line[4096];
    while (fgets(line, sizeof line, list)) {
        line[strcspn(line, "\n")] = 0;
        int at = 1;
        char *save, *word = strtok_r(line, "/", &save);
        while (word) {
            char *next = strtok_r(NULL, "/", &save);
            at = make(at, word, !next);
            word = next;
        }
    }
    fclose(list);
    struct fuse_args args = FUSE_ARGS_INIT(0, NULL);
    fuse_opt_add_arg(&args, argv[0]);
    fuse_opt_add_arg(&args, "-odefault_permissions");
    return strcmp(argv[1], "high") ? serve_nodes(&args, argv[2], !strcmp(argv[1], "single")) : serve_paths(&args, argv[2]);
}
