#!/bin/sh
# SPDX-License-Identifier: MIT
# A mixed load with a client killed every half second (SECONDS=60 for the long form): the server
# keeps answering the others, ends in order, and every request it saw is accounted for.
. "$(dirname "$0")/common.sh"
make_certificate
seconds=${KILL_SECONDS:-5}
start_server --tls --cert cert.pem --key key.pem
tls=https://localhost:$port
tls_server=$server
start_server
plain=$url

# The steady ones: none of their requests may fail.
"$bench" drive "$plain/batch" --http 2 --in-flight 20 --seconds "$seconds" >steady1 2>&1 &
steady1=$!
"$bench" drive "$plain/batch" --http 1 --connections 10 --seconds "$seconds" >steady2 2>&1 &
steady2=$!
"$bench" drive "$tls/batch" --http 2 --in-flight 20 --seconds "$seconds" --ca cert.pem --payload many >steady3 2>&1 &
steady3=$!

end=$(($(date +%s) + seconds - 1))
killed=0
while [ "$(date +%s)" -lt "$end" ]; do
    case $((killed % 4)) in
    0) "$bench" drive "$plain/batch" --http 2 --in-flight 50 --seconds 60 >/dev/null 2>&1 & ;;
    1) "$bench" drive "$plain/batch" --http 1 --connections 50 --payload many --seconds 60 >/dev/null 2>&1 & ;;
    2) "$bench" drive "$tls/batch" --http 2 --in-flight 50 --payload many --seconds 60 --ca cert.pem >/dev/null 2>&1 & ;;
    3) "$bench" drive "$tls/batch" --http 1 --connections 20 --seconds 60 --ca cert.pem >/dev/null 2>&1 & ;;
    esac
    victim=$!
    sleep "${KILL_PAUSE:-0.5}"
    kill -KILL $victim || fail "client $((killed + 1)) had ended by itself"
    wait $victim 2>/dev/null
    killed=$((killed + 1))
done
echo "killed: $killed clients"
[ "$killed" -ge 2 ] || fail "hardly any client was killed"
for n in 1 2 3; do
    eval "wait \$steady$n" && echo "ok: steady client $n: $(tail -n 1 steady$n)" || {
        cat steady$n
        fail "steady client $n"
    }
done

# counts FILE: "requests answered failed" as the server prints them at its end
counts() {
    sed -n 's/.*requests \([0-9]*\), answered \([0-9]*\), failed \([0-9]*\).*/\1 \2 \3/p' "$1" | tail -n 1
}
account() {
    read -r requests answered failed <<END
$(counts "$1")
END
    echo "server: requests $requests, answered $answered, failed $failed"
    [ "${requests:-0}" -gt 0 ] && [ "$requests" -eq $((answered + failed)) ] || fail "requests were lost: $(cat "$1")"
}
stop_server
account serve.out
mv serve.out plain.out
server=$tls_server
kill -TERM "$server"
wait "$server"
expect "TLS server ends in order" 0 "$?"
finish
