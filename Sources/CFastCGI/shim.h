// libfcgi, and what of Linux its wrapper needs.
// Swift imports C without _GNU_SOURCE, so accept4 is declared here.

#ifndef CFASTCGI_SHIM_H
#define CFASTCGI_SHIM_H

#include <fastcgi.h>
#include <fcgiapp.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

/// Accepts one connection, closed in child processes; -1 and errno on failure.
static inline int cfastcgi_accept(int listener) {
    extern int accept4(int, struct sockaddr *__restrict, socklen_t *__restrict, int);
    return accept4(listener, (struct sockaddr *)0, (socklen_t *)0, SOCK_CLOEXEC);
}

#endif
