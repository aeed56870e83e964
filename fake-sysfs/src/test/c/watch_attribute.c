/* Prints an attribute, and again after each change that poll reports; ends with 1 if a change takes 20 s. */
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

int main(int count, char **arguments) {
    int attribute = count == 2 ? open(arguments[1], O_RDONLY) : -1;
    struct pollfd watched = {.fd = attribute, .events = POLLPRI};
    char content[4096];
    ssize_t length;
    while ((length = pread(attribute, content, sizeof content, 0)) >= 0) {
        printf("%.*s", (int)length, content);
        fflush(stdout);
        if (poll(&watched, 1, 20000) != 1) {
            break;
        }
        printf("%s%s ", watched.revents & POLLPRI ? "PRI" : "", watched.revents & POLLERR ? "+ERR" : "");
    }
    return 1;
}
