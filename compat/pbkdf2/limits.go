package pbkdf2

import (
	"crypto"
	"fmt"
)

// Limits bounds the parameters of a derivation, for programs that get them from elsewhere:
// from a server, a file, a stored hash. A field that is 0 sets no bound. [Key] and the
// other functions check none of this.
type Limits struct {
	// MinIterations keeps a derivation from being cheap to an attacker, MaxIterations from
	// being dear to the caller.
	MinIterations, MaxIterations int

	// MinSalt is the least length of a salt in bytes.
	MinSalt int

	// MinOutput and MaxOutput are the least and the greatest length of an output in bytes.
	MinOutput, MaxOutput int
}

// SP800132 returns the lower bounds of NIST SP 800-132: 1000 iterations (§5.2), a salt of 128
// bits (§5.1) and an output of 112 bits (§5.3). It sets no upper bounds.
func SP800132() Limits {
	return Limits{MinIterations: 1000, MinSalt: 16, MinOutput: 14}
}

// A LimitError tells which parameter is out of bounds.
type LimitError struct {
	Parameter string // "iterations", "salt length" or "output length"
	Value     int
	Min, Max  int // Max is 0 if there is no upper bound.
}

func (e *LimitError) Error() string {
	if e.Value < e.Min {
		return fmt.Sprintf("pbkdf2: %s %d is less than %d", e.Parameter, e.Value, e.Min)
	}
	return fmt.Sprintf("pbkdf2: %s %d is more than %d", e.Parameter, e.Value, e.Max)
}

// Check returns a *[LimitError] for the first parameter that is out of bounds.
func (l Limits) Check(saltLength, iter, outputLength int) error {
	if err := inside("iterations", iter, l.MinIterations, l.MaxIterations); err != nil {
		return err
	}
	if err := inside("salt length", saltLength, l.MinSalt, 0); err != nil {
		return err
	}
	return inside("output length", outputLength, l.MinOutput, l.MaxOutput)
}

func inside(parameter string, value, least, most int) error {
	if value < least || most != 0 && value > most {
		return &LimitError{parameter, value, least, most}
	}
	return nil
}

// Fill is [Fill] after a [Limits.Check].
func (l Limits) Fill(dst []byte, h crypto.Hash, password, salt []byte, iter int) error {
	if err := l.Check(len(salt), iter, len(dst)); err != nil {
		return err
	}
	return Fill(dst, h, password, salt, iter)
}
