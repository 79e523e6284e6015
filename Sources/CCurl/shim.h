// libcurl, and what Swift cannot import of it and of Linux: variadic functions, macros and anonymous flags.

#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H

#include <curl/curl.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

// curl_easy_setopt(3), one function for each type of value. Each returns whether libcurl took the value.

static inline int ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return (curl_easy_setopt)(easy, option, value) == CURLE_OK;
}

/// libcurl copies the text. Null stands for no text, which is not libcurl's default for every option.
static inline int ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return (curl_easy_setopt)(easy, option, value) == CURLE_OK;
}

static inline int ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return (curl_easy_setopt)(easy, option, value) == CURLE_OK;
}

/// libcurl keeps the pointer to the list.
static inline int ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *value) {
    return (curl_easy_setopt)(easy, option, value) == CURLE_OK;
}

/// libcurl copies the bytes.
static inline int ccurl_set_blob(CURL *easy, CURLoption option, const void *bytes, size_t count) {
    struct curl_blob blob = {.data = (void *)bytes, .len = count, .flags = CURL_BLOB_COPY};
    return (curl_easy_setopt)(easy, option, &blob) == CURLE_OK;
}

/// Sets the body of a POST request. libcurl copies the bytes.
static inline int ccurl_set_body(CURL *easy, const void *bytes, size_t count) {
    return (curl_easy_setopt)(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)count) == CURLE_OK
        && (curl_easy_setopt)(easy, CURLOPT_COPYPOSTFIELDS, bytes) == CURLE_OK;
}

/// The callbacks of one transfer, which all get the same context.
struct ccurl_callbacks {
    curl_write_callback on_header;
    curl_write_callback on_body;
    curl_prereq_callback before_request;
    curl_opensocket_callback open_socket;
    curl_resolver_start_callback before_resolving;
};

static inline int ccurl_set_callbacks(CURL *easy, struct ccurl_callbacks callbacks, void *context) {
    return (curl_easy_setopt)(easy, CURLOPT_HEADERFUNCTION, callbacks.on_header) == CURLE_OK
        && (curl_easy_setopt)(easy, CURLOPT_HEADERDATA, context) == CURLE_OK
        && (curl_easy_setopt)(easy, CURLOPT_WRITEFUNCTION, callbacks.on_body) == CURLE_OK
        && (curl_easy_setopt)(easy, CURLOPT_WRITEDATA, context) == CURLE_OK
        && (curl_easy_setopt)(easy, CURLOPT_PREREQFUNCTION, callbacks.before_request) == CURLE_OK
        && (curl_easy_setopt)(easy, CURLOPT_PREREQDATA, context) == CURLE_OK
        && (curl_easy_setopt)(easy, CURLOPT_OPENSOCKETFUNCTION, callbacks.open_socket) == CURLE_OK
        && (curl_easy_setopt)(easy, CURLOPT_OPENSOCKETDATA, context) == CURLE_OK
        && (curl_easy_setopt)(easy, CURLOPT_RESOLVER_START_FUNCTION, callbacks.before_resolving) == CURLE_OK
        && (curl_easy_setopt)(easy, CURLOPT_RESOLVER_START_DATA, context) == CURLE_OK
        && (curl_easy_setopt)(easy, CURLOPT_PRIVATE, context) == CURLE_OK;
}

// libcurl recognizes a rejected certificate by the first error in libcrypto's queue. For a signature that does not match,
// the first error is the signature algorithm's, unless it is removed.
static inline int ccurl_verify(int is_good, X509_STORE_CTX *store) {
    (void)store;
    if (!is_good) ERR_clear_error();
    return is_good;
}

static inline CURLcode ccurl_prepare_tls(CURL *easy, void *context, void *argument) {
    (void)easy, (void)argument;
    SSL_CTX_set_verify((SSL_CTX *)context, SSL_VERIFY_PEER, ccurl_verify);
    return CURLE_OK;
}

/// Has libcurl report every refused certificate as such. The certificate must be verified.
static inline int ccurl_verify_certificates(CURL *easy) {
    return (curl_easy_setopt)(easy, CURLOPT_SSL_VERIFYPEER, 1L) == CURLE_OK
        && (curl_easy_setopt)(easy, CURLOPT_SSL_VERIFYHOST, 2L) == CURLE_OK
        && (curl_easy_setopt)(easy, CURLOPT_SSL_CTX_FUNCTION, ccurl_prepare_tls) == CURLE_OK;
}

// curl_easy_getinfo(3)

/// A number that libcurl knows of a transfer; 0 if it knows none.
static inline long ccurl_long(CURL *easy, CURLINFO info) {
    long value = 0;
    return (curl_easy_getinfo)(easy, info, &value) == CURLE_OK ? value : 0;
}

/// The context of a transfer's callbacks.
static inline void *ccurl_context(CURL *easy) {
    void *value = NULL;
    return (curl_easy_getinfo)(easy, CURLINFO_PRIVATE, &value) == CURLE_OK ? value : NULL;
}

// curl_multi_setopt(3)

static inline int ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return (curl_multi_setopt)(multi, option, value) == CURLM_OK;
}

static inline int ccurl_multi_set_callbacks(
    CURLM *multi, curl_socket_callback on_socket, curl_multi_timer_callback on_timer, void *context) {
    return (curl_multi_setopt)(multi, CURLMOPT_SOCKETFUNCTION, on_socket) == CURLM_OK
        && (curl_multi_setopt)(multi, CURLMOPT_SOCKETDATA, context) == CURLM_OK
        && (curl_multi_setopt)(multi, CURLMOPT_TIMERFUNCTION, on_timer) == CURLM_OK
        && (curl_multi_setopt)(multi, CURLMOPT_TIMERDATA, context) == CURLM_OK;
}

/// Initializes libcurl; whether it worked.
static inline int ccurl_global_init(void) {
    return curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK;
}

// Linux

/// A socket for an address that libcurl wants to connect to, closed in child processes.
static inline curl_socket_t ccurl_socket(const struct curl_sockaddr *address) {
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/// A counter that wakes who polls it; -1 and errno on failure.
static inline int ccurl_wake_up_descriptor(void) {
    return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
}

static inline void ccurl_wake_up(int descriptor) {
    (void)!write(descriptor, &(uint64_t){1}, sizeof(uint64_t));
}

static inline void ccurl_reset_wake_up(int descriptor) {
    uint64_t count;
    (void)!read(descriptor, &count, sizeof count);
}

#endif
