/* Required for O_PATH, MNT_DETACH and d_type. */
#define _GNU_SOURCE
#include "launcher.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define SCAFFOLDS 16

/* A temporary directory over a real directory in which nothing can be created. All entries of the real directory are bound into it. */
static struct scaffold {
    dev_t device;
    char path[PATH_MAX];
} scaffolds[SCAFFOLDS];
static int scaffold_count;

/* Binds by descriptor, which also works for files hidden under a mount. */
static bool bind(int directory, const char *name, const char *target) {
    char source[PATH_MAX];
    snprintf(source, sizeof source, "/proc/self/fd/%d%s%s", directory, *name == '\0' ? "" : "/", name);
    return mount(source, target, NULL, MS_BIND | MS_REC, NULL) == 0;
}

static bool make_file(const char *path) {
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
    return file >= 0 && close(file) == 0;
}

static bool is_numbered(const char *name, const char *prefix) {
    size_t length = strlen(prefix);
    if (length == 0 || strncmp(name, prefix, length) != 0 || name[length] == '\0') {
        return false;
    }
    while (isdigit((unsigned char)name[length])) {
        length++;
    }
    return name[length] == '\0';
}

static unsigned char type_of(int directory, const struct dirent *entry) {
    struct stat status;
    if (entry->d_type != DT_UNKNOWN || fstatat(directory, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) {
        return entry->d_type;
    }
    return IFTODT(status.st_mode);
}

static bool show_entry(int directory, const struct dirent *entry, const char *scaffold) {
    const char *name = entry->d_name;
    char place[PATH_MAX];
    if (snprintf(place, sizeof place, "%s/%s", scaffold, name) >= (int)sizeof place) {
        errno = ENAMETOOLONG;
        return refused("keeping %s of %s", name, scaffold);
    }
    switch (type_of(directory, entry)) {
    case DT_LNK: {
        char text[PATH_MAX];
        ssize_t length = readlinkat(directory, name, text, sizeof text - 1);
        if (length < 0) {
            return errno == ENOENT || refused("reading the link %s", place);
        }
        text[length] = '\0';
        return symlink(text, place) == 0 || refused("keeping the link %s", place);
    }
    case DT_DIR:
        if (mkdir(place, 0755) != 0) {
            return refused("keeping the directory %s", place);
        }
        break;
    default:
        if (!make_file(place)) {
            return refused("keeping the file %s", place);
        }
    }
    if (bind(directory, name, place)) {
        return true;
    }
    if (errno == ENOENT) {
        /* It was removed in between. */
        return remove(place) == 0 || refused("removing %s", place);
    }
    return refused("binding the real %s", place);
}

static bool show_entries(int directory, const char *scaffold, const char *without) {
    DIR *entries = fdopendir(dup(directory));
    if (entries == NULL) {
        return refused("listing %s", scaffold);
    }
    bool shown = true;
    const struct dirent *entry;
    while (shown && (entry = readdir(entries)) != NULL) {
        const char *name = entry->d_name;
        if (strcmp(name, ".") != 0 && strcmp(name, "..") != 0 && !is_numbered(name, without)) {
            shown = show_entry(directory, entry, scaffold);
        }
    }
    closedir(entries);
    return shown;
}

static bool is_scaffold(const struct stat *status) {
    for (int i = 0; i < scaffold_count; i++) {
        if (scaffolds[i].device == status->st_dev) {
            return true;
        }
    }
    return false;
}

static bool build_scaffold(const char *path, const char *without) {
    if (strcmp(path, "/") == 0 || scaffold_count == SCAFFOLDS) {
        errno = EOPNOTSUPP;
        return refused("making a directory that is missing in %s", path);
    }
    int directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    struct stat status;
    if (directory < 0 || fstat(directory, &status) != 0) {
        return refused("opening %s", path);
    }
    char mode[32];
    snprintf(mode, sizeof mode, "mode=%o", (unsigned)(status.st_mode & 07777));
    bool built = mount("neuron-fake", path, "tmpfs", MS_NOSUID | MS_NODEV, mode) == 0
            || refused("mounting a tmpfs over %s", path);
    if (built) {
        built = show_entries(directory, path, without) && (stat(path, &status) == 0 || refused("reading the status of %s", path));
        if (built) {
            struct scaffold *scaffold = &scaffolds[scaffold_count++];
            scaffold->device = status.st_dev;
            snprintf(scaffold->path, sizeof scaffold->path, "%s", path);
        } else {
            umount2(path, MNT_DETACH);
        }
    }
    close(directory);
    return built;
}

/* Creates the mount point where it cannot be created in the real directory: the directories of a path and its end. */
static bool make_place(const char *target, bool is_directory) {
    char path[PATH_MAX];
    struct stat status;
    size_t length = strlen(target);
    do {
        while (target[--length] != '/') {
        }
        snprintf(path, sizeof path, "%.*s", length == 0 ? 1 : (int)length, target);
    } while (length > 0 && stat(path, &status) != 0 && errno == ENOENT);
    if (stat(path, &status) != 0) {
        return refused("reading the status of %s", path);
    }
    if (!is_scaffold(&status) && !build_scaffold(path, "")) {
        return false;
    }
    const char *slash;
    while ((slash = strchr(target + length + 1, '/')) != NULL) {
        length = (size_t)(slash - target);
        snprintf(path, sizeof path, "%.*s", (int)length, target);
        if (mkdir(path, 0755) != 0) {
            return refused("making %s", path);
        }
    }
    return (is_directory ? mkdir(target, 0755) == 0 : make_file(target)) || refused("making %s", target);
}

bool graft_bind(int source, const char *target) {
    struct stat source_status;
    struct stat status;
    if (strlen(target) >= PATH_MAX || *target != '/') {
        errno = EINVAL;
        return refused("using %s as an absolute path", target);
    }
    if (fstat(source, &source_status) != 0) {
        return refused("reading the status of the fake's %s", target);
    }
    if (stat(target, &status) != 0) {
        if (errno != ENOENT) {
            return refused("reading the status of %s", target);
        }
        if (!make_place(target, S_ISDIR(source_status.st_mode))) {
            return false;
        }
    }
    return bind(source, "", target) || refused("binding the fake to %s", target);
}

bool graft_numbered(const char *source, const char *target, const char *prefix, int count) {
    struct stat status;
    if (stat(target, &status) != 0) {
        return refused("reading the status of %s", target);
    }
    if (!is_scaffold(&status) && !build_scaffold(target, prefix)) {
        return false;
    }
    for (int i = 0; i < count; i++) {
        char text[PATH_MAX];
        char place[PATH_MAX];
        snprintf(text, sizeof text, "%s/%s%d", source, prefix, i);
        snprintf(place, sizeof place, "%s/%s%d", target, prefix, i);
        if (symlink(text, place) != 0) {
            return refused("making %s", place);
        }
    }
    return true;
}

bool graft_seal(void) {
    for (int i = 0; i < scaffold_count; i++) {
        unsigned long flags = MS_REMOUNT | MS_BIND | MS_RDONLY | MS_NOSUID | MS_NODEV;
        if (mount(NULL, scaffolds[i].path, NULL, flags, NULL) != 0) {
            return refused("closing %s to writers", scaffolds[i].path);
        }
    }
    return true;
}
