package scram_test

import (
	"crypto"
	"fmt"
	"testing"

	xdg "github.com/xdg-go/scram"

	"github.com/fastrsa/fastrsa/compat/scram"
)

// loginPair returns functions that make new conversations of each side, of this
// package and of xdg-go's, for one user. With cached, keys are remembered; without,
// each login derives them, as a new client of xdg-go's does.
func loginPair(t testing.TB, f scram.HashGeneratorFcn, iters int, cached bool) (own, peer func() (client, server conversation)) {
	const salt = "0123456789abcdef"
	c, err := f.NewClient("user", "pencil", "")
	if err != nil {
		t.Fatal(err)
	}
	c.WithMinIterations(1)
	cred, err := c.GetStoredCredentialsWithError(scram.KeyFactors{Salt: salt, Iters: iters})
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.NewServer(func(string) (scram.StoredCredentials, error) { return cred, nil })
	if err != nil {
		t.Fatal(err)
	}
	if !cached {
		c.WithCache(nil)
	}
	xf := xdg.HashGeneratorFcn(f)
	xc, err := xf.NewClient("user", "pencil", "")
	if err != nil {
		t.Fatal(err)
	}
	xc.WithMinIterations(1)
	xcred, err := xc.GetStoredCredentialsWithError(xdg.KeyFactors{Salt: salt, Iters: iters})
	if err != nil {
		t.Fatal(err)
	}
	xs, err := xf.NewServer(func(string) (xdg.StoredCredentials, error) { return xcred, nil })
	if err != nil {
		t.Fatal(err)
	}
	own = func() (client, server conversation) { return c.NewConversation(), s.NewConversation() }
	peer = func() (client, server conversation) {
		xc := xc
		if !cached {
			// Its cache cannot be turned off.
			var err error
			if xc, err = xf.NewClient("user", "pencil", ""); err != nil {
				t.Fatal(err)
			}
			xc.WithMinIterations(1)
		}
		return xc.NewConversation(), xs.NewConversation()
	}
	return own, peer
}

// BenchmarkLogin measures both sides of a login.
func BenchmarkLogin(b *testing.B) {
	for _, h := range allHashes {
		switch h.name {
		case "SCRAM-SHA-1", "SCRAM-SHA-256", "SCRAM-SHA-512":
		default:
			continue
		}
		for _, cached := range []bool{false, true} {
			own, peer := loginPair(b, h.f, 4096, cached)
			for _, impl := range []struct {
				name string
				f    func() (client, server conversation)
			}{{"xdg", peer}, {"fastrsa", own}} {
				b.Run(fmt.Sprintf("mech=%s/cached=%v/impl=%s", h.name, cached, impl.name), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						client, server := impl.f()
						mustTalk(b, client, server)
					}
					b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "logins/s")
				})
			}
		}
	}
}

// BenchmarkSharedClient measures cached logins from all processors at once.
func BenchmarkSharedClient(b *testing.B) {
	own, peer := loginPair(b, scram.SHA256, 4096, true)
	for _, impl := range []struct {
		name string
		f    func() (client, server conversation)
	}{{"xdg", peer}, {"fastrsa", own}} {
		b.Run("impl="+impl.name, func(b *testing.B) {
			b.ReportAllocs()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					client, server := impl.f()
					if c, s := talk(client, server); c != nil || s != nil {
						b.Error(c, s)
					}
				}
			})
		})
	}
}

// BenchmarkClientSignature measures one of the bare functions that are not [scram.Hi].
func BenchmarkClientSignature(b *testing.B) {
	for _, h := range bareHashes {
		b.Run(fmt.Sprintf("hash=%v", h), func(b *testing.B) {
			key, dst := make([]byte, h.Size()), make([]byte, 0, h.Size())
			b.ReportAllocs()
			for b.Loop() {
				if _, err := scram.ClientSignature(dst, h, key, "n=user,r=rOprNGfwEbeRWgbNEkqO,r=rOprNGfwEbeRWgbNEkqO,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096,c=biws,r=x"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkHi measures the KDF as logins use it.
func BenchmarkHi(b *testing.B) {
	for _, h := range []crypto.Hash{crypto.SHA1, crypto.SHA256, crypto.SHA512, crypto.SHA3_256} {
		b.Run(fmt.Sprintf("hash=%v/iter=4096", h), func(b *testing.B) {
			password, salt, dst := []byte("pencil"), make([]byte, 16), make([]byte, 0, h.Size())
			b.ReportAllocs()
			for b.Loop() {
				if _, err := scram.Hi(dst, h, password, salt, 4096); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestLoginAllocations wants the memory of a login not to grow with the iteration
// count, and to be less than xdg-go's.
func TestLoginAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes sync.Pool drop what it holds")
	}
	login := func(f func() (client, server conversation)) func() {
		return func() {
			client, server := f()
			mustTalk(t, client, server)
		}
	}
	for _, h := range allHashes {
		if testing.Short() && h.name != "SCRAM-SHA-256" {
			continue
		}
		for _, cached := range []bool{false, true} {
			few, peer := loginPair(t, h.f, 4096, cached)
			many, _ := loginPair(t, h.f, 40960, cached)
			a, b, x := testing.AllocsPerRun(3, login(few)), testing.AllocsPerRun(1, login(many)), testing.AllocsPerRun(3, login(peer))
			// A garbage collection empties the pools, and then a login fills them again.
			for tries := 0; a != b && tries < 5; tries++ {
				a, b = testing.AllocsPerRun(1, login(few)), testing.AllocsPerRun(1, login(many))
			}
			if a != b || a > x/2 {
				t.Errorf("%s, cached: %v: %v allocations with 4096 iterations, %v with 40960, xdg-go: %v with 4096", h.name, cached, a, b, x)
			}
			t.Logf("%s, cached: %v: %v allocations, xdg-go: %v", h.name, cached, a, x)
		}
	}
}
