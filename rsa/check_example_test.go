package rsa_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"log"
	"math/big"
	"time"

	"github.com/fastrsa/fastrsa/rsa"
)

// A key whose modulus is the product of two Mersenne primes.
func ExampleAuditPublicKey() {
	mersenne := func(n uint) *big.Int {
		x := new(big.Int).Lsh(big.NewInt(1), n)
		return x.Sub(x, big.NewInt(1))
	}
	pub := &rsa.PublicKey{N: new(big.Int).Mul(mersenne(521), mersenne(607)), E: 3}

	findings, err := rsa.AuditPublicKey(context.Background(), pub)
	if err != nil {
		log.Fatal(err)
	}
	for _, f := range findings {
		fmt.Printf("%v: %s: %s\n", f.Severity, f.Check, f.Message)
	}
	// Output:
	// warning: exponent: the public exponent is 3; FIPS 186-5 asks for more than 65536
	// warning: size: the modulus has 1128 bits; less than 2048 is not allowed any more (NIST SP 800-131A)
}

// A large key, with a time limit and a report.
func ExampleGenerateKeyContext() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()

	key, err := rsa.GenerateKeyContext(ctx, rand.Reader, 8192, func(p rsa.KeyProgress) {
		fmt.Printf("\r%d of 2 primes, %d candidates of about %d", p.Primes, p.Tested, p.Expected)
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("\n", key.N.BitLen(), "bits")
}
