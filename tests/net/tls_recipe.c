/* SPDX-License-Identifier: MIT */
#include "tls_pair.h"

#include <openssl/pem.h>
#include <openssl/x509v3.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

static FILE *open_file(const char *file, const char *ending, const char *mode)
{
    char path[64];
    int n = snprintf(path, sizeof path, "%s.%s", file, ending);
    assert_true(n > 0 && (size_t)n < sizeof path);
    FILE *f = fopen(path, mode);
    assert_non_null(f);
    return f;
}

static void add(X509 *x, X509 *issuer, int nid, const char *value)
{
    X509V3_CTX context;
    X509V3_set_ctx(&context, issuer, x, NULL, NULL, 0);
    X509_EXTENSION *e = X509V3_EXT_conf_nid(NULL, &context, nid, value);
    assert_non_null(e);
    assert_int_equal(X509_add_ext(x, e, -1), 1);
    X509_EXTENSION_free(e);
}

static void write_pair(const char *file, X509 *x, EVP_PKEY *key)
{
    FILE *f = open_file(file, "crt", "w");
    assert_int_equal(PEM_write_X509(f, x), 1);
    fclose(f);
    f = open_file(file, "key", "w");
    assert_int_equal(PEM_write_PrivateKey(f, key, NULL, NULL, 0, NULL, NULL), 1);
    fclose(f);
}

void tls_make(const tls_recipe *r)
{
    static long serial = 1;
    EVP_PKEY *key = EVP_EC_gen("P-256"), *issuer_key = key;
    X509 *x = X509_new(), *issuer = x;
    if (r->issuer != NULL) {
        FILE *f = open_file(r->issuer, "crt", "r");
        issuer = PEM_read_X509(f, NULL, NULL, NULL);
        fclose(f);
        f = open_file(r->issuer, "key", "r");
        issuer_key = PEM_read_PrivateKey(f, NULL, NULL, NULL);
        fclose(f);
    }
    assert_true(key != NULL && x != NULL && issuer != NULL && issuer_key != NULL);
    const char *name = r->common_name != NULL ? r->common_name : r->file;
    X509_set_version(x, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(x), serial++);
    X509_gmtime_adj(X509_getm_notBefore(x), r->from);
    X509_gmtime_adj(X509_getm_notAfter(x), r->to);
    X509_NAME_add_entry_by_txt(X509_get_subject_name(x), "CN", MBSTRING_ASC,
                               (const unsigned char *)name, -1, -1, 0);
    X509_set_issuer_name(x, X509_get_subject_name(issuer));
    X509_set_pubkey(x, key);
    add(x, issuer, NID_basic_constraints, r->is_ca ? "critical,CA:TRUE" : "CA:FALSE");
    add(x, issuer, NID_key_usage, r->is_ca ? "keyCertSign" : "digitalSignature");
    if (!r->is_ca) {
        add(x, issuer, NID_ext_key_usage, r->usage != NULL ? r->usage : "serverAuth");
    }
    if (r->names != NULL) {
        add(x, issuer, NID_subject_alt_name, r->names);
    }
    assert_true(X509_sign(x, issuer_key, EVP_sha256()) > 0);
    write_pair(r->file, x, key);
    if (r->issuer != NULL) {
        X509_free(issuer);
        EVP_PKEY_free(issuer_key);
    }
    X509_free(x);
    EVP_PKEY_free(key);
}

void tls_append(const char *to, const char *more)
{
    FILE *out = open_file(to, "crt", "a");
    FILE *in = open_file(more, "crt", "r");
    for (int c = getc(in); c != EOF; c = getc(in)) {
        putc(c, out);
    }
    fclose(in);
    fclose(out);
}
