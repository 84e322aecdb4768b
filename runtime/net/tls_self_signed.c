/* SPDX-License-Identifier: MIT */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>
#include <openssl/x509v3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tls_context.h"

enum {
    SERIAL_BYTES = 16, /* RFC 5280, 4.1.2.2: 20 at most */
    COMMON_NAME_MAX = 64,
    NAME_MAX_LEN = 253,
    HOUR = 3600,
    DAY = 24 * HOUR,
    DAYS_MAX = 36500,
    CERTIFICATE_MODE = 0666, /* less the umask */
    KEY_MODE = 0600
};

/* ---- the certificate ---------------------------------------------------- */

static EVP_PKEY *new_key(cw_tls_key key)
{
    return key == CW_TLS_RSA_2048 ? EVP_RSA_gen(2048) : EVP_EC_gen("P-256");
}

/* Takes the next name, without the blanks around it, from a list with commas. */
static cw_str next_name(const char **list)
{
    const char *from = *list + strspn(*list, " \t");
    size_t len = strcspn(from, ",");
    *list = from + len + (from[len] == ',');
    while (len > 0 && (from[len - 1] == ' ' || from[len - 1] == '\t')) {
        len--;
    }
    return cw_str_of(from, len);
}

static bool is_printable(cw_str s)
{
    for (size_t i = 0; i < s.len; i++) {
        if (s.data[i] <= 0x20 || s.data[i] >= 0x7f) {
            return false;
        }
    }
    return s.len > 0 && s.len <= NAME_MAX_LEN;
}

/* NULL: no memory. */
static GENERAL_NAME *general_name(cw_str s)
{
    char text[NAME_MAX_LEN + 1];
    memcpy(text, s.data, s.len);
    text[s.len] = '\0';
    unsigned char address[16];
    int address_len = inet_pton(AF_INET, text, address) == 1    ? 4
                      : inet_pton(AF_INET6, text, address) == 1 ? 16
                                                                : 0;
    GENERAL_NAME *name = GENERAL_NAME_new();
    ASN1_STRING *value = ASN1_STRING_type_new(address_len ? V_ASN1_OCTET_STRING : V_ASN1_IA5STRING);
    const void *data = address_len ? (const void *)address : text;
    int len = address_len ? address_len : (int)s.len;
    if (name == NULL || value == NULL || ASN1_STRING_set(value, data, len) != 1) {
        GENERAL_NAME_free(name);
        ASN1_STRING_free(value);
        return NULL;
    }
    GENERAL_NAME_set0_value(name, address_len ? GEN_IPADD : GEN_DNS, value);
    return name;
}

static bool add_names(X509 *x, const char *names)
{
    GENERAL_NAMES *all = GENERAL_NAMES_new();
    bool good = all != NULL;
    while (good && *names != '\0') {
        GENERAL_NAME *name = general_name(next_name(&names));
        good = name != NULL && sk_GENERAL_NAME_push(all, name) > 0;
        if (name != NULL && !good) {
            GENERAL_NAME_free(name);
        }
    }
    good = good && X509_add1_ext_i2d(x, NID_subject_alt_name, all, 0, X509V3_ADD_DEFAULT) == 1;
    GENERAL_NAMES_free(all);
    return good;
}

/* What makes it a leaf for servers and the anchor that it is trusted by, for strict readers too. */
static bool add_extensions(X509 *x, const char *names)
{
    static const struct {
        int nid;
        const char *value;
    } fixed[] = {
        {NID_basic_constraints, "critical,CA:TRUE"},
        {NID_key_usage, "critical,digitalSignature,keyCertSign"},
        {NID_ext_key_usage, "serverAuth"},
        {NID_subject_key_identifier, "hash"},
    };
    X509V3_CTX context;
    X509V3_set_ctx(&context, x, x, NULL, NULL, 0);
    for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++) {
        X509_EXTENSION *e = X509V3_EXT_conf_nid(NULL, &context, fixed[i].nid, fixed[i].value);
        bool good = e != NULL && X509_add_ext(x, e, -1) == 1;
        X509_EXTENSION_free(e);
        if (!good) {
            return false;
        }
    }
    return add_names(x, names);
}

static bool set_serial(X509 *x)
{
    unsigned char bytes[SERIAL_BYTES];
    if (RAND_bytes(bytes, sizeof bytes) != 1) {
        return false;
    }
    bytes[0] = (unsigned char)((bytes[0] & 0x7f) | 0x40); /* positive, and not short */
    BIGNUM *number = BN_bin2bn(bytes, sizeof bytes, NULL);
    bool good = number != NULL && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(x)) != NULL;
    BN_free(number);
    return good;
}

static bool set_name(X509 *x, const char *names)
{
    cw_str first = next_name(&names);
    int len = first.len < COMMON_NAME_MAX ? (int)first.len : COMMON_NAME_MAX;
    X509_NAME *subject = X509_get_subject_name(x);
    const unsigned char *text = (const unsigned char *)first.data;
    return X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, text, len, -1, 0) == 1 &&
           X509_set_issuer_name(x, subject) == 1;
}

static bool set_time(X509 *x, int days)
{
    time_t from = time(NULL) - HOUR, to = from + (time_t)days * DAY;
    if (days < 0) {
        to += HOUR;
        from = to - DAY; /* it was valid once */
    }
    return ASN1_TIME_set(X509_getm_notBefore(x), from) != NULL &&
           ASN1_TIME_set(X509_getm_notAfter(x), to) != NULL;
}

static X509 *new_certificate(EVP_PKEY *key, const char *names, int days)
{
    X509 *x = X509_new();
    if (x != NULL && X509_set_version(x, X509_VERSION_3) == 1 && set_serial(x) &&
        set_time(x, days) && set_name(x, names) && X509_set_pubkey(x, key) == 1 &&
        add_extensions(x, names) && X509_sign(x, key, EVP_sha256()) > 0) {
        return x;
    }
    X509_free(x);
    return NULL;
}

/* ---- the files ---------------------------------------------------------- */

static cw_net_status io_error(cw_net_error *e, const char *path)
{
    int number = errno;
    return cw_net_error_set(e, CW_NET_ERR_IO, -number, "%s: %s", path, strerror(number));
}

static bool write_all(int fd, const char *data, size_t len)
{
    while (len > 0) {
        ssize_t n = write(fd, data, len);
        if (n < 0 && errno != EINTR) {
            return false;
        }
        if (n > 0) {
            data += n;
            len -= (size_t)n;
        }
    }
    return true;
}

/* A new file beside `path`, with this content; its name, or NULL with *e. */
static char *write_beside(const char *path, BIO *content, mode_t mode, cw_net_error *e)
{
    size_t size = strlen(path) + 32;
    char *name = malloc(size);
    uint32_t tag[2];
    if (name == NULL || RAND_bytes((unsigned char *)tag, sizeof tag) != 1) {
        free(name);
        cw_net_error_set(e, CW_NET_ERR_MEMORY, 0, "certificate files");
        return NULL;
    }
    snprintf(name, size, "%s.%08x%08x", path, (unsigned)tag[0], (unsigned)tag[1]);
    int fd = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd < 0) {
        io_error(e, name);
        free(name);
        return NULL;
    }
    char *data = NULL;
    long len = BIO_get_mem_data(content, &data);
    bool good = write_all(fd, data, (size_t)len);
    if (close(fd) != 0 || !good) {
        io_error(e, name);
        unlink(name);
        free(name);
        return NULL;
    }
    return name;
}

static cw_net_status move(const char *from, const char *to, cw_net_error *e)
{
    return rename(from, to) == 0 ? CW_NET_OK : io_error(e, to);
}

/* Both are complete before either takes its place. */
static cw_net_status write_files(BIO *certificate, BIO *key, const char *certificate_file,
                                 const char *key_file, cw_net_error *e)
{
    cw_net_error why = {.status = CW_NET_OK};
    char *new_key_file = write_beside(key_file, key, KEY_MODE, &why);
    char *new_certificate_file =
        new_key_file != NULL ? write_beside(certificate_file, certificate, CERTIFICATE_MODE, &why)
                             : NULL;
    if (new_certificate_file != NULL && move(new_key_file, key_file, &why) == CW_NET_OK) {
        move(new_certificate_file, certificate_file, &why);
    }
    if (why.status != CW_NET_OK) {
        if (new_key_file != NULL) {
            unlink(new_key_file);
        }
        if (new_certificate_file != NULL) {
            unlink(new_certificate_file);
        }
    }
    free(new_key_file);
    free(new_certificate_file);
    if (e != NULL) {
        *e = why;
    }
    return why.status;
}

static cw_net_status check_arguments(const char *names, int days, cw_net_error *e)
{
    if (names == NULL || names[0] == '\0') {
        return cw_net_error_set(e, CW_NET_ERR_ARGUMENT, 0, "no names");
    }
    while (*names != '\0') {
        cw_str name = next_name(&names);
        if (!is_printable(name)) {
            return cw_net_error_set(e, CW_NET_ERR_ARGUMENT, 0, "not a name: \"%.*s\"",
                                    (int)(name.len < 64 ? name.len : 64), name.data);
        }
    }
    if (days < -DAYS_MAX || days > DAYS_MAX) {
        return cw_net_error_set(e, CW_NET_ERR_ARGUMENT, 0, "more than %d days", DAYS_MAX);
    }
    return CW_NET_OK;
}

cw_net_status cw_tls_self_signed(cw_tls_key key, const char *names, int days,
                                 const char *certificate_file, const char *key_file,
                                 cw_net_error *e)
{
    cw_net_status st = check_arguments(names, days, e);
    if (st != CW_NET_OK) {
        return st;
    }
    if (certificate_file == NULL || key_file == NULL) {
        return cw_net_error_set(e, CW_NET_ERR_ARGUMENT, 0, "no file to write to");
    }
    ERR_clear_error();
    EVP_PKEY *pair = new_key(key);
    X509 *x = pair != NULL ? new_certificate(pair, names, days) : NULL;
    BIO *certificate_text = BIO_new(BIO_s_mem()), *key_text = BIO_new(BIO_s_secmem());
    if (x != NULL && certificate_text != NULL && key_text != NULL &&
        PEM_write_bio_X509(certificate_text, x) == 1 &&
        PEM_write_bio_PrivateKey(key_text, pair, NULL, NULL, 0, NULL, NULL) == 1) {
        st = write_files(certificate_text, key_text, certificate_file, key_file, e);
    } else {
        st = cw__tls_error(e, CW_NET_ERR_TLS, "making a certificate");
    }
    BIO_free(certificate_text);
    BIO_free(key_text);
    X509_free(x);
    EVP_PKEY_free(pair);
    ERR_clear_error();
    return st;
}
