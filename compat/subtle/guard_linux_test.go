package subtle

import (
	"bytes"
	"syscall"
	"testing"
)

// newGuarded returns memory of at least n bytes between two pages that cannot be
// accessed.
func newGuarded(t *testing.T, n int) []byte {
	page := syscall.Getpagesize()
	size := (n + page - 1) / page * page
	b, err := syscall.Mmap(-1, 0, size+2*page, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { syscall.Munmap(b) })
	for _, guard := range [][]byte{b[:page], b[page+size:]} {
		if err := syscall.Mprotect(guard, syscall.PROT_NONE); err != nil {
			t.Fatal(err)
		}
	}
	return b[page : page+size]
}

// TestGuardPages compares inputs of every length with each of them against a page
// that cannot be accessed, at its end and at its start.
func TestGuardPages(t *testing.T) {
	memory := [3][]byte{newGuarded(t, maxLen+1), newGuarded(t, maxLen+1), newGuarded(t, maxLen+1)}
	// place returns a copy of b at the end of memory i, if bit i of ends is set, or
	// else at its start.
	place := func(i, ends int, b []byte) []byte {
		z := memory[i][:len(b)]
		if ends>>i&1 != 0 {
			z = memory[i][len(memory[i])-len(b):]
		}
		copy(z, b)
		return z
	}
	withKernels(t, func(t *testing.T) {
		r := newRand(8)
		a, mask := make([]byte, maxLen), make([]byte, maxLen)
		masked := make([]byte, maxLen)
		for n := 0; n <= maxLen; n++ {
			r.fill(a[:n])
			r.fill(mask[:n])
			XORBytes(masked, a[:n], mask[:n])
			for ends := range 8 {
				x, y, m := place(0, ends, a[:n]), place(1, ends, a[:n]), place(2, ends, mask[:n])
				if !equalForms(x, y) {
					t.Fatalf("%d bytes, placed %03b: not equal", n, ends)
				}
				if n > 0 {
					y[r.IntN(n)] ^= 1
					if equalForms(x, y) {
						t.Fatalf("%d bytes, placed %03b: equal", n, ends)
					}
				}
				if y = place(1, ends, masked[:n]); !MaskedCompare(x, y, m) {
					t.Fatalf("%d bytes, placed %03b: not equal under a mask", n, ends)
				}
				if err := Mask(y, x, m); err != nil || !bytes.Equal(y, masked[:n]) {
					t.Fatalf("%d bytes, placed %03b: %x, %v", n, ends, y, err)
				}
			}
			// Lengths that differ, with nothing to read beyond the shorter one.
			if x, y := place(0, 3, a[:n]), place(1, 3, a[:n]); n > 0 && (equalForms(x, y[1:]) || equalForms(x[1:], y)) {
				t.Fatalf("%d and %d bytes: equal", n, n-1)
			}
		}
	})
	// Seams between calls of assembly.
	long := [2][]byte{newGuarded(t, maxChunk+100), newGuarded(t, maxChunk+100)}
	withKernels(t, func(t *testing.T) {
		for _, n := range []int{maxChunk - 1, maxChunk, maxChunk + 1, maxChunk + 64, maxChunk + 65} {
			x, y := long[0][len(long[0])-n:], long[1][:n]
			if clear(y); !equalForms(x, y) {
				t.Fatalf("%d bytes: not equal", n)
			}
			if y[n-1] = 1; equalForms(x, y) {
				t.Fatalf("%d bytes: equal", n)
			}
		}
	})
}

// TestDiffGuardPages does the same for the functions under the kernels, from their
// least lengths on.
func TestDiffGuardPages(t *testing.T) {
	memory := [3][]byte{newGuarded(t, maxLen), newGuarded(t, maxLen), newGuarded(t, maxLen)}
	for _, d := range diffFuncs() {
		for n := d.min; n <= maxLen; n++ {
			for ends := range 8 {
				var p [3][]byte
				for i, b := range memory {
					p[i] = b[:n]
					if ends>>i&1 != 0 {
						p[i] = b[len(b)-n:]
					}
				}
				x, y, m := pointer(p[0]), pointer(p[1]), pointer(p[2])
				if d.diff(x, y, n) != 0 || d.mask(x, y, m, n) != 0 {
					t.Fatalf("%s: %d bytes, placed %03b: not equal", d.name, n, ends)
				}
				for _, i := range []int{0, n / 2, n - 1} {
					p[1][i] = 0x40
					if d.diff(x, y, n) == 0 || d.mask(x, y, m, n) == 0 {
						t.Fatalf("%s: %d bytes, placed %03b: equal", d.name, n, ends)
					}
					if p[2][i] = 0x40; d.mask(x, y, m, n) != 0 {
						t.Fatalf("%s: %d bytes, placed %03b: not equal under a mask", d.name, n, ends)
					}
					p[1][i], p[2][i] = 0, 0
				}
			}
		}
	}
}
