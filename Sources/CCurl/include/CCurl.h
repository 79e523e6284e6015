// libcurl, and parts of libcurl and Linux that Swift cannot import: variadic functions, macros and anonymous flags.

#ifndef CCURL_H
#define CCURL_H

#include <curl/curl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <sys/epoll.h>
#include <sys/socket.h>

/// The libcurl functions that ccurl_global_init has loaded.
///
/// The program is not linked with libcurl, which depends on thirty other libraries. A process loads libcurl with its
/// first outgoing request, so workers that send no requests use 4 MiB less memory, and commands start faster.
struct ccurl_functions {
    CURLcode (*global_init)(long flags);
    CURL *(*easy_init)(void);
    CURLcode (*easy_setopt)(CURL *easy, CURLoption option, ...);
    CURLcode (*easy_getinfo)(CURL *easy, CURLINFO info, ...);
    CURLcode (*easy_perform)(CURL *easy);
    void (*easy_cleanup)(CURL *easy);
    struct curl_slist *(*slist_append)(struct curl_slist *list, const char *text);
    void (*slist_free_all)(struct curl_slist *list);
    CURLM *(*multi_init)(void);
    CURLMcode (*multi_setopt)(CURLM *multi, CURLMoption option, ...);
    CURLMcode (*multi_add_handle)(CURLM *multi, CURL *easy);
    CURLMcode (*multi_remove_handle)(CURLM *multi, CURL *easy);
    CURLMsg *(*multi_info_read)(CURLM *multi, int *count);
    CURLMcode (*multi_socket_action)(CURLM *multi, curl_socket_t socket, int events, int *running);
    CURLMcode (*multi_cleanup)(CURLM *multi);
};

extern struct ccurl_functions ccurl_functions;

/// Loads and initializes libcurl. Must be called once per process, before all other functions. Returns whether it
/// succeeded.
int ccurl_global_init(void);

// Wrappers of libcurl's functions with the same names. libcurl's own declarations are not linked.

static inline CURL *ccurl_easy_init(void) { return ccurl_functions.easy_init(); }
static inline CURLcode ccurl_easy_perform(CURL *easy) { return ccurl_functions.easy_perform(easy); }
static inline void ccurl_easy_cleanup(CURL *easy) { ccurl_functions.easy_cleanup(easy); }

static inline struct curl_slist *ccurl_slist_append(struct curl_slist *list, const char *text) {
    return ccurl_functions.slist_append(list, text);
}

static inline void ccurl_slist_free_all(struct curl_slist *list) { ccurl_functions.slist_free_all(list); }
static inline CURLM *ccurl_multi_init(void) { return ccurl_functions.multi_init(); }

static inline CURLMcode ccurl_multi_add_handle(CURLM *multi, CURL *easy) {
    return ccurl_functions.multi_add_handle(multi, easy);
}

static inline CURLMcode ccurl_multi_remove_handle(CURLM *multi, CURL *easy) {
    return ccurl_functions.multi_remove_handle(multi, easy);
}

static inline CURLMsg *ccurl_multi_info_read(CURLM *multi, int *count) {
    return ccurl_functions.multi_info_read(multi, count);
}

static inline CURLMcode ccurl_multi_socket_action(CURLM *multi, curl_socket_t socket, int events, int *running) {
    return ccurl_functions.multi_socket_action(multi, socket, events, running);
}

static inline CURLMcode ccurl_multi_cleanup(CURLM *multi) { return ccurl_functions.multi_cleanup(multi); }

// curl_easy_setopt(3): one function per value type. Each returns whether libcurl accepted the value.

static inline int ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return ccurl_functions.easy_setopt(easy, option, value) == CURLE_OK;
}

/// libcurl copies the text. NULL unsets the option, which is not the default for every option.
static inline int ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return ccurl_functions.easy_setopt(easy, option, value) == CURLE_OK;
}

static inline int ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return ccurl_functions.easy_setopt(easy, option, value) == CURLE_OK;
}

/// libcurl keeps the pointer to the list.
static inline int ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return ccurl_functions.easy_setopt(easy, option, value) == CURLE_OK;
}

/// libcurl copies the bytes.
static inline int ccurl_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {.data = (void *)bytes, .len = count, .flags = CURL_BLOB_COPY};
    return ccurl_functions.easy_setopt(easy, option, &blob) == CURLE_OK;
}

/// Sets the body of a POST request. libcurl copies the bytes.
static inline int ccurl_set_body(CURL *easy, const void *bytes, size_t count) {
    return ccurl_functions.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count) == CURLE_OK
        && ccurl_functions.easy_setopt(easy, CURLOPT_COPYPOSTFIELDS, bytes) == CURLE_OK;
}

/// Sets the content to upload, which libcurl requests part by part. It keeps the pointers.
static inline int ccurl_set_upload(CURL *easy, curl_read_callback read, void *context, size_t count) {
    return ccurl_functions.easy_setopt(easy, CURLOPT_UPLOAD, 1L) == CURLE_OK
        && ccurl_functions.easy_setopt(easy, CURLOPT_READFUNCTION, read) == CURLE_OK
        && ccurl_functions.easy_setopt(easy, CURLOPT_READDATA, context) == CURLE_OK
        && ccurl_functions.easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)count) == CURLE_OK;
}

/// The callbacks of one transfer. All receive the same context.
struct ccurl_callbacks {
    curl_write_callback on_header;
    curl_write_callback on_body;
    curl_prereq_callback before_request;
    curl_opensocket_callback open_socket;
    curl_resolver_start_callback before_resolving;
    curl_xferinfo_callback on_progress;
};

static inline int ccurl_set_callbacks(CURL *easy, struct ccurl_callbacks callbacks, void *context) {
    return ccurl_functions.easy_setopt(easy, CURLOPT_HEADERFUNCTION, callbacks.on_header) == CURLE_OK
        && ccurl_functions.easy_setopt(easy, CURLOPT_HEADERDATA, context) == CURLE_OK
        && ccurl_functions.easy_setopt(easy, CURLOPT_WRITEFUNCTION, callbacks.on_body) == CURLE_OK
        && ccurl_functions.easy_setopt(easy, CURLOPT_WRITEDATA, context) == CURLE_OK
        && ccurl_functions.easy_setopt(easy, CURLOPT_PREREQFUNCTION, callbacks.before_request) == CURLE_OK
        && ccurl_functions.easy_setopt(easy, CURLOPT_PREREQDATA, context) == CURLE_OK
        && ccurl_functions.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, callbacks.open_socket) == CURLE_OK
        && ccurl_functions.easy_setopt(easy, CURLOPT_OPENSOCKETDATA, context) == CURLE_OK
        && ccurl_functions.easy_setopt(easy, CURLOPT_RESOLVER_START_FUNCTION, callbacks.before_resolving) == CURLE_OK
        && ccurl_functions.easy_setopt(easy, CURLOPT_RESOLVER_START_DATA, context) == CURLE_OK
        && ccurl_functions.easy_setopt(easy, CURLOPT_XFERINFOFUNCTION, callbacks.on_progress) == CURLE_OK
        && ccurl_functions.easy_setopt(easy, CURLOPT_XFERINFODATA, context) == CURLE_OK
        && ccurl_functions.easy_setopt(easy, CURLOPT_NOPROGRESS, 0L) == CURLE_OK
        && ccurl_functions.easy_setopt(easy, CURLOPT_PRIVATE, context) == CURLE_OK;
}

// libcurl recognizes a rejected certificate by the first error in libcrypto's queue. If a signature does not match, the
// first error would be that of the signature algorithm, so the queue is cleared.
static inline int ccurl_verify(int is_good, X509_STORE_CTX *store) {
    (void)store;
    if (!is_good) ERR_clear_error();
    return is_good;
}

/// The maximum number of session tickets (RFC 8446 § 4.6.1) on one connection. Most servers send two.
static const uintptr_t ccurl_maximum_tickets = 1000;

// libssl reads tickets for as long as they arrive: a server that sends them without end would block the thread forever.
static inline void ccurl_count_tickets(
    int is_sent, int version, int type, const void *bytes, size_t count, SSL *ssl, void *tickets) {
    (void)version;
    if (is_sent || type != SSL3_RT_HANDSHAKE || count == 0) return;
    if (*(const unsigned char *)bytes != SSL3_MT_NEWSESSION_TICKET) return;
    uintptr_t number = (uintptr_t)tickets + 1;
    SSL_set_msg_callback_arg(ssl, (void *)number);
    if (number > ccurl_maximum_tickets) SSL_set_shutdown(ssl, SSL_get_shutdown(ssl) | SSL_RECEIVED_SHUTDOWN);
}

static inline CURLcode ccurl_prepare_tls(CURL *easy, void *context, void *argument) {
    (void)easy, (void)argument;
    SSL_CTX_set_verify((SSL_CTX *)context, SSL_VERIFY_PEER, ccurl_verify);
    SSL_CTX_set_msg_callback((SSL_CTX *)context, ccurl_count_tickets);
    return CURLE_OK;
}

/// Requires a valid certificate, makes libcurl report every rejected certificate as such, and limits the session
/// tickets.
static inline int ccurl_verify_certificates(CURL *easy) {
    return ccurl_functions.easy_setopt(easy, CURLOPT_SSL_VERIFYPEER, 1L) == CURLE_OK
        && ccurl_functions.easy_setopt(easy, CURLOPT_SSL_VERIFYHOST, 2L) == CURLE_OK
        && ccurl_functions.easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, ccurl_prepare_tls) == CURLE_OK;
}

// curl_easy_getinfo(3)

/// Returns a numeric property of a transfer; 0 if libcurl does not have it.
static inline long ccurl_long(CURL *easy, CURLINFO info) {
    long value = 0;
    return ccurl_functions.easy_getinfo(easy, info, &value) == CURLE_OK ? value : 0;
}

/// Returns the context of a transfer's callbacks.
static inline void *ccurl_context(CURL *easy) {
    void *value = NULL;
    return ccurl_functions.easy_getinfo(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

/// Ends the reading from an idle connection, so that libcurl closes it without waiting for the server.
static inline void ccurl_stop_reading(CURL *easy) {
    curl_socket_t socket = CURL_SOCKET_BAD;
    ccurl_functions.easy_getinfo(easy, CURLINFO_ACTIVESOCKET, &socket);
    if (socket != CURL_SOCKET_BAD) shutdown(socket, SHUT_RD);
}

// curl_multi_setopt(3)

static inline int ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return ccurl_functions.multi_setopt(multi, option, value) == CURLM_OK;
}

static inline int ccurl_multi_set_callbacks(
    CURLM *multi, curl_socket_callback on_socket, curl_multi_timer_callback on_timer, void *context) {
    return ccurl_functions.multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, on_socket) == CURLM_OK
        && ccurl_functions.multi_setopt(multi, CURLMOPT_SOCKETDATA, context) == CURLM_OK
        && ccurl_functions.multi_setopt(multi, CURLMOPT_TIMERFUNCTION, on_timer) == CURLM_OK
        && ccurl_functions.multi_setopt(multi, CURLMOPT_TIMERDATA, context) == CURLM_OK;
}

// Linux

/// Opens a close-on-exec socket for an address to which libcurl connects.
static inline curl_socket_t ccurl_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/// poll(2)'s POLLRDHUP (the peer has closed its direction), which is declared only with _GNU_SOURCE.
static const short ccurl_poll_end = 0x2000;

#endif
