#!/usr/bin/env bash
# record.sh DIR [ROUNDS] records the benchmarks of package rsa into new files in DIR,
# a path from the root of the repository, for several builds that take turns, ROUNDS
# times (default 10):
#
#	go1.26.txt        the release that runs it, kernels as chosen for this machine
#	go1.26-plain.txt  the same, without ADX and BMI2
#	go1.26-purego.txt without assembly
#	go1.27.txt        the other release
#	go1.26-parallel.txt  one key shared by one and two processors
#	openssl.txt       openssl speed, another program, if there is one
#
# Every file has both crypto/rsa and fastrsa, except openssl.txt. Nothing else should
# run on the machine; it takes about seven minutes. Compare with benchstat:
#
#	go run golang.org/x/perf/cmd/benchstat@latest -col /impl DIR/go1.26.txt
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: $0 DIR [ROUNDS]" >&2; exit 2; }
rounds=${2:-10}
cd "$(dirname "$0")/.."
mkdir -p "$1"
dir=$(cd "$1" && pwd)
for name in go1.26 go1.26-plain go1.26-purego go1.27 go1.26-parallel openssl; do
	[ ! -e "$dir/$name.txt" ] || { echo "$dir/$name.txt exists" >&2; exit 1; }
done
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

build() { # build NAME GO-ARGS… builds the tests of package rsa
	local name=$1
	shift
	go test -c -o "$tmp/$name.test" "$@" ./rsa
}
build go1.26
build go1.26-purego -tags purego
GOTOOLCHAIN=go1.27.3 build go1.27
cp "$tmp/go1.26.test" "$tmp/go1.26-plain.test"

header() { # header GO-VERSION KERNEL
	echo "go: $1"
	echo "kernel: $2"
	echo "commit: $(git rev-parse --short HEAD)$(git diff --quiet HEAD || echo -dirty)"
	echo "os: $(uname -sr)"
	echo "cores: $(nproc)"
	echo "cpu-model: $(sed -n 's/^\(cpu family\|model\|stepping\)[ \t]*: //p' /proc/cpuinfo 2>/dev/null | head -3 | tr '\n' ' ')"
	echo "governor: $(cat /sys/devices/system/cpu/cpu0/cpufreq/scaling_governor 2>/dev/null || echo not visible)"
	echo "date: $(date -u +%Y-%m-%d)"
}
kernel() { go run "$@" ./cmd/fastrsa info | sed -n 's/^kernel *//p'; }
header "$(go env GOVERSION)" "$(kernel)" >"$dir/go1.26.txt"
header "$(go env GOVERSION)" "$(GODEBUG=cpu.adx=off,cpu.bmi2=off kernel)" >"$dir/go1.26-plain.txt"
header "$(go env GOVERSION)" "$(kernel -tags purego)" >"$dir/go1.26-purego.txt"
header go1.27.3 "$(kernel)" >"$dir/go1.27.txt"
header "$(go env GOVERSION)" "$(kernel)" >"$dir/go1.26-parallel.txt"

run() { # run NAME appends one round
	(cd rsa && "$tmp/$1.test" -test.run '^$' -test.bench 'VerifyPKCS1v15|SignPKCS1v15|PSS|OAEP|PKCS1v15Encryption' \
		-test.benchtime 0.2s -test.cpu 1 >>"$dir/$1.txt")
}
for ((i = 0; i < rounds; i++)); do
	run go1.26
	GODEBUG=cpu.adx=off,cpu.bmi2=off run go1.26-plain
	run go1.26-purego
	run go1.27
	if command -v openssl >/dev/null; then
		{ openssl version; openssl speed -seconds 1 rsa1024 rsa2048 rsa3072 rsa4096 2>/dev/null | grep '^rsa'; } >>"$dir/openssl.txt"
	fi
done
# Throughput with one key on one and two processors.
for ((i = 0; i < rounds; i++)); do
	(cd rsa && "$tmp/go1.26.test" -test.run '^$' -test.bench Parallel -test.benchtime 0.3s -test.cpu 1,2 >>"$dir/go1.26-parallel.txt")
done
