//go:build ignore

// Driver raises a number to the power of 65537 modulo an odd number of the given
// number of bits, with the bigmod package and by way of crypto/rsa, for
// estimate.sh to trace.
package main

import (
	"crypto/rsa"
	"log"
	"math/big"
	"os"
	"strconv"

	"github.com/fastrsa/fastrsa/bigmod"
)

func main() {
	bits, err := strconv.Atoi(os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	n := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	n.Sub(n, big.NewInt(159))

	m, err := bigmod.NewModulus(n.Bytes())
	if err != nil {
		log.Fatal(err)
	}
	x := bigmod.NewNat().SetUint(3).ExpandFor(m)
	bigmod.NewNat().ExpShortVarTime(x, 65537, m)

	sig := make([]byte, bits/8)
	sig[len(sig)-1] = 3
	if err := rsa.VerifyPKCS1v15(&rsa.PublicKey{N: n, E: 65537}, 0, []byte("no"), sig); err != rsa.ErrVerification {
		log.Fatal(err)
	}
}
