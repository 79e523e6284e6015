// libcrypto 3, and parts of it that Swift cannot import: macros and C callbacks.

#ifndef COPENSSL_SHIM_H
#define COPENSSL_SHIM_H

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/decoder.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

static inline int copenssl_no_password(
    char *buffer, size_t size, size_t *length, const OSSL_PARAM *parameters, void *argument) {
    (void)buffer, (void)size, (void)parameters, (void)argument;
    *length = 0;
    return 0;
}

/// Parses a PEM key of a type such as "RSA": a key pair or a public key. Returns NULL if the text contains no such key,
/// or if the key is encrypted. Without a callback, libcrypto would prompt for the passphrase on the terminal.
///
/// The decoder keeps pointers to its arguments, which would outlive Swift's strings and variables.
static inline EVP_PKEY *copenssl_read_key(const char *type, int is_private, const unsigned char *pem, size_t count) {
    EVP_PKEY *key = NULL;
    OSSL_DECODER_CTX *decoder = OSSL_DECODER_CTX_new_for_pkey(
        &key, "PEM", NULL, type, is_private ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY, NULL, NULL);
    if (!decoder) return NULL;
    int is_read = OSSL_DECODER_CTX_set_passphrase_cb(decoder, copenssl_no_password, NULL)
        && OSSL_DECODER_from_data(decoder, &pem, &count);
    OSSL_DECODER_CTX_free(decoder);
    if (is_read) return key;
    EVP_PKEY_free(key);
    return NULL;
}

/// Generates an RSA key with this number of bits.
static inline EVP_PKEY *copenssl_generate_rsa(size_t bits) {
    return EVP_RSA_gen(bits);
}

/// Generates a key on the curve P-256.
static inline EVP_PKEY *copenssl_generate_p256(void) {
    return EVP_EC_gen("P-256");
}

/// Sets an HMAC context's hash function and key. The parameters keep pointers to their names.
static inline int copenssl_hmac_init(
    EVP_MAC_CTX *context, const char *hash, const unsigned char *key, size_t key_bytes) {
    OSSL_PARAM parameters[2] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char *)hash, 0), OSSL_PARAM_construct_end()
    };
    return EVP_MAC_init(context, key, key_bytes, parameters);
}

static inline int copenssl_no_pem_password(char *buffer, int size, int is_writing, void *argument) {
    (void)buffer, (void)size, (void)is_writing, (void)argument;
    return -1;
}

/// Reads the first unencrypted private key of a PEM text, also after certificates. Returns NULL if there is none.
static inline EVP_PKEY *copenssl_read_private_key(const unsigned char *pem, size_t count) {
    BIO *source = BIO_new_mem_buf(pem, (int)count);
    EVP_PKEY *key = source ? PEM_read_bio_PrivateKey(source, NULL, copenssl_no_pem_password, NULL) : NULL;
    BIO_free(source);
    return key;
}

/// Reads the next PEM certificate. Returns NULL if there is none, or if it is malformed or encrypted.
static inline X509 *copenssl_read_certificate(BIO *source) {
    return PEM_read_bio_X509(source, NULL, copenssl_no_pem_password, NULL);
}

/// Returns whether the last error is that a PEM reader found no further object, which marks the end.
static inline int copenssl_is_end_of_pem(void) {
    unsigned long error = ERR_peek_last_error();
    return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
}

/// Returns the bytes written to a memory BIO, which owns them.
static inline long copenssl_memory(BIO *bio, char **bytes) {
    return BIO_get_mem_data(bio, bytes);
}

#endif
