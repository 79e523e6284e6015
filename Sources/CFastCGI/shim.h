// libfcgi, and the parts of Linux that its wrapper needs.
// Swift imports C without _GNU_SOURCE, so accept4 and POLLRDHUP are declared here.

#ifndef CFASTCGI_SHIM_H
#define CFASTCGI_SHIM_H

#include <fastcgi.h>
#include <fcgiapp.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>

// Asserts that a field that FCGXRequest.swift uses has the same offset as in libfcgi 2.4.2: behind this number of
// pointers and ints.
#define CFASTCGI_ASSERT_FIELD(type, field, pointers, ints)                                                   \
    _Static_assert(__builtin_offsetof(type, field) == (pointers) * sizeof(void *) + (ints) * sizeof(int),    \
                   #type "." #field " is not where libfcgi 2.4.2 has it")
CFASTCGI_ASSERT_FIELD(FCGX_Request, requestId, 0, 0);
CFASTCGI_ASSERT_FIELD(FCGX_Request, role, 0, 1);
CFASTCGI_ASSERT_FIELD(FCGX_Request, in, 0, 2);
CFASTCGI_ASSERT_FIELD(FCGX_Request, envp, 3, 2);
CFASTCGI_ASSERT_FIELD(FCGX_Request, ipcFd, 5, 2);
CFASTCGI_ASSERT_FIELD(FCGX_Request, keepConnection, 5, 4);
CFASTCGI_ASSERT_FIELD(FCGX_Request, detached, 5, 9);
CFASTCGI_ASSERT_FIELD(FCGX_Stream, rdNext, 0, 0);
CFASTCGI_ASSERT_FIELD(FCGX_Stream, stop, 2, 0);
_Static_assert(sizeof(FCGX_Request) == 5 * sizeof(void *) + 10 * sizeof(int), "FCGX_Request has other fields");
#undef CFASTCGI_ASSERT_FIELD

/// Accepts a connection and sets close-on-exec. Returns -1 and sets errno on failure.
static inline int cfastcgi_accept(int listener) {
    extern int accept4(int, struct sockaddr *__restrict, socklen_t *__restrict, int);
    return accept4(listener, (struct sockaddr *)0, (socklen_t *)0, SOCK_CLOEXEC);
}

/// Returns whether the peer has closed the connection. False if the peer has closed only its own direction, or if this
/// end was shut down for reading.
///
/// A closed Unix socket reports POLLHUP. TCP cannot signal that both directions are closed, so a FIN counts.
static inline int cfastcgi_is_closed_by_peer(int descriptor) {
    const short read_hang_up = 0x2000; // POLLRDHUP
    struct pollfd state = {.fd = descriptor, .events = read_hang_up};
    if (poll(&state, 1, 0) <= 0) return 0;
    if (state.revents & (POLLHUP | POLLERR)) return 1;
    unsigned char tcp_state = TCP_ESTABLISHED; // the first member of struct tcp_info
    socklen_t size = sizeof tcp_state;
    if (getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &tcp_state, &size) != 0) return 0; // a Unix socket
    return tcp_state == TCP_CLOSE || tcp_state == TCP_CLOSE_WAIT;
}

#endif
