#!/usr/bin/env bash
# record.sh DIR [ROUNDS] records the benchmarks into new files in DIR, a path from the root of
# the repository, for several builds that take turns, ROUNDS times (default 10):
#
#	go1.26.txt        package rsa with the release that runs it, kernels as chosen
#	go1.26-plain.txt  the same, without ADX, BMI2 and AVX2
#	go1.26-purego.txt without assembly
#	go1.27.txt        the other release
#	go1.26-parallel.txt  one key shared by one and two processors
#	go1.26-keys.txt   generated keys, 60 of each size by each side
#	go1.26-compat.txt the packages in compat
#	openssl.txt       openssl speed, another program, if there is one
#
# Every file has both fastrsa and what it stands in for, except openssl.txt. Nothing else
# should run on the machine; it takes about twenty minutes. Compare with benchstat:
#
#	go run golang.org/x/perf/cmd/benchstat@latest -col /impl DIR/go1.26.txt
set -euo pipefail
[ $# -ge 1 ] || { echo "usage: $0 DIR [ROUNDS]" >&2; exit 2; }
rounds=${2:-10}
cd "$(dirname "$0")/.."
mkdir -p "$1"
dir=$(cd "$1" && pwd)
for name in go1.26 go1.26-plain go1.26-purego go1.27 go1.26-parallel go1.26-keys go1.26-compat openssl; do
	[ ! -e "$dir/$name.txt" ] || { echo "$dir/$name.txt exists" >&2; exit 1; }
done
plain=cpu.adx=off,cpu.bmi2=off,cpu.avx2=off
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT

build() { # build NAME GO-ARGS… builds the tests of package rsa
	local name=$1
	shift
	go test -c -o "$tmp/$name.test" "$@" ./rsa
}
compat="subtle pbkdf2 keygen scram"
for p in $compat; do
	go test -c -o "$tmp/$p.test" "./compat/$p"
done
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
header "$(go env GOVERSION)" "$(GODEBUG=$plain kernel)" >"$dir/go1.26-plain.txt"
header "$(go env GOVERSION)" "$(kernel -tags purego)" >"$dir/go1.26-purego.txt"
header go1.27.3 "$(kernel)" >"$dir/go1.27.txt"
for name in go1.26-parallel go1.26-keys go1.26-compat; do
	header "$(go env GOVERSION)" "$(kernel)" >"$dir/$name.txt"
done

run() { # run NAME [REGEXP] appends one round
	(cd rsa && "$tmp/$1.test" -test.run '^$' -test.bench "${2:-VerifyPKCS1v15|SignPKCS1v15|PSS|OAEP|PKCS1v15Encryption}" \
		-test.benchtime 0.2s -test.cpu 1 >>"$dir/$1.txt")
}
for ((i = 0; i < rounds; i++)); do
	run go1.26
	run go1.26 'Load$|Signer|Verifier'
	GODEBUG=$plain run go1.26-plain
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
(cd rsa && "$tmp/go1.26.test" -test.run '^$' -test.bench GenerateKeyRatio -test.benchtime 60x -test.cpu 1 >>"$dir/go1.26-keys.txt")
for ((i = 0; i < rounds; i++)); do
	for p in $compat; do
		(cd "compat/$p" && "$tmp/$p.test" -test.run '^$' -test.bench . -test.benchtime 0.05s -test.cpu 1 >>"$dir/go1.26-compat.txt")
	done
done
