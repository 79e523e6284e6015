// libssl 3 for clients, and parts of it that Swift cannot import: macros and callbacks.

#ifndef CTLS_SHIM_H
#define CTLS_SHIM_H

#include <errno.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>

/// A connected socket that libssl reads from and writes to. libssl's own socket BIO raises SIGPIPE, and cannot read
/// from a socket with a timeout without waiting.
struct ctls_socket {
    int descriptor;
    /// The flags of recv(2) for the next reads.
    int receive_flags;
    /// Whether the last read or write must be repeated once the socket is ready.
    int is_waiting;
    /// The error number of the last read or write that failed permanently; 0 if the server closed the connection.
    int error;
};

static inline int ctls_result(BIO *bio, struct ctls_socket *socket, ssize_t count, int retry_flag) {
    socket->is_waiting = count < 0 && (errno == EAGAIN || errno == EINTR);
    if (socket->is_waiting) BIO_set_flags(bio, retry_flag | BIO_FLAGS_SHOULD_RETRY);
    else if (count <= 0) socket->error = count < 0 ? errno : 0;
    return (int)count;
}

static inline int ctls_receive(BIO *bio, char *bytes, int count) {
    struct ctls_socket *socket = (struct ctls_socket *)BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    ssize_t received = recv(socket->descriptor, bytes, (size_t)count, socket->receive_flags);
    return ctls_result(bio, socket, received, BIO_FLAGS_READ);
}

static inline int ctls_send(BIO *bio, const char *bytes, int count) {
    struct ctls_socket *socket = (struct ctls_socket *)BIO_get_data(bio);
    BIO_clear_retry_flags(bio);
    ssize_t sent = send(socket->descriptor, bytes, (size_t)count, MSG_NOSIGNAL | MSG_DONTWAIT);
    return ctls_result(bio, socket, sent, BIO_FLAGS_WRITE);
}

static inline long ctls_control(BIO *bio, int command, long number, void *pointer) {
    (void)bio, (void)number, (void)pointer;
    return command == BIO_CTRL_FLUSH;
}

/// Creates the BIO type for ctls_attach, once per process. Returns NULL if memory is exhausted.
static inline BIO_METHOD *ctls_new_socket_type(void) {
    BIO_METHOD *type = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "Redis socket");
    if (type && BIO_meth_set_read(type, ctls_receive) && BIO_meth_set_write(type, ctls_send)
        && BIO_meth_set_ctrl(type, ctls_control)) return type;
    BIO_meth_free(type);
    return NULL;
}

/// Makes a session use a socket, which must outlive the session.
static inline int ctls_attach(SSL *session, const BIO_METHOD *type, struct ctls_socket *socket) {
    BIO *bio = BIO_new(type);
    if (!bio) return 0;
    BIO_set_data(bio, socket);
    SSL_set_bio(session, bio, bio);
    return 1;
}

/// Creates the common settings of all sessions: certificate verification, TLS 1.2 or later, no renegotiation and no
/// resumption.
///
/// Without SSL_MODE_AUTO_RETRY, libssl returns after each session ticket, so a server that sends tickets without end
/// cannot block a thread beyond its deadline. With read-ahead, reading a reply takes one recv(2) instead of two.
static inline SSL_CTX *ctls_new_context(void) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    if (!context) return NULL;
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_clear_mode(context, SSL_MODE_AUTO_RETRY);
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_read_ahead(context, 1);
    if (SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION)) return context;
    SSL_CTX_free(context);
    return NULL;
}

static inline int ctls_no_password(char *buffer, int size, int is_writing, void *argument) {
    (void)buffer, (void)size, (void)is_writing, (void)argument;
    return -1;
}

/// Trusts the certificates in a PEM text.
static inline int ctls_trust(SSL_CTX *context, const void *pem, int count) {
    BIO *source = BIO_new_mem_buf(pem, count);
    if (!source) return 0;
    X509 *certificate;
    int is_good = 1;
    while (is_good && (certificate = PEM_read_bio_X509(source, NULL, ctls_no_password, NULL))) {
        is_good = X509_STORE_add_cert(SSL_CTX_get_cert_store(context), certificate);
        X509_free(certificate);
    }
    BIO_free(source);
    return is_good;
}

/// Sets the client certificate, which comes first in the PEM text, and the certificates of its issuers.
static inline int ctls_use_certificates(SSL_CTX *context, const void *pem, int count) {
    BIO *source = BIO_new_mem_buf(pem, count);
    if (!source) return 0;
    X509 *certificate;
    int number = 0, is_good = 1;
    while (is_good && (certificate = PEM_read_bio_X509(source, NULL, ctls_no_password, NULL))) {
        is_good = number++ == 0
            ? SSL_CTX_use_certificate(context, certificate) == 1
            : SSL_CTX_add1_chain_cert(context, certificate) == 1;
        X509_free(certificate);
    }
    BIO_free(source);
    return is_good && number > 0;
}

/// Sets the private key of the client certificate, which must be unencrypted PEM.
static inline int ctls_use_key(SSL_CTX *context, const void *pem, int count) {
    BIO *source = BIO_new_mem_buf(pem, count);
    if (!source) return 0;
    EVP_PKEY *key = PEM_read_bio_PrivateKey(source, NULL, ctls_no_password, NULL);
    BIO_free(source);
    if (!key) return 0;
    int is_good = SSL_CTX_use_PrivateKey(context, key) == 1;
    EVP_PKEY_free(key);
    return is_good;
}

/// Requires that the server certificate names an IP address in its subjectAltName. Returns 0 if the text is not an IP
/// address.
static inline int ctls_require_address(SSL *session, const char *address) {
    return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), address);
}

/// Requires that the server certificate names a host in its subjectAltName, and sends the host name (SNI).
static inline int ctls_require_name(SSL *session, const char *name) {
    SSL_set_hostflags(session, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS | X509_CHECK_FLAG_NEVER_CHECK_SUBJECT);
    return SSL_set1_host(session, name) && SSL_set_tlsext_host_name(session, name);
}

/// Returns whether the last error is that the server sent something other than a TLS record.
static inline int ctls_is_not_tls(void) {
    unsigned long error = ERR_peek_last_error();
    if (ERR_GET_LIB(error) != ERR_LIB_SSL) return 0;
    switch (ERR_GET_REASON(error)) {
    case SSL_R_WRONG_VERSION_NUMBER:
    case SSL_R_PACKET_LENGTH_TOO_LONG:
    case SSL_R_HTTP_REQUEST:
    case SSL_R_UNEXPECTED_MESSAGE:
    case SSL_R_BAD_RECORD_TYPE:
        return 1;
    default:
        return 0;
    }
}

#endif
