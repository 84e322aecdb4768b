/* SPDX-License-Identifier: MIT */
/*
 * What two parsers could read in two ways is refused, by servers with a status and the end of the
 * connection, by clients with an error. llhttp's versions differ in what they let pass: the tables
 * hold for all of them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "http1_support.h"

#define HOST    "Host: x\r\n"
#define GET     "GET / HTTP/1.1\r\n"
#define POST    "POST / HTTP/1.1\r\n" HOST
#define CHUNKED POST "Transfer-Encoding: chunked\r\n\r\n"
#define OK      "HTTP/1.1 200 OK\r\n"
#define OK_TE   OK "Transfer-Encoding: chunked\r\n\r\n"

typedef struct row {
    int line;
    unsigned status;
    bool has_head; /* the head is good, the body is not */
    const char *bytes;
    size_t len; /* 0: up to NUL */
} row;

/* clang-format off */
static const row requests[] = {
    /* ---- line ends ---- */
    {__LINE__, 400, false, "GET / HTTP/1.1\nHost: x\n\n", 0},
    {__LINE__, 400, false, "GET / HTTP/1.1\n" HOST "\r\n", 0},
    {__LINE__, 400, false, GET "Host: x\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: x\nX: y\r\n\r\n", 0},
    {__LINE__, 400, false, GET HOST "\n", 0},
    {__LINE__, 400, false, GET HOST "\nX", 0},
    {__LINE__, 400, false, GET HOST "\r\r\n", 0},
    {__LINE__, 400, false, GET HOST "\rX", 0},
    {__LINE__, 400, false, "GET / HTTP/1.1\r" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET / HTTP/1.1\r\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, GET "Host: x\r\r\n\r\n", 0},
    {__LINE__, 400, false, GET HOST "X: a\rb\r\n\r\n", 0},
    {__LINE__, 400, false, GET HOST "X: a\rTransfer-Encoding: chunked\r\n\r\n", 0},
    {__LINE__, 400, false, GET HOST "X:\rb\r\n\r\n", 0},
    {__LINE__, 400, false, GET HOST "X:\n\r\n", 0},
    /* ---- folded lines, blanks where none may be ---- */
    {__LINE__, 400, false, GET HOST "X: a\r\n b\r\n\r\n", 0},
    {__LINE__, 400, false, GET HOST "X: a\r\n\tb\r\n\r\n", 0},
    {__LINE__, 400, false, GET HOST "X:\r\n b\r\n\r\n", 0},
    {__LINE__, 400, false, GET HOST "X: a\r\n \r\n\r\n", 0},
    {__LINE__, 400, false, GET HOST "X:\r\n \r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: x\r\n y\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Content-Length:\r\n 5\r\n\r\nhello", 0},
    {__LINE__, 400, false, POST "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 400, false, GET " " HOST "\r\n", 0},
    {__LINE__, 400, false, GET "\t" HOST "\r\n", 0},
    {__LINE__, 400, false, GET " \r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, GET "Host : x\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host\t: x\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Content-Length : 5\r\n\r\nhello", 0},
    {__LINE__, 400, false, POST "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n", 0},
    /* ---- names and values ---- */
    {__LINE__, 400, false, GET HOST ": y\r\n\r\n", 0},
    {__LINE__, 400, false, GET HOST "X\r\n\r\n", 0},
    {__LINE__, 400, false, GET HOST "X y\r\n\r\n", 0},
    {__LINE__, 400, false, GET HOST "X(y): z\r\n\r\n", 0},
    {__LINE__, 400, false, GET HOST "X\"y: z\r\n\r\n", 0},
    {__LINE__, 400, false, GET HOST "X\x80: z\r\n\r\n", 0},
    {__LINE__, 400, false, GET HOST "X\0: z\r\n\r\n", sizeof GET - 1 + sizeof HOST - 1 + 10},
    {__LINE__, 400, false, GET HOST "X[0]: z\r\n\r\n", 0},
    {__LINE__, 400, false, GET HOST "X@y: z\r\n\r\n", 0},
    /* ---- host ---- */
    {__LINE__, 400, false, GET "\r\n", 0},
    {__LINE__, 400, false, GET "X: y\r\n\r\n", 0},
    {__LINE__, 400, false, GET HOST HOST "\r\n", 0},
    {__LINE__, 400, false, GET HOST "hOST: y\r\n\r\n", 0},
    {__LINE__, 400, false, "GET / HTTP/1.0\r\n" HOST HOST "\r\n", 0},
    {__LINE__, 400, false, GET "Host:\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: \t \r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: a b\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: a,b\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: a/b\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: a?b\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: a#b\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: user@a\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: user:pw@a\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: http://a\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: a:b\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: a:80:80\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: a:65536\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: a:000080\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: a:-1\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: :80\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: a%2\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: a%zz\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: [::1\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: []\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: [::g]\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: [::1]x\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: \xc3\xa9\r\n\r\n", 0},
    {__LINE__, 400, false, GET "Host: a\"b\r\n\r\n", 0},
    /* ---- content-length ---- */
    {__LINE__, 400, false, POST "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", 0},
    {__LINE__, 400, false, POST "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 0},
    {__LINE__, 400, false, POST "Content-Length: 0\r\nContent-Length: 0\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Content-Length: 5, 5\r\n\r\nhello", 0},
    {__LINE__, 400, false, POST "Content-Length: 5,\r\n\r\nhello", 0},
    {__LINE__, 400, false, POST "Content-Length: +5\r\n\r\nhello", 0},
    {__LINE__, 400, false, POST "Content-Length: -5\r\n\r\nhello", 0},
    {__LINE__, 400, false, POST "Content-Length: 5 5\r\n\r\nhello", 0},
    {__LINE__, 400, false, POST "Content-Length: 0x5\r\n\r\nhello", 0},
    {__LINE__, 400, false, POST "Content-Length: 5.0\r\n\r\nhello", 0},
    {__LINE__, 400, false, POST "Content-Length: 5e0\r\n\r\nhello", 0},
    {__LINE__, 400, false, POST "Content-Length: \"5\"\r\n\r\nhello", 0},
    {__LINE__, 400, false, POST "Content-Length: five\r\n\r\nhello", 0},
    {__LINE__, 400, false, POST "Content-Length:\r\n\r\nhello", 0},
    {__LINE__, 400, false, POST "Content-Length: \r\n\r\nhello", 0},
    {__LINE__, 400, false, POST "Content-Length: 9223372036854775808\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Content-Length: 18446744073709551615\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Content-Length: 18446744073709551621\r\n\r\nhello", 0},
    {__LINE__, 400, false, POST "Content-Length: 99999999999999999999999999\r\n\r\n", 0},
    /* ---- transfer-encoding ---- */
    {__LINE__, 400, false, POST "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Transfer-Encoding: chunked\r\nContent-Length: 0\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Content-Length: 5\r\nTransfer-Encoding: identity\r\n\r\nhello", 0},
    {__LINE__, 400, false, POST "Transfer-Encoding: identity\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Transfer-Encoding: gzip\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Transfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 501, false, POST "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 501, false, POST "Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Transfer-Encoding: chunkedx\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Transfer-Encoding: chunked;q=1\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Transfer-Encoding: \"chunked\"\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Transfer-Encoding: \x0b" "chunked\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Transfer-Encoding: chunked\x0b\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 400, false, POST "Transfer-Encoding:\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 400, false, "POST / HTTP/1.0\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 400, false, "POST / HTTP/1.0\r\n" HOST "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nhello", 0},
    {__LINE__, 400, false, "GET / HTTP/1.0\r\nTransfer-Encoding: identity\r\n\r\n", 0},
    {__LINE__, 400, false, POST "X-T: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: x\r\n\r\n0\r\n\r\n", 0},
    /* ---- chunks ---- */
    {__LINE__, 400, true, CHUNKED "5\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "5\rhello\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "5\r\nhello\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "5\r\nhello0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "5\r\nhelloXX0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "5\r\nhello\rX0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "5\r\nhello\r\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "5\r\nhello\r\n0\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "5\r\nhello\r\n0\r\n\n", 0},
    {__LINE__, 400, true, CHUNKED "5\r\nhello\r\n0\r\n\rX", 0},
    {__LINE__, 400, true, CHUNKED "\r\n", 0},
    {__LINE__, 400, true, CHUNKED "\r\n5\r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "0x5\r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "+5\r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "-5\r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED " 5\r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "5 \r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "5\t\r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "5 ;a\r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "g\r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "5,5\r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "5;\r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED ";a\r\n", 0},
    {__LINE__, 400, true, CHUNKED "5;a\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "5;a=\"\n\"\r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "5;a=\"\r\n\"\r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "5;a\rb\r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "5;a\x01\r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "5;a=\x7f\r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "10000000000000000\r\n", 0},
    {__LINE__, 400, true, CHUNKED "10000000000000005\r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "ffffffffffffffffffff\r\n", 0},
    {__LINE__, 400, true, CHUNKED "0\r\nX : y\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "0\r\nX: y\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "0\r\nX: y\r\n z\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "0\r\n X: y\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "0\r\nX: y\r\n\n", 0},
    {__LINE__, 400, true, CHUNKED "0\r\nX: \x01\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "0\r\nX\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "0\r\n: x\r\n\r\n", 0},
    {__LINE__, 400, true, CHUNKED "00\rX\r\n\r\n", 0},
    /* ---- request line ---- */
    {__LINE__, 400, false, "GET  / HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET /  HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET / HTTP/1.1 \r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET\t/ HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET /\tHTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, " GET / HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET /a b HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET / http/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET / HTTP/1.x\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET / HTTP/1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET / HTTP/11.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET / HTTP/1.11\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET / HTTP 1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET / FTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET / RTSP/1.0\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET /\r\n", 0},
    {__LINE__, 400, false, "GET /\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET\r\n\r\n", 0},
    {__LINE__, 400, false, "GET  HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 505, false, "GET / HTTP/0.9\r\n" HOST "\r\n", 0},
    {__LINE__, 505, false, "GET / HTTP/1.2\r\n" HOST "\r\n", 0},
    {__LINE__, 505, false, "GET / HTTP/2.0\r\n" HOST "\r\n", 0},
    {__LINE__, 505, false, "GET / HTTP/3.0\r\n" HOST "\r\n", 0},
    {__LINE__, 505, false, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 0},
    {__LINE__, 501, false, "FOO / HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 501, false, "GETX / HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 501, false, "get / HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 501, false, "Get / HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "G<T / HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "\x16\x03\x01\x02\x00\x01\x00", 7},
    {__LINE__, 400, false, "\x00GET / HTTP/1.1\r\n", 17},
    {__LINE__, 400, false, "{\"json\": true}", 0},
    /* ---- request target ---- */
    {__LINE__, 400, false, "GET x HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET * HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "OPTIONS ** HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "OPTIONS *x HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET /#f HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET /\x01 HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET /\x7f HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET /\xc3\xa9 HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET http:///x HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET http://u@a/x HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET http://a:b/x HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET https://a/x HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET ftp://a/x HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET http:/a HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET a:80 HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 400, false, "GET http://a/x HTTP/1.1\r\n\r\n", 0},
    {__LINE__, 400, false, "GET http://a/x HTTP/1.1\r\n" HOST HOST "\r\n", 0},
    {__LINE__, 501, false, "CONNECT x:80 HTTP/1.1\r\nHost: x:80\r\n\r\n", 0},
    {__LINE__, 400, false, "CONNECT x:80 HTTP/1.1\r\n\r\n", 0},
    /* ---- before the request ---- */
    {__LINE__, 400, false, "\n", 0},
    {__LINE__, 400, false, "\r\r", 0},
    {__LINE__, 400, false, "\rGET / HTTP/1.1\r\n", 0},
    {__LINE__, 400, false, "\r\n\r\n\r\n\r\n\r\n", 0},
    /* ---- others ---- */
    {__LINE__, 417, false, POST "Expect: 200-maybe\r\nContent-Length: 5\r\n\r\nhello", 0},
    {__LINE__, 417, false, POST "Expect: 100-continue, x\r\nContent-Length: 5\r\n\r\nhello", 0},
    {__LINE__, 417, false, POST "Expect:\r\nContent-Length: 5\r\n\r\nhello", 0},
    {__LINE__, 400, false, GET HOST "Connection: a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,u,v,w,x,y,z,1,2,3,4,5,6,7\r\n\r\n", 0},
};

/* Fine, strange as they look: no error. */
static const row fine[] = {
    {__LINE__, 200, true, "\r\n\r\n\r\n\r\n" GET HOST "\r\n", 0},
    {__LINE__, 200, true, GET "Host:x\r\n\r\n", 0},
    {__LINE__, 200, true, GET "hOsT:\t x \t\r\n\r\n", 0},
    {__LINE__, 200, true, GET "Host: a:\r\n\r\n", 0},
    {__LINE__, 200, true, GET "Host: a:65535\r\n\r\n", 0},
    {__LINE__, 200, true, GET "Host: [::1]\r\n\r\n", 0},
    {__LINE__, 200, true, GET "Host: [fe80::1:127.0.0.1]:80\r\n\r\n", 0},
    {__LINE__, 200, true, GET "Host: a%2Db_c~.example;x=(y)\r\n\r\n", 0},
    {__LINE__, 200, true, GET HOST "X: \x80\xff \t \"a\" \\\r\n\r\n", 0},
    {__LINE__, 200, true, GET HOST "!#$%&'*+-.^_`|~09azAZ: y\r\n\r\n", 0},
    {__LINE__, 200, true, GET HOST "X:\r\nY: \t\r\nX:\r\n\r\n", 0},
    {__LINE__, 200, true, GET HOST "Content-Length: 0\r\n\r\n", 0},
    {__LINE__, 200, true, POST "Content-Length: 0005\r\n\r\nhello", 0},
    {__LINE__, 200, true, POST "Content-Length:  5  \r\n\r\nhello", 0},
    {__LINE__, 200, true, POST "Transfer-Encoding: Chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 200, true, POST "Transfer-Encoding:chunked  \r\n\r\n5\r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 200, true, CHUNKED "0005\r\nhello\r\n000\r\n\r\n", 0},
    {__LINE__, 200, true, CHUNKED "5;a;b=c\r\nhello\r\n0;x=\"y z\";t\r\n\r\n", 0},
    {__LINE__, 200, true, CHUNKED "A\r\n0123456789\r\n00\r\n\r\n", 0},
    {__LINE__, 200, true, "GET / HTTP/1.0\r\n\r\n", 0},
    {__LINE__, 200, true, "GET /?a=<b>|{c}^`\"\\[d] HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 200, true, "OPTIONS * HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 200, true, "GET HTTP://a/ HTTP/1.1\r\n" HOST "\r\n", 0},
    {__LINE__, 200, true, POST "Expect: 100-Continue\r\nContent-Length: 5\r\n\r\nhello", 0},
    {__LINE__, 200, true, "POST / HTTP/1.0\r\nExpect: x\r\nContent-Length: 5\r\n\r\nhello", 0},
    {__LINE__, 200, true, GET HOST "Connection: a,,b, \t,close\r\n\r\n", 0},
};

/* To a client. */
static const row responses[] = {
    {__LINE__, 0, false, OK "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 0, false, OK "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 0, false, OK "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello", 0},
    {__LINE__, 0, false, OK "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello", 0},
    {__LINE__, 0, false, OK "Content-Length: 5,5\r\n\r\nhello", 0},
    {__LINE__, 0, false, OK "Content-Length: -1\r\n\r\nhello", 0},
    {__LINE__, 0, false, OK "Content-Length:\r\n\r\nhello", 0},
    {__LINE__, 0, false, OK "Content-Length: 9223372036854775808\r\n\r\n", 0},
    {__LINE__, 0, false, OK "Transfer-Encoding: gzip\r\n\r\nhello", 0},
    {__LINE__, 0, false, OK "Transfer-Encoding: identity\r\n\r\nhello", 0},
    {__LINE__, 0, false, OK "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 0, false, OK "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 0, false, OK "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 0, false, "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 0},
    {__LINE__, 0, false, "HTTP/1.1 200 OK\nContent-Length: 0\r\n\r\n", 0},
    {__LINE__, 0, false, OK "Content-Length: 0\n\r\n", 0},
    {__LINE__, 0, false, OK "Content-Length: 0\r\n\n", 0},
    {__LINE__, 0, false, OK "X: a\r\n b\r\nContent-Length: 0\r\n\r\n", 0},
    {__LINE__, 0, false, OK "X : a\r\nContent-Length: 0\r\n\r\n", 0},
    {__LINE__, 0, false, OK " X: a\r\nContent-Length: 0\r\n\r\n", 0},
    {__LINE__, 0, false, OK ": a\r\nContent-Length: 0\r\n\r\n", 0},
    {__LINE__, 0, false, OK "X: \x01\r\nContent-Length: 0\r\n\r\n", 0},
    {__LINE__, 0, false, "HTTP/2.0 200 OK\r\n\r\n", 0},
    {__LINE__, 0, false, "HTTP/0.9 200 OK\r\n\r\n", 0},
    {__LINE__, 0, false, "HTTP/1.2 200 OK\r\n\r\n", 0},
    {__LINE__, 0, false, "HTTP/1.1  200 OK\r\n\r\n", 0},
    {__LINE__, 0, false, "HTTP/1.1 20 OK\r\n\r\n", 0},
    {__LINE__, 0, false, "HTTP/1.1 2000 OK\r\n\r\n", 0},
    {__LINE__, 0, false, "HTTP/1.1 099 OK\r\n\r\n", 0},
    {__LINE__, 0, false, "HTTP/1.1 600 OK\r\n\r\n", 0},
    {__LINE__, 0, false, "HTTP/1.1 2x0 OK\r\n\r\n", 0},
    {__LINE__, 0, false, "HTTP/1.1 200\tOK\r\n\r\n", 0},
    {__LINE__, 0, false, "HTTP/1.1 200 O\x01K\r\n\r\n", 0},
    {__LINE__, 0, false, "HTTP/1.1 200 O\rK\r\n\r\n", 0},
    {__LINE__, 0, false, "HTTP/1.1\r\n\r\n", 0},
    {__LINE__, 0, false, "\r\nHTTP/1.1 200 OK\r\n\r\n", 0},
    {__LINE__, 0, false, "ICY 200 OK\r\n\r\n", 0},
    {__LINE__, 0, false, "hello", 0},
    {__LINE__, 0, false, "GET / HTTP/1.1\r\n\r\n", 0},
    {__LINE__, 0, false, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n", 0},
    {__LINE__, 0, true, OK_TE "5\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 0, true, OK_TE "5\r\nhello0\r\n\r\n", 0},
    {__LINE__, 0, true, OK_TE "0x5\r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 0, true, OK_TE "5 \r\nhello\r\n0\r\n\r\n", 0},
    {__LINE__, 0, true, OK_TE "\r\n", 0},
    {__LINE__, 0, true, OK_TE "10000000000000000\r\n", 0},
    {__LINE__, 0, true, OK_TE "0\r\nX : y\r\n\r\n", 0},
    {__LINE__, 0, true, OK_TE "0\r\n\n", 0},
};
/* clang-format on */

#define COUNT(rows) (sizeof rows / sizeof rows[0])

static size_t length_of(const row *w)
{
    return w->len != 0 ? w->len : strlen(w->bytes);
}

static void fail_row(const row *w, record *r, size_t piece)
{
    fail_msg("row at line %d, pieces of %zu:\n%s\nsent:\n%s\ndetail: %s", w->line, piece,
             record_log(r), record_sent(r), r->error.detail);
}

/* The status line and nothing but fields of ours. */
static bool is_refusal(const char *sent, unsigned status)
{
    char start[32];
    snprintf(start, sizeof start, "HTTP/1.1 %u ", status);
    const char *end = strstr(sent, "\r\n");
    return strncmp(sent, start, strlen(start)) == 0 && end != NULL && end[-1] != ' ' &&
           strcmp(end, "\r\nconnection: close\r\ncontent-length: 0\r\n\r\n") == 0;
}

static void check_refused(const row *w, size_t piece)
{
    record r = {.core = NULL};
    http1_server(&r, NULL);
    cw_net_status st = record_feed_cut(&r, w->bytes, length_of(w), piece);
    const char *log = record_log(&r);
    bool is_right = st != CW_NET_OK && r.error.code == (int)w->status &&
                    r.error.detail[0] != '\0' && (strstr(log, "\nhead") != NULL) == w->has_head &&
                    strstr(log, "\nend") == NULL && strstr(log, "CW_NET_OK") == NULL &&
                    r.core->ops->streams(r.core) == 0 && r.closed == r.streams;
    record_drain(&r);
    is_right = is_right && is_refusal(record_sent(&r), w->status) && r.core->ops->is_done(r.core) &&
               !r.core->ops->wants_write(r.core);
    if (!is_right) {
        fail_row(w, &r, piece);
    }
    /* Whatever follows is ignored. */
    size_t before = r.log.end;
    assert_int_equal(record_feed_text(&r, GET HOST "\r\n"), r.error.status);
    record_drain(&r);
    assert_null(strstr(record_log(&r) + before, "stream"));
    assert_true(is_refusal(record_sent(&r), w->status));
    record_free(&r);
}

static void bad_requests(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(requests); i++) {
        check_refused(&requests[i], SIZE_MAX);
        for (size_t piece = 1; piece < 8; piece++) {
            check_refused(&requests[i], piece);
        }
    }
}

/* A bad request behind a good one: the good one is answered first. */
static void bad_requests_behind_good_ones(void **state)
{
    (void)state;
    static const char good[] = POST "Content-Length: 2\r\n\r\nhi";
    static const char answer[] = "HTTP/1.1 200 OK\r\nx-number: 1\r\ncontent-length: 2\r\n\r\nhi";
    for (size_t i = 0; i < COUNT(requests); i++) {
        const row *w = &requests[i];
        record r = {.core = NULL};
        http1_server(&r, NULL);
        cw__buf all = {.data = NULL};
        assert_true(cw__buf_append(&all, good, sizeof good - 1) &&
                    cw__buf_append(&all, w->bytes, length_of(w)));
        assert_int_equal(record_feed(&r, all.data, cw__buf_len(&all)), CW_NET_OK);
        cw__buf_free(&all);
        record_drain(&r);
        if (strncmp(record_sent(&r), answer, sizeof answer - 1) != 0 ||
            !is_refusal(record_sent(&r) + sizeof answer - 1, w->status) || r.ended != 1 ||
            !r.core->ops->is_done(r.core) || r.core->ops->wants_write(r.core)) {
            fail_row(w, &r, SIZE_MAX);
        }
        assert_int_not_equal(record_feed_text(&r, good), CW_NET_OK);
        assert_int_equal(r.error.code, w->status);
        record_free(&r);
    }
}

static void strange_but_fine(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(fine); i++) {
        for (size_t piece = 1; piece < 12; piece++) {
            const row *w = &fine[i];
            record r = {.core = NULL};
            http1_server(&r, NULL);
            size_t size = piece < 11 ? piece : SIZE_MAX;
            cw_net_status st = record_feed_cut(&r, w->bytes, length_of(w), size);
            record_drain(&r);
            if (st != CW_NET_OK || r.ended != 1 || r.closed != 1 || r.why.status != CW_NET_OK ||
                strncmp(record_sent(&r), "HTTP/1.1 200 OK\r\n", 17) != 0) {
                fail_row(w, &r, piece);
            }
            record_free(&r);
        }
    }
}

static void check_response(const row *w, size_t piece)
{
    record r = {.core = NULL};
    http1_client(&r, NULL);
    cw_http_head head = http1_get("/");
    assert_non_null(record_request(&r, &head, http1_bytes(""), true, false));
    record_drain(&r);
    cw_net_status st = record_feed_cut(&r, w->bytes, length_of(w), piece);
    const char *log = record_log(&r);
    if (st == CW_NET_OK || r.error.code != 0 || r.error.detail[0] == '\0' ||
        (strncmp(log, "head", 4) == 0) != w->has_head || strstr(log, "end 1") != NULL ||
        strstr(log, "CW_NET_OK") != NULL || r.closed != 1 || r.why.status != st ||
        strstr(log, "room 0\n") == NULL || strstr(log, "room 1\n") != NULL ||
        r.core->ops->room(r.core) != 0 || !r.core->ops->is_done(r.core) ||
        r.core->ops->wants_write(r.core)) {
        fail_row(w, &r, piece);
    }
    record_free(&r);
}

static void bad_responses(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(responses); i++) {
        check_response(&responses[i], SIZE_MAX);
        for (size_t piece = 1; piece < 8; piece++) {
            check_response(&responses[i], piece);
        }
    }
}

/* Every byte that is no text, in an ordinary field and in those that llhttp reads itself. */
static void control_characters(void **state)
{
    (void)state;
    static const char *const names[] = {"X",
                                        "Connection",
                                        "Upgrade",
                                        "Host",
                                        "Keep-Alive",
                                        "Transfer-Encoding",
                                        "Expect",
                                        "Cookie",
                                        "Content-Length",
                                        "Proxy-Connection"};
    for (size_t n = 0; n < COUNT(names); n++) {
        for (unsigned c = 0; c < 0x21; c++) {
            char text[100];
            unsigned byte = c == 0x20 ? 0x7f : c;
            if (byte == '\t') {
                continue; /* may stand in a value */
            }
            int len = snprintf(text, sizeof text, GET "%s: 1%c1\r\n" HOST "\r\n", names[n], 'X');
            char *at = strchr(text + sizeof GET - 1 + strlen(names[n]), 'X');
            *at = (char)byte;
            const row w = {(int)byte, 400, false, text, (size_t)len};
            check_refused(&w, SIZE_MAX);
            check_refused(&w, 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_requests),       cmocka_unit_test(bad_requests_behind_good_ones),
        cmocka_unit_test(strange_but_fine),   cmocka_unit_test(bad_responses),
        cmocka_unit_test(control_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
