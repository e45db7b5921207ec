package subtle_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/fastrsa/fastrsa/compat/subtle"
)

// A webhook is authentic if its signature is the HMAC of its body.
func ExampleSecureCompare() {
	mac := hmac.New(sha256.New, []byte("key shared with the sender"))
	mac.Write([]byte(`{"event":"paid"}`))
	want := mac.Sum(nil)

	got, err := hex.DecodeString("5ef0a4b0d9dbb4d3b8b7f7e8ac9e1a3f00000000000000000000000000000000")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(subtle.SecureCompare(got, want))
	fmt.Println(subtle.SecureCompare(want, want))
	// Output:
	// false
	// true
}

func ExampleConstantTimeCompare() {
	fmt.Println(subtle.ConstantTimeCompare([]byte("secret"), []byte("secret")))
	fmt.Println(subtle.ConstantTimeCompare([]byte("secret"), []byte("secreT")))
	fmt.Println(subtle.ConstantTimeCompare([]byte("secret"), []byte("secre")))
	// Output:
	// 1
	// 0
	// 0
}

func ExampleSecureCompareString() {
	const apiKey = "k-3f9c2a"
	fmt.Println(subtle.SecureCompareString("k-3f9c2a", apiKey))
	fmt.Println(subtle.SecureCompareString("k-3f9c2b", apiKey))
	// Output:
	// true
	// false
}

// A masked value is compared without unmasking it into a buffer.
func ExampleMaskedCompare() {
	secret := []byte("session token")
	mask := []byte{7, 1, 255, 4, 9, 33, 6, 80, 2, 11, 5, 90, 12}
	masked := make([]byte, len(secret))
	if err := subtle.Mask(masked, secret, mask); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(subtle.MaskedCompare(secret, masked, mask))
	fmt.Println(subtle.MaskedCompare([]byte("session tokeN"), masked, mask))
	// Output:
	// true
	// false
}

func ExampleMask() {
	dst := make([]byte, 3)
	fmt.Println(subtle.Mask(dst, []byte{1, 2, 3}, []byte{255, 2, 0}), dst)
	fmt.Println(errors.Is(subtle.Mask(dst, []byte{1, 2, 3}, []byte{255, 2}), subtle.ErrLength), dst)
	// Output:
	// <nil> [254 0 3]
	// true [254 0 3]
}

// An access token of unknown length is checked against the configured one. The time
// that takes says nothing about the configured one, its length included.
func ExampleSecret() {
	configured := subtle.NewSecret([]byte("an access token"))
	fmt.Println(configured.EqualString("an access"))
	fmt.Println(configured.EqualString("an access token"))
	fmt.Println(configured)
	// Output:
	// false
	// true
	// subtle.Secret
}

func ExampleCompareHidingLength() {
	fmt.Println(subtle.CompareHidingLength([]byte("password"), []byte("pass")))
	fmt.Println(subtle.CompareHidingLength([]byte("password"), []byte("password")))
	// Output:
	// false
	// true
}

// A form carries a token that differs each time it is shown; the session carries
// the secret that it is made of.
func ExampleMaskToken() {
	session := []byte("16 random bytes!")

	first, err := subtle.MaskToken(session)
	if err != nil {
		fmt.Println(err)
		return
	}
	second, err := subtle.MaskToken(session)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(first), first == second)

	// The form comes back.
	fmt.Println(subtle.CompareMaskedToken(first, session))
	fmt.Println(subtle.CompareMaskedToken(second, session))
	fmt.Println(subtle.CompareMaskedToken(second, []byte("another session.")))
	// Output:
	// 43 false
	// true
	// true
	// false
}

func ExampleUnmaskToken() {
	secret, err := subtle.UnmaskToken("AQIDYGBg")
	fmt.Printf("%q %v\n", secret, err)
	_, err = subtle.UnmaskToken("AQIDYGBg==")
	fmt.Println(err)
	// Output:
	// "abc" <nil>
	// subtle: malformed token
}
