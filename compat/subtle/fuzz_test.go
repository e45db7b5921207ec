package subtle

import (
	"bytes"
	"crypto/subtle"
	"testing"
)

// FuzzCompare compares all functions with crypto/subtle, with every kernel.
func FuzzCompare(f *testing.F) {
	f.Add([]byte{}, []byte{}, []byte{})
	f.Add([]byte("0123456"), []byte("0123457"), []byte{0, 0, 0, 0, 0, 0, 1})
	f.Add([]byte("01234567"), []byte("01234567"), make([]byte, 8))
	f.Add(bytes.Repeat([]byte{0x80}, 65), bytes.Repeat([]byte{0x80}, 65), make([]byte, 65))
	f.Add(bytes.Repeat([]byte{1}, 129), bytes.Repeat([]byte{2}, 129), bytes.Repeat([]byte{3}, 129))
	f.Add(bytes.Repeat([]byte{9}, 300), bytes.Repeat([]byte{9}, 299), make([]byte, 300))
	f.Fuzz(func(t *testing.T, x, y, mask []byte) {
		want := subtle.ConstantTimeCompare(x, y)
		wantMask := false
		if len(x) == len(y) {
			z := make([]byte, len(x))
			subtle.XORBytes(z, x, y)
			wantMask = subtle.ConstantTimeCompare(z, mask) == 1
		}
		defer func(k kernel) {
			activeKernel = k
			minCall, maxWords = k.wordLengths()
		}(activeKernel)
		for _, k := range hostKernels() {
			activeKernel = k
			minCall, maxWords = k.wordLengths()
			if got := ConstantTimeCompare(x, y); got != want || SecureCompare(x, y) != (want == 1) ||
				SecureCompareString(string(x), string(y)) != (want == 1) || ConstantTimeCompare(x, bytes.Clone(x)) != 1 {
				t.Errorf("%v: %d, want %d", k, got, want)
			}
			if got := MaskedCompare(x, y, mask); got != wantMask {
				t.Errorf("%v: MaskedCompare: %t, want %t", k, got, wantMask)
			}
		}
		if got := CompareHidingLength(x, y); got != (want == 1) || NewSecret(x).Equal(y) != got {
			t.Errorf("CompareHidingLength: %t, want %d", got, want)
		}
	})
}

// FuzzMask compares Mask with its definition.
func FuzzMask(f *testing.F) {
	f.Add([]byte{}, []byte{}, 0)
	f.Add([]byte("abc"), []byte("xyz"), 3)
	f.Add([]byte("abc"), []byte("xy"), 3)
	f.Add([]byte("abc"), []byte("xyz"), 2)
	f.Fuzz(func(t *testing.T, a, mask []byte, n int) {
		if n < 0 || n > len(a)+len(mask)+1 {
			return
		}
		dst := make([]byte, n)
		err := Mask(dst, a, mask)
		if (err == nil) != (n == len(a) && n == len(mask)) || err != nil && err != ErrLength {
			t.Fatalf("%d, %d, %d bytes: %v", n, len(a), len(mask), err)
		}
		for i := range dst {
			if err == nil && dst[i] != a[i]^mask[i] || err != nil && dst[i] != 0 {
				t.Fatalf("byte %d is %#x", i, dst[i])
			}
		}
	})
}

// FuzzToken unmasks arbitrary strings: there is one spelling of a token, and what
// unmasks also compares.
func FuzzToken(f *testing.F) {
	f.Add("", []byte{})
	f.Add("AAE", []byte{1})
	f.Add("AAF", []byte{1})
	f.Add("AAAAAAA", []byte{0, 0})
	f.Add("_-_-_-_-\n", []byte("abc"))
	f.Add("AAE=", []byte{1})
	f.Fuzz(func(t *testing.T, token string, secret []byte) {
		checkDecode(t, token)
		got, err := UnmaskToken(token)
		if (err == nil) != (got != nil) || err != nil && err != ErrToken {
			t.Fatalf("%x, %v", got, err)
		}
		if CompareMaskedToken(token, secret) != (err == nil && bytes.Equal(got, secret)) {
			t.Fatalf("%q: %x, secret %x", token, got, secret)
		}
		if err == nil && !CompareMaskedToken(token, got) {
			t.Fatalf("%q is not a token for %x", token, got)
		}
		if made, err := MaskToken(secret); err != nil && len(secret) > 0 || err == nil && !CompareMaskedToken(made, secret) {
			t.Fatalf("%x: %q, %v", secret, made, err)
		}
	})
}
