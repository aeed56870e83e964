/* Executes each line of standard input as a call on one open attribute, and prints the outcome in a line. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

static int fd = -1;

static void outcome(long result) {
    if (result < 0)
        printf("error %s\n", strerrorname_np(errno));
    else
        printf("%ld\n", result);
}

/* Prints the text of one read, with its newlines as bars. */
static void text(const char *bytes, long length) {
    if (length < 0) {
        outcome(length);
        return;
    }
    for (long i = 0; i < length; i++)
        putchar(bytes[i] == '\n' ? '|' : bytes[i]);
    putchar('\n');
}

static void wait_by_poll(int milliseconds) {
    struct pollfd one = {.fd = fd, .events = POLLPRI};
    int count = poll(&one, 1, milliseconds);
    if (count == 0)
        puts("quiet");
    else
        printf("%s%s%s\n", count < 0 ? "error" : "woken", one.revents & POLLPRI ? " PRI" : "",
               one.revents & POLLERR ? " ERR" : "");
}

static void wait_by_select(int milliseconds) {
    fd_set exceptional;
    FD_ZERO(&exceptional);
    FD_SET(fd, &exceptional);
    struct timeval limit = {milliseconds / 1000, milliseconds % 1000 * 1000};
    int count = select(fd + 1, NULL, NULL, &exceptional, &limit);
    puts(count < 0 ? "error" : count == 0 ? "quiet" : "woken");
}

static void wait_by_epoll(int milliseconds) {
    static int queue = -1, watched = -1;
    if (queue < 0)
        queue = epoll_create1(EPOLL_CLOEXEC);
    if (watched != fd) {
        struct epoll_event interest = {.events = EPOLLPRI | EPOLLET};
        if (epoll_ctl(queue, EPOLL_CTL_ADD, fd, &interest) != 0) {
            outcome(-1);
            return;
        }
        watched = fd;
    }
    struct epoll_event event = {0};
    int count = epoll_wait(queue, &event, 1, milliseconds);
    puts(count < 0 ? "error" : count == 0 ? "quiet" : event.events & EPOLLPRI ? "woken PRI" : "woken");
}

int main(void) {
    static char line[16384], buffer[65536];
    setvbuf(stdout, NULL, _IOLBF, 0);
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        char *word = strtok(line, " ");
        char *rest = strtok(NULL, "");
        long number = rest ? strtol(rest, NULL, 0) : 0;
        if (!word)
            continue;
        if (!strcmp(word, "open")) {
            outcome(fd = open(rest, O_RDONLY));
        } else if (!strcmp(word, "open-to-write")) {
            outcome(fd = open(rest, O_WRONLY));
        } else if (!strcmp(word, "open-to-append")) {
            outcome(fd = open(rest, O_WRONLY | O_APPEND));
        } else if (!strcmp(word, "create")) {
            outcome(open(rest, O_WRONLY | O_CREAT, 0644));
        } else if (!strcmp(word, "close")) {
            outcome(close(fd));
        } else if (!strcmp(word, "pread")) {
            text(buffer, pread(fd, buffer, sizeof buffer, number));
        } else if (!strcmp(word, "read")) {
            text(buffer, read(fd, buffer, rest ? (size_t) number : sizeof buffer));
        } else if (!strcmp(word, "seek")) {
            outcome(lseek(fd, number, SEEK_SET));
        } else if (!strcmp(word, "seek-end")) {
            outcome(lseek(fd, 0, SEEK_END));
        } else if (!strcmp(word, "write")) {
            memset(buffer, '7', (size_t) number);
            outcome(write(fd, buffer, (size_t) number));
        } else if (!strcmp(word, "truncate")) {
            outcome(truncate(rest, 0));
        } else if (!strcmp(word, "size")) {
            struct stat now;
            outcome(fstat(fd, &now) < 0 ? -1 : now.st_size);
        } else if (!strcmp(word, "map-shared") || !strcmp(word, "map-private")) {
            void *map = mmap(NULL, 4096, PROT_READ, word[4] == 's' ? MAP_SHARED : MAP_PRIVATE, fd, 0);
            outcome(map == MAP_FAILED ? -1 : 0);
        } else if (!strcmp(word, "mkdir")) {
            outcome(mkdir(rest, 0755));
        } else if (!strcmp(word, "unlink")) {
            outcome(unlink(rest));
        } else if (!strcmp(word, "chmod")) {
            outcome(chmod(rest, 0600));
        } else if (!strcmp(word, "poll")) {
            wait_by_poll((int) number);
        } else if (!strcmp(word, "select")) {
            wait_by_select((int) number);
        } else if (!strcmp(word, "epoll")) {
            wait_by_epoll((int) number);
        } else {
            puts("unknown");
        }
    }
    return 0;
}
