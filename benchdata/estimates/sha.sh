#!/bin/bash
# sha.sh has llvm-mca estimate the cycles that the arm64 loops of PBKDF2 take: of
# package sha's kernels, one block with all that is done for it, taken from the
# disassembly; and of the standard library's functions, one block of a message.
#
# Usage: sha.sh [outdir]   (raw, if not given)
#
# It needs go, llvm-objdump and llvm-mca. LLVM=-19 is the suffix of the names of the
# LLVM tools.
set -euo pipefail
cd "$(dirname "$0")"
out=${1:-raw}
llvm=${LLVM:--19}
cpus=(neoverse-n1 neoverse-v1 neoverse-v2 apple-m1)
mkdir -p "$out"
tmp=$(mktemp -d)
trap 'rm -r "$tmp"' EXIT

# The tests call the kernels and the standard library.
GOARCH=arm64 CGO_ENABLED=0 go test -c -o "$tmp/bin" ../../internal/sha

# block SYMBOL prints the first loop that a conditional jump closes, with a jump that
# goes nowhere.
block() {
	llvm-objdump$llvm -d --no-show-raw-insn --disassemble-symbols="$1" "$tmp/bin" 2>/dev/null |
	awk '
		/^ *[0-9a-f]+:/ {
			addr = $1; sub(":", "", addr)
			at[addr] = ++n
			line = $0; sub(/^ *[0-9a-f]+:[ \t]*/, "", line); sub(/ *<.*/, "", line)
			text[n] = line
			if (line !~ /^(b\.[a-z]+|cbn?z)[ \t]/) next
			to = line; sub(/.*0x/, "", to)
			if (!(to in at)) next
			for (i = at[to]; i < n; i++) print text[i]
			sub(/0x[0-9a-f]+$/, "8", line); print line
			exit
		}'
}

# measure NAME SYMBOL STREAMS prints a row of the table, cycles per block and stream, and
# keeps the output.
measure() {
	local name=$1 streams=$3 row cpu attr
	block "$2" >"$tmp/$name.s"
	row="| $name | $streams | $(wc -l <"$tmp/$name.s")"
	: >"$out/$name.txt"
	for cpu in "${cpus[@]}"; do
		attr=+sha2,+sha3
		[ $cpu != neoverse-n1 ] || attr=+sha2 # it has no SHA-512 instructions
		llvm-mca$llvm -march=aarch64 -mattr=$attr -mcpu="$cpu" -iterations=100 "$tmp/$name.s" >"$tmp/mca" 2>"$tmp/err" ||
			{ row+=" | -"; continue; }
		{
			echo "== $cpu"
			sed -n '/^Iterations/,/^Block RThroughput/p; /^Resource pressure per iteration/,/^$/p' "$tmp/mca"
		} >>"$out/$name.txt"
		row+=" | $(awk -v s="$streams" '/^Total Cycles/ { printf "%.0f", $3/100/s }' "$tmp/mca")"
	done
	echo "$row |"
}

{
	llvm-mca$llvm --version | sed -n 's/.*LLVM version/LLVM version/p'
	go version | sed 's/ [a-z]*\/.*//'
	echo
	printf '| loop | streams | instructions |'; printf ' %s |' "${cpus[@]}"; echo
	printf '|---|---|---|'; printf -- '---|%.0s' "${cpus[@]}"; echo
	b=github.com/fastrsa/fastrsa/internal/sha
	s=crypto/internal/fips140
	measure sha1x1 $b.loop1x1SHA1.abi0 1
	measure sha1x2 $b.loop1x2SHA1.abi0 2
	measure std-sha1 crypto/sha1.sha1block.abi0 1
	measure sha256x1 $b.loop256x1SHA2.abi0 1
	measure sha256x2 $b.loop256x2SHA2.abi0 2
	measure std-sha256 $s/sha256.blockSHA2.abi0 1
	measure sha512x1 $b.loop512x1SHA512.abi0 1
	measure sha512x2 $b.loop512x2SHA512.abi0 2
	measure std-sha512 $s/sha512.blockSHA512.abi0 1
} | tee "$out/sha-table.md"
