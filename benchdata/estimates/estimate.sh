#!/bin/bash
# estimate.sh has llvm-mca estimate the cycles that the arm64 kernels take, and
# those of the standard library's bigmod: first of each inner loop, taken from the
# disassembly of a program that links both, then of whole operations, as the
# instructions that QEMU saw executed.
#
# Usage: estimate.sh [outdir]   (raw, if not given)
#
# It needs go, llvm-objdump, llvm-mca and qemu-aarch64-static. LLVM=-19 is the
# suffix of the names of the LLVM tools.
set -euo pipefail
cd "$(dirname "$0")"
out=${1:-raw}
llvm=${LLVM:--19}
cpus=(neoverse-n1 neoverse-v1 neoverse-v2 apple-m1)
mkdir -p "$out"
tmp=$(mktemp -d)
trap 'rm -r "$tmp"' EXIT

GOARCH=arm64 CGO_ENABLED=0 go build -o "$tmp/bin" driver.go

# loop SYMBOL K prints the K-th innermost loop of SYMBOL: the instructions from
# the target of a backward jump to the jump, which itself is left as a plain
# conditional jump. A loop that is closed by an unconditional jump and left by a
# conditional one at its top is printed the same way.
loop() {
	llvm-objdump$llvm -d --no-show-raw-insn \
		--disassemble-symbols="$1" "$tmp/bin" 2>/dev/null |
	awk -v k="$2" '
		/^ *[0-9a-f]+:/ {
			addr[++n] = $1; sub(":", "", addr[n])
			at[addr[n]] = n
			line = $0; sub(/^ *[0-9a-f]+:[ \t]*/, "", line)
			sub(/ *<.*/, "", line)
			text[n] = line
		}
		END {
			for (i = 1; i <= n; i++) {
				if (text[i] !~ /^(b|b\.[a-z]+|cbn?z|tbn?z)[ \t]/) continue
				t = text[i]; sub(/.*0x/, "", t)
				if (!(t in at) || at[t] > i || ++found != k) continue
				for (j = at[t]; j <= i; j++) {
					line = text[j]
					sub(/0x[0-9a-f]+$/, (line ~ /^(b|cbn?z|tbn?z)/) ? "8" : "&", line)
					print line
				}
			}
		}'
}

# measure NAME SYMBOL K PRODUCTS appends a row to the table and keeps the output.
measure() {
	local name=$1 products=$4 row mul alu cpu
	loop "$2" "$3" >"$tmp/$name.s"
	row="| $name | $products | $(wc -l <"$tmp/$name.s")"
	row+=" | $(awk -v p="$products" 'END { printf "%.2f", NR/p }' "$tmp/$name.s")"
	: >"$out/$name.txt"
	for cpu in "${cpus[@]}"; do
		llvm-mca$llvm -march=aarch64 -mcpu="$cpu" -iterations=1000 "$tmp/$name.s" >"$tmp/mca"
		{
			echo "== $cpu"
			sed -n '/^Iterations/,/^Block RThroughput/p; /^Resource pressure per iteration/,/^$/p' "$tmp/mca"
		} >>"$out/$name.txt"
		row+=" | $(awk -v p="$products" '/^Total Cycles/ { printf "%.2f", $3/1000/p }' "$tmp/mca")"
	done
	echo "$row |"
}

# operation NAME FROM K TO prints, for sizes of the modulus, the instructions
# executed between the K-th entry into the function FROM (from the end if K is
# negative) and the next one into TO, and the estimates for them.
#
# QEMU logs the address of each block that it executes. A block goes on to the
# first jump, or to the end of a page.
operation() {
	local name=$1 from=$2 k=$3 to=$4 bits row cpu
	from=$(address "$from") to=$(address "$to")
	for bits in 1024 2048 3072 4096; do
		awk -v from="$from" -v to="$to" -v k="$k" '
			FNR == 1 { file++ }
			file == 1 { text[$1] = $0; sub(/^[^ ]* /, "", text[$1]); next_[prev] = $1; prev = $1; next }
			{
				split($4, f, "/"); pc = f[2]; sub(/^0+/, "", pc); block[++n] = pc
				if (pc != from) next
				# A function starts twice when the runtime preempts it or grows its stack.
				if (m > 0 && n - enter[m] < 4) m--
				enter[++m] = n
			}
			END {
				i = k > 0 ? enter[k] : enter[m + k]
				do {
					pc = block[i++]
					while (pc in text) {
						line = text[pc]
						jump = line ~ /^(b|b\.[a-z]+|bl|blr|br|ret|cbn?z|tbn?z)([ \t]|$)/
						# llvm-mca knows no calls; they cost a jump, and so may go anywhere.
						if (line ~ /^(bl|blr|br|ret)([ \t]|$)/) line = "b\t0x8"
						if (jump) sub(/0x[0-9a-f]+$/, "8", line)
						print line
						if (jump) break
						pc = next_[pc]
						if (pc ~ /000$/ && block[i] == pc) break
					}
				} while (i <= n && block[i] != to)
			}' "$tmp/text" "$tmp/trace$bits" >"$tmp/op.s"
		row="| $name | $bits | $(wc -l <"$tmp/op.s") | $(grep -cE '^(mul|umulh|madd)' "$tmp/op.s")"
		for cpu in "${cpus[@]}"; do
			row+=" | $(llvm-mca$llvm -march=aarch64 -mcpu="$cpu" -iterations=1 \
				-instruction-info=0 -resource-pressure=0 "$tmp/op.s" 2>/dev/null |
				awk '/^Total Cycles/ { print $3 }')"
		done
		echo "$row |"
	done
}

# address SYMBOL prints the address of a function, as the log has it.
address() { go tool nm "$tmp/bin" | awk -v s="$1" '$3 == s { print $1 }'; }

traces() {
	llvm-objdump$llvm -d --no-show-raw-insn "$tmp/bin" |
		sed -nE 's/^ *([0-9a-f]+): *\t([^<]*[^< ]).*/\1 \2/p' >"$tmp/text"
	# The functions of both packages, the loop of the standard library's, which has
	# a name of its own, and what copies and clears.
	local ranges bits
	ranges=$(go tool nm -size "$tmp/bin" | awk '
		$3 == "T" && ($4 ~ /\/bigmod\./ || $4 ~ /^(addMulVVWx|runtime\.memmove|runtime\.memclrNoHeapPointers)$/) ||
		$3 == "t" && $4 ~ /^rows[48]$/ { printf "%s0x%s+%d", sep, $1, $2; sep = "," }')
	for bits in 1024 2048 3072 4096; do
		qemu-aarch64-static -d exec,nochain -dfilter "$ranges" -D "$tmp/trace$bits" "$tmp/bin" $bits
	done
}

{
	llvm-mca$llvm --version | sed -n 's/.*LLVM version/LLVM version/p'
	go version | sed 's/ [a-z]*\/.*//'
	echo
	printf '| loop | products | instructions | per product |'; printf ' %s |' "${cpus[@]}"; echo
	printf '|---|---|---|---|'; printf -- '---|%.0s' "${cpus[@]}"; echo
	b=github.com/fastrsa/fastrsa/bigmod
	s=crypto/internal/fips140/bigmod
	measure rows8 rows8 1 32
	measure rows4 rows4 1 16
	measure squares $b.sqrARM64.abi0 3 4
	measure addMulFlip $b.addMulFlipARM64.abi0 1 8
	measure std-addMulVVWx addMulVVWx 1 4

	traces
	echo
	printf '| operation | bits | instructions | multiplications |'; printf ' %s |' "${cpus[@]}"; echo
	printf '|---|---|---|---|'; printf -- '---|%.0s' "${cpus[@]}"; echo
	operation 'square and reduce' "$b.(*Modulus).montSqr" 8 "$b.(*Modulus).montSqr"
	operation 'std: square and reduce' "$s.(*Nat).montgomeryMul" -6 "$s.(*Nat).montgomeryMul"
	operation 'multiply and reduce' "$b.(*Modulus).montMul" 1 "$b.wipe"
	operation 'into Montgomery form' "$b.(*Modulus).toMont" 1 "$b.(*Modulus).montSqr"
	operation 'std: constant for it' "$s.rr" 1 "$s.(*Nat).ExpShortVarTime"
} | tee "$out/table.md"
