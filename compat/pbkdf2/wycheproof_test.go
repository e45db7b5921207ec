package pbkdf2

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"io/fs"
	"path"
	"strings"
	"testing"

	"github.com/c2sp/wycheproof"
)

// TestWycheproof runs all vectors of all PBKDF2 files, one by one and each file as a batch.
func TestWycheproof(t *testing.T) {
	t.Parallel()
	vectors := wycheproof.TestVectors
	files, err := fs.Glob(vectors, "pbkdf2_*_test.json")
	if err != nil {
		t.Fatal(err)
	}
	indices := map[string]int{"hmacsha1": 0, "hmacsha224": 1, "hmacsha256": 2, "hmacsha384": 3, "hmacsha512": 4}
	if len(files) != len(indices) {
		t.Fatalf("files: %q", files)
	}
	for _, file := range files {
		t.Run(file, func(t *testing.T) {
			t.Parallel()
			i, ok := indices[strings.TrimSuffix(strings.TrimPrefix(path.Base(file), "pbkdf2_"), "_test.json")]
			if !ok {
				t.Fatal("another hash")
			}
			text, err := fs.ReadFile(vectors, file)
			if err != nil {
				t.Fatal(err)
			}
			var data struct {
				NumberOfTests int
				TestGroups    []struct {
					Tests []struct {
						TcID               int
						Comment            string
						Password, Salt, Dk string
						IterationCount     int
						DkLen              int
						Result             string
					}
				}
			}
			if err := json.Unmarshal(text, &data); err != nil {
				t.Fatal(err)
			}
			decode := func(s string) []byte {
				b, err := hex.DecodeString(s)
				if err != nil {
					t.Fatal(err)
				}
				return b
			}
			var requests []Request
			var want [][]byte
			seen := 0
			for _, g := range data.TestGroups {
				for _, v := range g.Tests {
					seen++
					if v.Result != "valid" || v.DkLen != len(decode(v.Dk)) {
						t.Errorf("%d: result %s, %d bytes", v.TcID, v.Result, v.DkLen)
					}
					if v.IterationCount > 1<<20 && testing.Short() {
						t.Logf("%d (%s) has %d iterations: not run with -short", v.TcID, v.Comment, v.IterationCount)
						continue
					}
					password, salt, dk := decode(v.Password), decode(v.Salt), decode(v.Dk)
					if key, err := Key(hashes[i].new, string(password), salt, v.IterationCount, len(dk)); err != nil || !bytes.Equal(key, dk) {
						t.Errorf("%d (%s): %x, %v, want %x", v.TcID, v.Comment, key, err, dk)
					}
					if v.IterationCount <= 1<<20 {
						requests = append(requests, Request{make([]byte, len(dk)), password, salt, v.IterationCount})
						want = append(want, dk)
					}
				}
			}
			if seen != data.NumberOfTests || seen == 0 {
				t.Errorf("%d vectors of %d", seen, data.NumberOfTests)
			}
			if err := Batch(context.Background(), hashes[i].hash, requests, nil); err != nil {
				t.Fatal(err)
			}
			for k, r := range requests {
				if !bytes.Equal(r.Dst, want[k]) {
					t.Errorf("in a batch, request %d: %x, want %x", k, r.Dst, want[k])
				}
			}
		})
	}
}
