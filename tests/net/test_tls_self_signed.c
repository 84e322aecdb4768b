/* SPDX-License-Identifier: MIT */
#include <dirent.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include "cwire/net/tls.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

static X509 *read_certificate(const char *path)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    X509 *x = PEM_read_X509(f, NULL, NULL, NULL);
    fclose(f);
    assert_non_null(x);
    return x;
}

static EVP_PKEY *read_key(const char *path)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    EVP_PKEY *key = PEM_read_PrivateKey(f, NULL, NULL, NULL);
    fclose(f);
    assert_non_null(key);
    return key;
}

static X509 *make(cw_tls_key kind, const char *names, int days)
{
    cw_net_error e = {.status = CW_NET_OK};
    if (cw_tls_self_signed(kind, names, days, "made.crt", "made.key", &e) != CW_NET_OK) {
        fail_msg("%s", e.detail);
    }
    assert_int_equal(e.status, CW_NET_OK);
    return read_certificate("made.crt");
}

static void both_kinds(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        X509 *x = make(i == 0 ? CW_TLS_P256 : CW_TLS_RSA_2048, "localhost", 1);
        EVP_PKEY *key = read_key("made.key");
        assert_int_equal(X509_check_private_key(x, key), 1);
        assert_int_equal(EVP_PKEY_base_id(key), i == 0 ? EVP_PKEY_EC : EVP_PKEY_RSA);
        assert_int_equal(EVP_PKEY_bits(key), i == 0 ? 256 : 2048);
        assert_int_equal(X509_verify(x, key), 1);
        assert_int_equal(X509_get_version(x), X509_VERSION_3);
        assert_int_equal(X509_get_signature_nid(x),
                         i == 0 ? NID_ecdsa_with_SHA256 : NID_sha256WithRSAEncryption);
        EVP_PKEY_free(key);
        X509_free(x);
    }
}

/* It is trusted by itself under the strictest rules that OpenSSL has. */
static void is_its_own_anchor(void **state)
{
    (void)state;
    X509 *x = make(CW_TLS_P256, "localhost", 1);
    X509_STORE *store = X509_STORE_new();
    X509_STORE_CTX *context = X509_STORE_CTX_new();
    assert_int_equal(X509_STORE_add_cert(store, x), 1);
    assert_int_equal(X509_STORE_CTX_init(context, store, x, NULL), 1);
    X509_VERIFY_PARAM *rules = X509_STORE_CTX_get0_param(context);
    X509_VERIFY_PARAM_set_flags(rules, X509_V_FLAG_X509_STRICT);
    X509_VERIFY_PARAM_set_purpose(rules, X509_PURPOSE_SSL_SERVER);
    assert_int_equal(X509_VERIFY_PARAM_set1_host(rules, "localhost", 0), 1);
    if (X509_verify_cert(context) != 1) {
        fail_msg("%s", X509_verify_cert_error_string(X509_STORE_CTX_get_error(context)));
    }
    X509_STORE_CTX_free(context);
    X509_STORE_free(store);
    X509_free(x);
}

static void names(void **state)
{
    (void)state;
    char longest[260] = "";
    for (size_t i = 0; i < 253; i++) {
        longest[i] = i % 32 == 31 ? '.' : 'x';
    }
    static const struct {
        const char *names, *host, *address, *common_name;
        bool good;
    } rows[] = {
        {"localhost", "localhost", NULL, "localhost", true},
        {"localhost", "localhost.", NULL, "localhost", false},
        {"a.test,b.test", "a.test", NULL, "a.test", true},
        {"a.test,b.test", "b.test", NULL, "a.test", true},
        {" a.test ,\tb.test , ", "b.test", NULL, "a.test", false}, /* an empty name */
        {"a.test,b.test,", "b.test", NULL, "a.test", true},
        {"a.test, 127.0.0.1", NULL, "127.0.0.1", "a.test", true},
        {"127.0.0.1", NULL, "127.0.0.1", "127.0.0.1", true},
        {"127.0.0.1", "127.0.0.1", NULL, "127.0.0.1", false}, /* no DNS name */
        {"::1,x", NULL, "0:0:0:0:0:0:0:1", "::1", true},
        {"*.a.test", "b.a.test", NULL, "*.a.test", true},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        bool malformed = i == 4;
        cw_net_error e;
        cw_net_status st =
            cw_tls_self_signed(CW_TLS_P256, rows[i].names, 1, "made.crt", "made.key", &e);
        assert_int_equal(st, malformed ? CW_NET_ERR_ARGUMENT : CW_NET_OK);
        if (malformed) {
            continue;
        }
        X509 *x = read_certificate("made.crt");
        int found =
            rows[i].host != NULL
                ? X509_check_host(x, rows[i].host, 0, X509_CHECK_FLAG_NEVER_CHECK_SUBJECT, NULL)
                : X509_check_ip_asc(x, rows[i].address, 0);
        if (found != rows[i].good) {
            fail_msg("row %zu: %d", i, found);
        }
        char text[300];
        assert_true(X509_NAME_get_text_by_NID(X509_get_subject_name(x), NID_commonName, text,
                                              sizeof text) > 0);
        assert_string_equal(text, rows[i].common_name);
        X509_free(x);
    }
    X509 *x = make(CW_TLS_P256, longest, 1); /* a common name has 64 characters at most */
    assert_int_equal(X509_check_host(x, longest, 0, 0, NULL), 1);
    X509_free(x);
}

static void validity(void **state)
{
    (void)state;
    static const struct {
        int days, from_seconds, to_seconds;
    } rows[] = {
        {1, -3600, 86400 - 3600}, {30, -3600, 30 * 86400 - 3600},  {0, -3600, -3600},
        {-1, -2 * 86400, -86400}, {-10, -11 * 86400, -10 * 86400},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        X509 *x = make(CW_TLS_P256, "localhost", rows[i].days);
        int days, seconds;
        assert_int_equal(ASN1_TIME_diff(&days, &seconds, NULL, X509_get0_notBefore(x)), 1);
        assert_in_range(days * 86400 + seconds - rows[i].from_seconds + 60, 0, 60);
        assert_int_equal(ASN1_TIME_diff(&days, &seconds, NULL, X509_get0_notAfter(x)), 1);
        assert_in_range(days * 86400 + seconds - rows[i].to_seconds + 60, 0, 60);
        X509_free(x);
    }
}

static void serials_differ(void **state)
{
    (void)state;
    X509 *a = make(CW_TLS_P256, "localhost", 1), *b = make(CW_TLS_P256, "localhost", 1);
    assert_int_not_equal(ASN1_INTEGER_cmp(X509_get0_serialNumber(a), X509_get0_serialNumber(b)), 0);
    BIGNUM *number = ASN1_INTEGER_to_BN(X509_get0_serialNumber(a), NULL);
    assert_int_equal(BN_num_bits(number), 127);
    assert_false(BN_is_negative(number));
    BN_free(number);
    X509_free(a);
    X509_free(b);
}

/* ---- files ---------------------------------------------------------------- */

static int count_files(void)
{
    int n = 0;
    DIR *dir = opendir("files");
    assert_non_null(dir);
    for (struct dirent *d = readdir(dir); d != NULL; d = readdir(dir)) {
        n += d->d_name[0] != '.';
    }
    closedir(dir);
    return n;
}

static void files(void **state)
{
    (void)state;
    (void)mkdir("files", 0777);
    static const char *const all[] = {"files/a.crt", "files/a.key", "files/dir/x", "files/dir"};
    unlink(all[0]);
    unlink(all[1]);
    unlink(all[2]);
    rmdir(all[3]);
    assert_int_equal(count_files(), 0);
    mode_t mask = umask(0022);
    cw_net_error e = {.status = CW_NET_OK};
    struct stat info;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(
            cw_tls_self_signed(CW_TLS_P256, "localhost", 1, "files/a.crt", "files/a.key", &e),
            CW_NET_OK);
        assert_int_equal(count_files(), 2);
        assert_int_equal(stat("files/a.crt", &info), 0);
        assert_int_equal(info.st_mode & 0777, 0644);
        assert_int_equal(stat("files/a.key", &info), 0);
        assert_int_equal(info.st_mode & 0777, 0600);
        /* A file that anybody may read is replaced, not written into. */
        assert_int_equal(chmod("files/a.key", 0644), 0);
    }
    umask(mask);
    static const struct {
        const char *certificate, *key;
        int code;
    } rows[] = {
        {"files/none/a.crt", "files/b.key", -ENOENT},
        {"files/b.crt", "files/none/a.key", -ENOENT},
        {"files/dir", "files/b.key", -EISDIR},
        {"files/b.crt", "files/dir", -EISDIR},
    };
    assert_int_equal(mkdir("files/dir", 0777), 0);
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(
            cw_tls_self_signed(CW_TLS_P256, "x", 1, rows[i].certificate, rows[i].key, &e),
            CW_NET_ERR_IO);
        assert_int_equal(e.status, CW_NET_ERR_IO);
        assert_int_equal(e.code, rows[i].code);
        assert_non_null(strstr(e.detail, "files/"));
        unlink("files/b.key"); /* was complete before the other failed */
        assert_int_equal(count_files(), 3);
    }
}

static void arguments(void **state)
{
    (void)state;
    char too_long[255];
    memset(too_long, 'x', 254);
    too_long[254] = '\0';
    const struct {
        const char *names;
        int days;
        const char *certificate, *key, *detail;
    } rows[] = {
        {NULL, 1, "x.crt", "x.key", "no names"},
        {"", 1, "x.crt", "x.key", "no names"},
        {",", 1, "x.crt", "x.key", "not a name: \"\""},
        {"a,,b", 1, "x.crt", "x.key", "not a name: \"\""},
        {"a b", 1, "x.crt", "x.key", "not a name: \"a b\""},
        {"a,b\n", 1, "x.crt", "x.key", "not a name: \"b\n\""},
        {"b\xc3\xa4r", 1, "x.crt", "x.key", "not a name: \"b\xc3\xa4r\""},
        {too_long, 1, "x.crt", "x.key", NULL},
        {"a", 36501, "x.crt", "x.key", "more than 36500 days"},
        {"a", -36501, "x.crt", "x.key", "more than 36500 days"},
        {"a", 1, NULL, "x.key", "no file to write to"},
        {"a", 1, "x.crt", NULL, "no file to write to"},
    };
    for (size_t i = 0; i < COUNT(rows); i++) {
        cw_net_error e = {.status = CW_NET_OK};
        assert_int_equal(cw_tls_self_signed(CW_TLS_P256, rows[i].names, rows[i].days,
                                            rows[i].certificate, rows[i].key, &e),
                         CW_NET_ERR_ARGUMENT);
        assert_int_equal(e.status, CW_NET_ERR_ARGUMENT);
        if (rows[i].detail != NULL) {
            assert_string_equal(e.detail, rows[i].detail);
        }
        assert_int_not_equal(access("x.crt", F_OK), 0);
        assert_int_not_equal(access("x.key", F_OK), 0);
    }
    assert_int_equal(cw_tls_self_signed(CW_TLS_P256, "", 1, "x.crt", "x.key", NULL),
                     CW_NET_ERR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_kinds), cmocka_unit_test(is_its_own_anchor), cmocka_unit_test(names),
        cmocka_unit_test(validity),   cmocka_unit_test(serials_differ),    cmocka_unit_test(files),
        cmocka_unit_test(arguments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
