#pragma once
#include <openssl/bio.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/ocsp.h>
#include <openssl/params.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string.h>
#include <time.h>

// What OpenSSL offers as macros, and Swift can't import therefore. Functions of one line; what is decided with them
// stands in WaymarkTLS.

static inline int CWaymarkOpenSSL_setProtocolVersions(SSL_CTX *context, int minimum, int maximum) {
    return SSL_CTX_set_min_proto_version(context, minimum) == 1 && SSL_CTX_set_max_proto_version(context, maximum) == 1;
}

static inline void CWaymarkOpenSSL_setOptions(SSL_CTX *context) {
    SSL_CTX_set_options(
        context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION | SSL_OP_CIPHER_SERVER_PREFERENCE |
                     SSL_OP_PRIORITIZE_CHACHA);
}

static inline void CWaymarkOpenSSL_setModes(SSL_CTX *context) {
    SSL_CTX_set_mode(
        context, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                     SSL_MODE_NO_AUTO_CHAIN);
}

static inline void CWaymarkOpenSSL_setSessionCacheOff(SSL_CTX *context) {
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
}

static inline int CWaymarkOpenSSL_setGroups(SSL_CTX *context, const char *list) {
    return SSL_CTX_set1_groups_list(context, list) == 1;
}

static inline void CWaymarkOpenSSL_setServerNameCallback(
    SSL_CTX *context, int (*callback)(SSL *session, int *alert, void *argument), void *argument) {
    SSL_CTX_set_tlsext_servername_callback(context, callback);
    SSL_CTX_set_tlsext_servername_arg(context, argument);
}

static inline void CWaymarkOpenSSL_setStapleCallback(SSL_CTX *context, int (*callback)(SSL *session, void *argument)) {
    SSL_CTX_set_tlsext_status_cb(context, callback);
}

/// Takes a copy of the bytes; 0 where memory is out.
static inline int CWaymarkOpenSSL_setStaple(SSL *session, const unsigned char *bytes, size_t count) {
    unsigned char *copy = OPENSSL_memdup(bytes, count);
    if (copy == NULL) return 0;
    SSL_set_tlsext_status_ocsp_resp(session, copy, (long)count);
    return 1;
}

static inline void CWaymarkOpenSSL_setTicketKeyCallback(
    SSL_CTX *context,
    int (*callback)(SSL *session, unsigned char *name, unsigned char *iv, EVP_CIPHER_CTX *cipher, EVP_MAC_CTX *mac,
                    int isEncrypting)) {
    SSL_CTX_set_tlsext_ticket_key_evp_cb(context, callback);
}

/// A new private key; NULL where it can't be made.
static inline EVP_PKEY *CWaymarkOpenSSL_generateP256(void) { return EVP_EC_gen("P-256"); }

static inline void CWaymarkOpenSSL_setTicketsOff(SSL *session) {
    SSL_set_options(session, SSL_OP_NO_TICKET);
    SSL_set_num_tickets(session, 0);
}

/// Seconds since 1970.
static inline long long CWaymarkOpenSSL_now(void) { return (long long)time(NULL); }

static inline void CWaymarkOpenSSL_setRetryRead(BIO *bio) {
    BIO_clear_retry_flags(bio);
    BIO_set_retry_read(bio);
}

/// What went wrong, as text of at most `size` bytes with its ending 0; empty where nothing is known.
static inline void CWaymarkOpenSSL_describe(unsigned long error, char *text, size_t size) {
    const char *reason = NULL;
    if (ERR_SYSTEM_ERROR(error))
        reason = strerror(ERR_GET_REASON(error));
    else
        reason = ERR_reason_error_string(error);
    size_t length = reason == NULL ? 0 : strnlen(reason, size - 1);
    if (length > 0) memcpy(text, reason, length);
    text[length] = 0;
}
