package subtle

// Base64url without padding, RFC 4648 §5, on secrets: encoding/base64 looks each
// character up in a table, which leaks through the cache which lines of the
// table were read. Here characters are computed. Besides, there is one encoding of
// each value: line breaks and unused bits that are not 0 are refused.

// encodedLen returns the length of the encoding of n bytes.
func encodedLen(n int) int { return n/3*4 + (n%3*8+5)/6 }

// decodedLen returns the number of bytes in n characters, and whether n is a length
// that an encoding can have.
func decodedLen(n int) (int, bool) { return n/4*3 + n%4*6/8, n%4 != 1 }

// appendBase64 appends the encoding of src to dst. The length of src is public.
func appendBase64(dst, src []byte) []byte {
	var acc uint32
	bits := 0
	for _, b := range src {
		acc = acc<<8 | uint32(b)
		for bits += 8; bits >= 6; {
			bits -= 6
			dst = append(dst, encode6(acc>>bits))
		}
	}
	if bits > 0 {
		dst = append(dst, encode6(acc<<(6-bits)))
	}
	return dst
}

// decodeBase64 sets dst to what src encodes and reports whether src is an encoding;
// if not, the contents of dst are unspecified. len(dst) is decodedLen(len(src)). The
// lengths are public, and so is the result, but not where it was decided.
func decodeBase64(dst []byte, src string) bool {
	var acc, invalid uint32
	bits := 0
	for i, j := 0, 0; i < len(src); i++ {
		v, bad := decode6(src[i])
		invalid |= bad
		acc = acc<<6 | v
		if bits += 6; bits >= 8 {
			bits -= 8
			dst[j] = byte(acc >> bits)
			j++
		}
	}
	invalid |= acc & (1<<bits - 1)
	return invalid == 0
}

// encode6 returns the character for the low 6 bits of v.
func encode6(v uint32) byte {
	x := int32(v & 63)
	// The alphabet has five runs. Each mask is all ones if x is beyond the end of a
	// run, and adds the gap to the next.
	c := 'A' + x
	c += (25 - x) >> 31 & ('a' - 'Z' - 1)
	c -= (51 - x) >> 31 & ('z' - '0' + 1)
	c -= (61 - x) >> 31 & ('9' - '-' + 1)
	c += (62 - x) >> 31 & ('_' - '-' - 1)
	return byte(c)
}

// decode6 returns the value of a character, and 0, or, if c is not in the alphabet,
// a number that is not 0.
func decode6(c byte) (v, bad uint32) {
	x := int32(c)
	upper, lower, digit := within(x, 'A', 'Z'), within(x, 'a', 'z'), within(x, '0', '9')
	minus, line := within(x, '-', '-'), within(x, '_', '_')
	value := upper&(x-'A') | lower&(x-'a'+26) | digit&(x-'0'+52) | minus&62 | line&63
	return uint32(value), ^uint32(upper | lower | digit | minus | line)
}

// within returns all ones if low ≤ x ≤ high, and 0 if not: then, and only then, are
// both differences negative.
func within(x, low, high int32) int32 { return (low - 1 - x) & (x - high - 1) >> 31 }
