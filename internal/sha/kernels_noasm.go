//go:build purego || !(amd64 || arm64)

package sha

func width1(int) int   { return 1 }
func width256(int) int { return 1 }
func width512(int) int { return 1 }

func loop1x1(s *Stream1, n int)    { loop1x1Generic(s, n) }
func loop1x2(s *[2]Stream1, n int) { loop1x2Generic(s, n) }
func loop1x8(s *[8]Stream1, n int) { loop1x8Generic(s, n) }

func loop256x1(s *Stream256, trim *Trim256, n int)    { loop256x1Generic(s, trim, n) }
func loop256x2(s *[2]Stream256, trim *Trim256, n int) { loop256x2Generic(s, trim, n) }
func loop256x8(s *[8]Stream256, trim *Trim256, n int) { loop256x8Generic(s, trim, n) }

func loop512x1(s *Stream512, trim *Trim512, n int)    { loop512x1Generic(s, trim, n) }
func loop512x2(s *[2]Stream512, trim *Trim512, n int) { loop512x2Generic(s, trim, n) }
func loop512x4(s *[4]Stream512, trim *Trim512, n int) { loop512x4Generic(s, trim, n) }

func blocks1(h *[5]uint32, p []byte)   { blocks1Generic(h, p) }
func blocks256(h *[8]uint32, p []byte) { blocks256Generic(h, p) }
func blocks512(h *[8]uint64, p []byte) { blocks512Generic(h, p) }

func fast1() bool   { return false }
func fast256() bool { return false }
func fast512() bool { return false }
