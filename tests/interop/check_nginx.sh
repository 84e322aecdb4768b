#!/bin/sh
# SPDX-License-Identifier: MIT
# Our client against nginx: HTTP/1.1 and HTTP/2, plain and over TLS, small and large answers.
. "$(dirname "$0")/common.sh"
make_certificate
mkdir -p www tmp
head -c 113 /dev/urandom >www/small
head -c 3000000 /dev/urandom >www/large

start_nginx() {
    one=$(free_port)
    cat >nginx.conf <<END
daemon off; master_process off; worker_processes 1; pid nginx.pid; error_log nginx.err;
events { worker_connections 512; }
http {
    access_log off; default_type application/octet-stream; keepalive_requests 100000;
    client_body_temp_path tmp/1; proxy_temp_path tmp/2; fastcgi_temp_path tmp/3;
    uwsgi_temp_path tmp/4; scgi_temp_path tmp/5; root $scratch/www;
    server { listen 127.0.0.1:$one; location = /echo { return 200 "taken"; } }
    server { listen 127.0.0.1:$((one + 1)) http2; location = /echo { return 200 "taken"; } }
    server {
        listen 127.0.0.1:$((one + 2)) ssl http2;
        ssl_certificate $scratch/cert.pem; ssl_certificate_key $scratch/key.pem;
        ssl_protocols TLSv1.3; location = /echo { return 200 "taken"; }
    }
}
END
    nginx -p "$scratch" -e nginx.err -c nginx.conf &
    pids="$pids $!"
    until_listening $((one + 2))
}

start_nginx || start_nginx || { cat nginx.err; fail "nginx does not start"; finish; }

# drive URL OPTION...: all of 300 requests are answered with success
drive() {
    if "$bench" drive "$@" --requests 300 >log 2>&1; then
        echo "ok: drive $*"
    else
        cat log
        fail "drive $*"
    fi
}

for path in small large; do
    drive "http://127.0.0.1:$one/$path" --http 1 --connections 10
    drive "http://127.0.0.1:$((one + 1))/$path" --http 2 --in-flight 50
    drive "https://localhost:$((one + 2))/$path" --http 1 --connections 10 --ca cert.pem
    drive "https://localhost:$((one + 2))/$path" --http 2 --in-flight 50 --ca cert.pem
done
drive "http://127.0.0.1:$one/echo" --http 1 --connections 10 --method POST --payload many
drive "http://127.0.0.1:$((one + 1))/echo" --http 2 --in-flight 50 --method POST --payload many
drive "https://localhost:$((one + 2))/echo" --http 2 --in-flight 50 --method POST --payload many --ca cert.pem
if "$bench" drive "https://localhost:$((one + 2))/small" --requests 1 >log 2>&1; then
    fail "a certificate that nobody vouches for was accepted"
else
    echo "ok: certificate refused: $(tail -n 1 log)"
fi
finish
