/*
 * Waits for events of a file with poll and reads it after each.
 *
 *   await_event FILE
 *
 * Writes "ready" when it waits for the first time, then at each event one line with the time at which poll returned, in
 * nanoseconds of the monotonic clock.
 */
#define _XOPEN_SOURCE 700
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
    char content[4096];
    int file = argc == 2 ? open(argv[1], O_RDONLY | O_CLOEXEC) : -1;
    if (file < 0 || pread(file, content, sizeof content, 0) < 0) {
        perror("await_event");
        return 1;
    }
    puts("ready");
    for (;;) {
        fflush(stdout);
        struct pollfd one = {.fd = file, .events = POLLPRI | POLLERR};
        int events = poll(&one, 1, -1);
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        if (events != 1 || (one.revents & (POLLPRI | POLLERR)) != (POLLPRI | POLLERR)
            || pread(file, content, sizeof content, 0) <= 0) {
            fprintf(stderr, "await_event: poll says %d, events %x\n", events, one.revents);
            return 1;
        }
        printf("%lld\n", now.tv_sec * 1000000000LL + now.tv_nsec);
    }
}
