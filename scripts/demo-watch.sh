#!/usr/bin/env bash
# Half a million observations, judged by workers that share a stream and are killed, and by one process: the same
# verdicts. `make demo-watch` builds the binary first and sees to a server.
set -u

cd "$(dirname "$0")/.." || exit 1
choros="${CARGO_TARGET_DIR:-target}/release/choros"
case $choros in /*) ;; *) choros="$PWD/$choros" ;; esac
server="$PWD/.venv/bin/nats-server"
folder=$(mktemp -d "${TMPDIR:-/tmp}/choros-demo.XXXXXX") || exit 1
count=${CHOROS_DEMO_OBSERVATIONS:-500000}
processes=()
trap 'stop' EXIT

stop() {
    for process in "${processes[@]}"; do kill -9 "$process" 2>/dev/null; done
    rm -rf "$folder"
}

main() {
    cd "$folder" || exit 1
    say "$count observations of a service that is asked and answers, in sessions that come and go"
    observations >s.jsonl
    cat >answered.prop <<'PROP'
property answered on s {
  context ask[c,s]? (any) within 3 messages per session expect answer[s,c]! (any)
}
property not_twice on s {
  context ask[c,s]? (any) within 1 messages per session never ask[c,s]? (any)
}
PROP
    cat answered.prop

    say "One process: choros monitor answered.prop --log s=s.jsonl"
    timed "$choros" monitor answered.prop --log s=s.jsonl --verdicts one.jsonl >one.txt
    sed -n 1,3p one.txt

    say "A broker, and a stream of 8 partitions: choros feed"
    "$server" -js -sd store -a 127.0.0.1 -p -1 --ports_file_dir "$folder" >server.log 2>&1 &
    processes+=("$!")
    disown
    until url=$(grep -o 'nats://[0-9.:]*' "$folder"/nats-server_*.ports 2>/dev/null) && [ -n "$url" ]; do sleep 0.05; done
    stream="$url/demo"
    timed "$choros" feed --log s=s.jsonl --stream "$stream" --partitions 8 --end

    say "Two processes share it: choros watch answered.prop --stream $stream"
    worker 0
    worker 1
    "$choros" watch answered.prop --stream "$stream" --workers 0 --until-end --verdicts many.jsonl >many.txt 2>&1 &
    looker=$!
    processes+=("$looker")
    for kill in 1 2 3; do
        until_told $((kill * $(wc -l <one.jsonl) / 5))
        number=$((kill % 2))
        kill -9 "${workers[$number]}"
        echo "kill -9 of worker $number after $(wc -l <many.jsonl) verdicts; another one starts"
        worker "$number"
    done
    wait "$looker" 2>/dev/null
    grep -v '^watching' many.txt | sed -n 1,3p

    say "The verdicts, sorted, without the numbers that their testers gave them and the windows that they show"
    for name in one many; do
        sed -E 's/^\{"seq":[0-9]+,//; s/,"window":\[.*//' "$name.jsonl" | LC_ALL=C sort >"$name.sorted"
        printf '%8d %s  %s\n' "$(wc -l <"$name.sorted")" "$(sha256sum <"$name.sorted" | cut -c1-16)" "$name"
    done
    if cmp -s one.sorted many.sorted; then
        echo "the same, after three kills"
    else
        echo "they differ"
        exit 1
    fi
}

worker() {
    "$choros" watch answered.prop --stream "$stream" --workers 1 --takeover-after 1 >"worker$1.txt" 2>&1 &
    workers[$1]=$!
    disown
    processes+=("$!")
}

# Waits until so many verdicts were told, or all of them.
until_told() {
    until [ -f many.jsonl ] && [ "$(wc -l <many.jsonl)" -ge "$1" ]; do
        kill -0 "$looker" 2>/dev/null || return
        sleep 0.1
    done
}

observations() {
    awk -v count="$count" 'BEGIN {
        srand(7)
        for (n = 1; n <= count; n++) {
            at += int(rand() * 8)
            if (rand() < 0.3) oldest++
            asks = rand() < 0.5
            printf "{\"at\":%d,\"by\":\"s\",\"dir\":\"%s\",\"from\":\"%s\",\"to\":\"%s\",\"op\":\"%s\",\"session\":\"%d\"}\n",
                at, asks ? "recv" : "send", asks ? "c" : "s", asks ? "s" : "c", asks ? "ask" : "answer",
                oldest + int(rand() * 12)
        }
    }'
}

say() {
    printf '\n── %s\n' "$1"
}

timed() {
    local begun=${EPOCHREALTIME/./}
    "$@"
    local took=$(((${EPOCHREALTIME/./} - begun) / 1000))
    echo "took $took ms" >&2
}

main
