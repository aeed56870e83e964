#include "internal.h"

#include <stdlib.h>

/* A hash table with open addressing. Its size is a power of two, and at least half of it is free. */

struct slot {
    const void *pointer;
    enum handle_kind kind;
};

static const char *const NAMES[] = {
    [HANDLE_MODEL] = "model",
    [HANDLE_TENSOR] = "tensor",
    [HANDLE_SET] = "tensor set",
    [HANDLE_TENSOR_INFO] = "tensor info",
    [HANDLE_TRACE_CONFIG] = "configuration of a system trace",
    [HANDLE_TRACE_OPTIONS] = "options of a fetch",
    [HANDLE_TRACE_EVENTS] = "buffer of trace events",
    [HANDLE_EVENT_TYPES] = "array of event types",
    [HANDLE_INSPECT_CONFIG] = "configuration of inspect",
    [HANDLE_ACTIVITY_TYPES] = "array of activity types",
    [HANDLE_CONTINUOUS_OPTIONS] = "options of a continuous profile",
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct slot *slots;
static size_t capacity;
static size_t used;

static size_t place(const void *pointer) {
    uint64_t bits = (uint64_t)(uintptr_t)pointer >> 4;
    return (size_t)(bits * 0x9E3779B97F4A7C15u >> 20) & (capacity - 1);
}

static struct slot *find(const void *pointer) {
    if (capacity == 0 || pointer == NULL) {
        return NULL;
    }
    for (size_t i = place(pointer); slots[i].pointer != NULL; i = (i + 1) & (capacity - 1)) {
        if (slots[i].pointer == pointer) {
            return &slots[i];
        }
    }
    return NULL;
}

static void insert(const void *pointer, enum handle_kind kind) {
    size_t i = place(pointer);
    while (slots[i].pointer != NULL) {
        i = (i + 1) & (capacity - 1);
    }
    slots[i] = (struct slot){pointer, kind};
    used++;
}

static bool grow(void) {
    struct slot *old = slots;
    size_t old_capacity = capacity;
    size_t larger = capacity == 0 ? 256 : capacity * 2;
    struct slot *fresh = calloc(larger, sizeof *fresh);
    if (fresh == NULL) {
        return false;
    }
    slots = fresh;
    capacity = larger;
    used = 0;
    for (size_t i = 0; i < old_capacity; i++) {
        if (old[i].pointer != NULL) {
            insert(old[i].pointer, old[i].kind);
        }
    }
    free(old);
    return true;
}

static void erase(struct slot *slot) {
    size_t i = (size_t)(slot - slots);
    slots[i].pointer = NULL;
    used--;
    /* The following entries might belong before the gap. */
    for (i = (i + 1) & (capacity - 1); slots[i].pointer != NULL; i = (i + 1) & (capacity - 1)) {
        struct slot moved = slots[i];
        slots[i].pointer = NULL;
        used--;
        insert(moved.pointer, moved.kind);
    }
}

bool handle_add(const void *pointer, enum handle_kind kind) {
    pthread_mutex_lock(&lock);
    struct slot *freed = find(pointer);
    bool room = freed != NULL || used * 2 < capacity || grow();
    if (freed != NULL) {
        /* An array that the program has freed itself, which the headers permit. */
        freed->kind = kind;
    } else if (room) {
        insert(pointer, kind);
    }
    pthread_mutex_unlock(&lock);
    return room;
}

static bool alive(bool is, const void *pointer, enum handle_kind kind) {
    if (!is && pointer != NULL) {
        contract_broken(kind, "%p is not a valid %s: it was freed, or it never was one", pointer, NAMES[kind]);
    }
    return is;
}

bool handle_is(const void *pointer, enum handle_kind kind) {
    pthread_mutex_lock(&lock);
    struct slot *slot = find(pointer);
    bool is = slot != NULL && slot->kind == kind;
    pthread_mutex_unlock(&lock);
    return alive(is, pointer, kind);
}

bool handle_remove(const void *pointer, enum handle_kind kind) {
    pthread_mutex_lock(&lock);
    struct slot *slot = find(pointer);
    bool was = slot != NULL && slot->kind == kind;
    if (was) {
        erase(slot);
    }
    pthread_mutex_unlock(&lock);
    return alive(was, pointer, kind);
}

bool handle_any(enum handle_kind kind, bool (*is)(const void *pointer, const void *wanted), const void *wanted) {
    bool found = false;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < capacity && !found; i++) {
        found = slots[i].pointer != NULL && slots[i].kind == kind && is(slots[i].pointer, wanted);
    }
    pthread_mutex_unlock(&lock);
    return found;
}

void *handle_take_any(enum handle_kind kind) {
    void *taken = NULL;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < capacity && taken == NULL; i++) {
        if (slots[i].pointer != NULL && slots[i].kind == kind) {
            taken = (void *)(uintptr_t)slots[i].pointer;
            erase(&slots[i]);
        }
    }
    pthread_mutex_unlock(&lock);
    return taken;
}

void handles_abandon(void) {
    pthread_mutex_init(&lock, NULL);
}
