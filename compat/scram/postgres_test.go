//go:build unix

package scram_test

import (
	"bytes"
	"crypto/elliptic"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/fastrsa/fastrsa/compat/scram"
)

// These tests talk to PostgreSQL: to its server with this package's client, and with
// its client, psql, to this package's server. Without PostgreSQL they are skipped,
// unless the environment says FASTRSA_REQUIRE_POSTGRES=1. On Debian:
//
//	apt-get install postgresql
const requirePostgres = "FASTRSA_REQUIRE_POSTGRES"

// postgresBin returns the folder of PostgreSQL's programs.
func postgresBin(t *testing.T) string {
	t.Helper()
	required := os.Getenv(requirePostgres) == "1"
	if testing.Short() && !required {
		t.Skip("starts a database server")
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	slices.Sort(found)
	if path, err := exec.LookPath("initdb"); err == nil {
		if path, err = filepath.EvalSymlinks(path); err == nil {
			found = append(found, path)
		}
	}
	if len(found) == 0 {
		const missing = "PostgreSQL is not installed (no initdb in PATH or /usr/lib/postgresql)"
		if required {
			t.Fatal(missing)
		}
		t.Skip(missing + "; " + requirePostgres + "=1 makes this a failure")
	}
	return filepath.Dir(found[len(found)-1])
}

// A cluster is a PostgreSQL server that lives as long as a test.
type cluster struct {
	t    *testing.T
	dir  string // data, socket, certificate and log
	port int
	log  *os.File
}

// unprivileged returns the attributes for starting PostgreSQL, which does not run as
// root, and hands dir over to the user it will run as.
func unprivileged(t *testing.T, dir string) *syscall.SysProcAttr {
	attr := &syscall.SysProcAttr{Setpgid: true}
	if os.Geteuid() != 0 {
		return attr
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		u, err = user.Lookup("nobody")
	}
	if err != nil {
		t.Skip("running as root, and there is no user postgres or nobody to run PostgreSQL as")
	}
	uid, err1 := strconv.Atoi(u.Uid)
	gid, err2 := strconv.Atoi(u.Gid)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid), NoSetGroups: true}
	// The parent is the test's own, too, and nobody else may enter it.
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chown(d, uid, gid); err != nil {
			t.Fatal(err)
		}
	}
	return attr
}

// startCluster makes and starts a cluster. Everybody but the role postgres, who may
// come by the socket only, has to log in by SCRAM-SHA-256.
func startCluster(t *testing.T, cert tls.Certificate) *cluster {
	bin := postgresBin(t)
	c := &cluster{t: t, dir: t.TempDir()}
	attr := unprivileged(t, c.dir)
	data := filepath.Join(c.dir, "data")
	run := func(name string, args ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(bin, name), args...)
		cmd.Dir, cmd.SysProcAttr = c.dir, attr
		cmd.Env = append(os.Environ(), "LC_ALL=C", "TZ=UTC", "PGTZ=UTC")
		return cmd
	}
	if out, err := run("initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync", "--no-instructions").CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	write := func(name string, content []byte) {
		t.Helper()
		path := filepath.Join(c.dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		if attr.Credential != nil {
			if err := os.Chown(path, int(attr.Credential.Uid), int(attr.Credential.Gid)); err != nil {
				t.Fatal(err)
			}
		}
	}
	write("data/pg_hba.conf", []byte("local all postgres trust\nlocal all all scram-sha-256\nhost all all 127.0.0.1/32 scram-sha-256\n"))
	key, err := x509.MarshalPKCS8PrivateKey(cert.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	write("cert.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert.Certificate[0]}))
	write("key.pem", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key}))
	if c.log, err = os.Create(filepath.Join(c.dir, "log")); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.log.Close() })

	// Somebody else may take the free port before PostgreSQL does.
	for try := 1; ; try++ {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		c.port = l.Addr().(*net.TCPAddr).Port
		l.Close()
		cmd := run("postgres", "-D", data, "-k", c.dir, "-h", "127.0.0.1", "-p", strconv.Itoa(c.port), "-F",
			"-c", "ssl=on", "-c", "ssl_cert_file="+filepath.Join(c.dir, "cert.pem"), "-c", "ssl_key_file="+filepath.Join(c.dir, "key.pem"),
			"-c", "password_encryption=scram-sha-256", "-c", "shared_buffers=1MB", "-c", "max_connections=20", "-c", "autovacuum=off")
		cmd.Stdout, cmd.Stderr = c.log, c.log
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		if c.ready(ended) {
			t.Cleanup(func() {
				cmd.Process.Signal(syscall.SIGINT) // PostgreSQL's fast shutdown
				select {
				case <-ended:
				case <-time.After(20 * time.Second):
					cmd.Process.Kill()
					<-ended
				}
			})
			return c
		}
		if try == 5 {
			log, _ := os.ReadFile(c.log.Name())
			t.Fatalf("PostgreSQL does not start\n%s", log)
		}
	}
}

// ready waits until the server answers or ends.
func (c *cluster) ready(ended <-chan error) bool {
	for range 600 {
		select {
		case <-ended:
			return false
		case <-time.After(50 * time.Millisecond):
		}
		if conn, err := dial(c.socket(), nil, "postgres"); err == nil {
			defer conn.close()
			return conn.login(nil) == nil
		}
	}
	return false
}

func (c *cluster) socket() string { return fmt.Sprintf("%s/.s.PGSQL.%d", c.dir, c.port) }
func (c *cluster) tcp() string    { return fmt.Sprintf("127.0.0.1:%d", c.port) }

// sql runs a statement as the administrator, and returns the first column of the
// first row.
func (c *cluster) sql(statement string) string {
	c.t.Helper()
	conn, err := dial(c.socket(), nil, "postgres")
	if err != nil {
		c.t.Fatal(err)
	}
	defer conn.close()
	if err := conn.login(nil); err != nil {
		c.t.Fatal(err)
	}
	out, err := conn.query(statement)
	if err != nil {
		c.t.Fatalf("%s: %v", statement, err)
	}
	return out
}

// A wire is a connection in PostgreSQL's protocol, version 3.
type wire struct {
	net.Conn
	tls *tls.ConnectionState // nil without TLS
}

func (w *wire) close() { w.Conn.Close() }

// dial connects by a socket or by TCP, there with TLS if config is not nil, and names
// the role.
func dial(address string, config *tls.Config, role string) (*wire, error) {
	network := "tcp"
	if strings.HasPrefix(address, "/") {
		network = "unix"
	}
	conn, err := net.DialTimeout(network, address, 10*time.Second)
	if err != nil {
		return nil, err
	}
	conn.SetDeadline(time.Now().Add(60 * time.Second))
	w := &wire{Conn: conn}
	if config != nil {
		if _, err := conn.Write([]byte{0, 0, 0, 8, 4, 210, 22, 47}); err != nil { // SSLRequest
			return nil, err
		}
		var answer [1]byte
		if _, err := io.ReadFull(conn, answer[:]); err != nil || answer[0] != 'S' {
			return nil, fmt.Errorf("no TLS: %q, %v", answer, err)
		}
		tc := tls.Client(conn, config)
		if err := tc.Handshake(); err != nil {
			return nil, err
		}
		state := tc.ConnectionState()
		w.Conn, w.tls = tc, &state
	}
	startup := []byte("\x00\x03\x00\x00user\x00" + role + "\x00database\x00postgres\x00\x00")
	_, err = w.Write(append(binary.BigEndian.AppendUint32(nil, uint32(len(startup)+4)), startup...))
	return w, err
}

func (w *wire) send(kind byte, body []byte) error {
	msg := binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(body)+4))
	_, err := w.Write(append(msg, body...))
	return err
}

func (w *wire) receive() (kind byte, body []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(w, head[:]); err != nil {
		return 0, nil, err
	}
	n := binary.BigEndian.Uint32(head[1:])
	if n < 4 || n > 1<<20 {
		return 0, nil, fmt.Errorf("a message of %d bytes", n)
	}
	body = make([]byte, n-4)
	_, err = io.ReadFull(w, body)
	return head[0], body, err
}

// A refusal is PostgreSQL's SQLSTATE and message.
type refusal struct{ code, message string }

func (r *refusal) Error() string { return r.code + " " + r.message }

func readRefusal(body []byte) error {
	r := &refusal{}
	for field := range bytes.SplitSeq(body, []byte{0}) {
		switch {
		case len(field) == 0:
		case field[0] == 'C':
			r.code = string(field[1:])
		case field[0] == 'M':
			r.message = string(field[1:])
		}
	}
	return r
}

// login follows the server to the end of the authentication. choose is asked for a
// conversation when the server has named its mechanisms.
func (w *wire) login(choose func(mechanisms []string) (string, *scram.ClientConversation)) error {
	var cc *scram.ClientConversation
	for {
		kind, body, err := w.receive()
		if err != nil {
			return err
		}
		switch kind {
		case 'E':
			return readRefusal(body)
		case 'Z': // ready for queries
			if choose != nil && (cc == nil || !cc.Valid() || !cc.Done()) {
				return errors.New("logged in without a valid conversation")
			}
			return nil
		case 'R':
			if len(body) < 4 {
				return errors.New("short message")
			}
			var out string
			switch code := binary.BigEndian.Uint32(body); code {
			case 0:
				continue
			case 10: // SASL
				if choose == nil {
					return errors.New("the server wants a password")
				}
				var mechanism string
				mechanism, cc = choose(strings.Split(strings.TrimRight(string(body[4:]), "\x00"), "\x00"))
				if out, err = cc.Step(""); err != nil {
					return err
				}
				first := append([]byte(mechanism), 0)
				first = binary.BigEndian.AppendUint32(first, uint32(len(out)))
				err = w.send('p', append(first, out...))
			case 11: // SASL continues
				if out, err = cc.Step(string(body[4:])); err == nil {
					err = w.send('p', []byte(out))
				}
			case 12: // SASL's final message
				_, err = cc.Step(string(body[4:]))
			default:
				err = fmt.Errorf("the server wants authentication %d", code)
			}
			if err != nil {
				return err
			}
		}
	}
}

// query runs a statement and returns the first column of the first row.
func (w *wire) query(statement string) (out string, err error) {
	if err := w.send('Q', append([]byte(statement), 0)); err != nil {
		return "", err
	}
	for {
		kind, body, e := w.receive()
		if e != nil {
			return "", e
		}
		switch kind {
		case 'E':
			err = readRefusal(body)
		case 'D':
			if n := int32(binary.BigEndian.Uint32(body[2:])); out == "" && n > 0 {
				out = string(body[6:][:n])
			}
		case 'Z':
			return out, err
		}
	}
}

const (
	plain = "SCRAM-SHA-256"
	plus  = "SCRAM-SHA-256-PLUS"
)

// TestPostgreSQL logs in at PostgreSQL's server.
func TestPostgreSQL(t *testing.T) {
	// With SHA-384 in its signature, the certificate shows that the binding takes the
	// certificate's hash, not the mechanism's.
	cert := selfSigned(t, ecdsaKey(t, elliptic.P384()), x509.ECDSAWithSHA384)
	c := startCluster(t, cert)
	t.Log(c.sql("SELECT version()"))
	roots := x509.NewCertPool()
	roots.AddCert(cert.Leaf)
	config := &tls.Config{RootCAs: roots, ServerName: "localhost"}

	client := func(t *testing.T, password string) *scram.Client {
		t.Helper()
		// PostgreSQL takes the name from its own protocol.
		client, err := scram.SHA256.NewClientPrepared(scram.PreparePostgreSQL, "", []byte(password), "")
		if err != nil {
			t.Fatal(err)
		}
		return client
	}
	// login wants the mechanisms that the server offers to be those of the
	// connection, and asks make for the conversation.
	login := func(t *testing.T, role string, config *tls.Config, mechanism string, make func(state *tls.ConnectionState) *scram.ClientConversation) error {
		t.Helper()
		address := c.socket()
		if config != nil {
			address = c.tcp()
		}
		w, err := dial(address, config, role)
		if err != nil {
			t.Fatal(err)
		}
		defer w.close()
		err = w.login(func(offered []string) (string, *scram.ClientConversation) {
			want := []string{plain}
			if config != nil {
				want = []string{plus, plain}
			}
			if !slices.Equal(offered, want) {
				t.Errorf("the server offers %q", offered)
			}
			return mechanism, make(w.tls)
		})
		if err != nil {
			return err
		}
		if who, err := w.query("SELECT current_user"); err != nil || who != role {
			t.Errorf("logged in as %q, %v", who, err)
		}
		return nil
	}
	bySocket := func(t *testing.T, role string, client *scram.Client) error {
		t.Helper()
		return login(t, role, nil, plain, func(*tls.ConnectionState) *scram.ClientConversation { return client.NewConversation() })
	}
	wantRefusal := func(t *testing.T, err error, code string) {
		t.Helper()
		var r *refusal
		if !errors.As(err, &r) || r.code != code {
			t.Errorf("%v, want a refusal with %s", err, code)
		}
	}
	const wrongPassword, violation = "28P01", "08P01"

	c.sql("CREATE ROLE app LOGIN PASSWORD 'pencil'")

	t.Run("socket", func(t *testing.T) {
		app := client(t, "pencil")
		cache := scram.NewCache(4, time.Hour)
		app.WithCache(cache)
		for range 3 {
			if err := bySocket(t, "app", app); err != nil {
				t.Fatal(err)
			}
		}
		if s := cache.Stats(); s.Misses != 1 || s.Hits != 2 {
			t.Errorf("%+v", s)
		}
	})
	t.Run("wrong password", func(t *testing.T) {
		wantRefusal(t, bySocket(t, "app", client(t, "Pencil")), wrongPassword)
		wantRefusal(t, bySocket(t, "app", client(t, "pencil ")), wrongPassword)
		wantRefusal(t, bySocket(t, "nobody_of_this_name", client(t, "pencil")), wrongPassword)
	})
	t.Run("TLS", func(t *testing.T) {
		app := client(t, "pencil")
		binding := func(state *tls.ConnectionState) scram.ChannelBinding {
			cb, err := scram.NewTLSServerEndpointBinding(state)
			if err != nil {
				t.Fatal(err)
			}
			return cb
		}
		for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
			config := config.Clone()
			config.MinVersion, config.MaxVersion = version, version
			if err := login(t, "app", config, plus, func(s *tls.ConnectionState) *scram.ClientConversation {
				return app.NewConversationWithChannelBinding(binding(s))
			}); err != nil {
				t.Errorf("with channel binding, %s: %v", tls.VersionName(version), err)
			}
		}
		if err := login(t, "app", config, plain, func(*tls.ConnectionState) *scram.ClientConversation { return app.NewConversation() }); err != nil {
			t.Errorf("without channel binding: %v", err)
		}
		wantRefusal(t, login(t, "app", config, plus, func(s *tls.ConnectionState) *scram.ClientConversation {
			return client(t, "Pencil").NewConversationWithChannelBinding(binding(s))
		}), wrongPassword)
		// The server offered channel binding, so a client that says it was not
		// offered has a man in the middle.
		if err := login(t, "app", config, plain, func(*tls.ConnectionState) *scram.ClientConversation {
			return app.NewConversationAdvertisingChannelBinding()
		}); err == nil {
			t.Error("the server accepts a downgrade")
		}
		if err := login(t, "app", config, plus, func(s *tls.ConnectionState) *scram.ClientConversation {
			cb := binding(s)
			cb.Data[0] ^= 1
			return app.NewConversationWithChannelBinding(cb)
		}); err == nil {
			t.Error("the server accepts the binding of another certificate")
		}
		wantRefusal(t, login(t, "app", config, plus, func(s *tls.ConnectionState) *scram.ClientConversation {
			cb, err := scram.NewTLSExporterBinding(s)
			if err != nil {
				t.Fatal(err)
			}
			return app.NewConversationWithChannelBinding(cb)
		}), violation)
	})
	t.Run("iteration counts", func(t *testing.T) {
		for _, i := range []int{1, 1000, 4096, 60_000, 150_000} {
			role := fmt.Sprintf("iterations_%d", i)
			cred, err := client(t, "pencil").GetStoredCredentialsWithError(scram.KeyFactors{Salt: "0123456789abcdef", Iters: i})
			if err != nil {
				t.Fatal(err)
			}
			verifier, err := scram.SHA256.FormatStored(cred)
			if err != nil {
				t.Fatal(err)
			}
			c.sql("CREATE ROLE " + role + " LOGIN PASSWORD '" + verifier + "'")
			if stored := c.sql("SELECT rolpassword FROM pg_authid WHERE rolname = '" + role + "'"); stored != verifier {
				t.Errorf("the server stored %q for %q", stored, verifier)
			}
			app := client(t, "pencil")
			err = bySocket(t, role, app)
			var limit *scram.IterationError
			switch {
			case i >= scram.DefaultMinIterations && i <= scram.DefaultMaxIterations:
				if err != nil {
					t.Errorf("%d iterations: %v", i, err)
				}
				continue
			case !errors.As(err, &limit) || limit.Iterations != uint64(i):
				t.Errorf("%d iterations: %v", i, err)
			}
			if err := bySocket(t, role, app.WithMinIterations(1).WithMaxIterations(i)); err != nil {
				t.Errorf("%d iterations with other limits: %v", i, err)
			}
			wantRefusal(t, bySocket(t, role, client(t, "pen").WithMinIterations(1).WithMaxIterations(i)), wrongPassword)
		}
	})
	t.Run("preparation", func(t *testing.T) {
		for i, password := range []string{
			"é", "日本語", "p\u212bssword", "ramo\u0301n", "I\u00adX", "\u2168", "\u00aa", "\ufb01", "a\u00a0b", "a\u3000b", "a\u200bb", "a\u200cb", "\u200b",
			// These SASLprep forbids or makes empty.
			"\u00ad", "\u0007", "a\nb", "a\x7f", "\u00e9\u0007", "\u0627\u0031", "\u05e9\u05dc\u05d5\u05ddabc", "horse\U0001f434", "\u0221", "\ufffd", "\ue000", "\u212b\u0221",
		} {
			role := fmt.Sprintf("prepared_%d", i)
			c.sql("CREATE ROLE " + role + " LOGIN PASSWORD '" + password + "'")
			app := client(t, password)
			verifier := c.sql("SELECT rolpassword FROM pg_authid WHERE rolname = '" + role + "'")
			want, err := scram.SHA256.ParseStored(verifier)
			if err != nil {
				t.Fatal(err)
			}
			got, err := app.GetStoredCredentialsWithError(want.KeyFactors)
			if err != nil || !bytes.Equal(got.StoredKey, want.StoredKey) || !bytes.Equal(got.ServerKey, want.ServerKey) {
				t.Errorf("%+q: other keys than the server's, %v", password, err)
			}
			if err := bySocket(t, role, app); err != nil {
				t.Errorf("%+q: %v", password, err)
			}
			if text, err := scram.SHA256.FormatStored(want); err != nil || text != verifier {
				t.Errorf("%q, %v, the server wrote %q", text, err, verifier)
			}
		}
	})
}

// TestPsql lets PostgreSQL's own client log in at this package's server.
func TestPsql(t *testing.T) {
	psql := filepath.Join(postgresBin(t), "psql")
	if _, err := os.Stat(psql); err != nil {
		if psql, err = exec.LookPath("psql"); err != nil {
			if os.Getenv(requirePostgres) == "1" {
				t.Fatal(err)
			}
			t.Skipf("PostgreSQL's client is not installed: %v", err)
		}
	}
	cert := selfSigned(t, ecdsaKey(t, elliptic.P384()), x509.ECDSAWithSHA384)
	binding, err := scram.NewTLSServerEndpointBindingFromCertificate(cert.Leaf)
	if err != nil {
		t.Fatal(err)
	}
	const password = "p\u00e4ssword"
	client, err := scram.SHA256.NewClientPrepared(scram.PreparePostgreSQL, "", []byte(password), "")
	if err != nil {
		t.Fatal(err)
	}
	cred, err := client.GetStoredCredentialsWithError(scram.KeyFactors{Salt: "0123456789abcdef", Iters: 4096})
	if err != nil {
		t.Fatal(err)
	}

	// serve accepts one connection, and returns the mechanism and what became of it.
	type result struct {
		mechanism string
		valid     bool
		err       error
	}
	serve := func(l net.Listener) (r result) {
		conn, err := l.Accept()
		if err != nil {
			return result{err: err}
		}
		defer conn.Close()
		conn.SetDeadline(time.Now().Add(30 * time.Second))
		w := &wire{Conn: conn}
		startup := func() []byte {
			var n [4]byte
			if _, err = io.ReadFull(w, n[:]); err != nil {
				return nil
			}
			body := make([]byte, min(max(binary.BigEndian.Uint32(n[:]), 4), 4096)-4)
			_, err = io.ReadFull(w, body)
			return body
		}
		body := startup()
		offer := []string{plain}
		if bytes.Equal(body, []byte{4, 210, 22, 47}) {
			if _, err := w.Write([]byte("S")); err != nil {
				return result{err: err}
			}
			w.Conn = tls.Server(conn, &tls.Config{Certificates: []tls.Certificate{cert}})
			offer = []string{plus, plain}
			body = startup()
		}
		fields := strings.Split(string(body), "\x00")
		i := slices.Index(fields, "user")
		if err != nil || i < 0 {
			return result{err: fmt.Errorf("no startup message: %q, %v", body, err)}
		}
		role := fields[i+1]

		if err := w.send('R', []byte("\x00\x00\x00\x0a"+strings.Join(offer, "\x00")+"\x00\x00")); err != nil {
			return result{err: err}
		}
		kind, body, err := w.receive()
		if err != nil {
			return result{err: err}
		}
		mechanism, rest, ok := bytes.Cut(body, []byte{0})
		if kind != 'p' || !ok || len(rest) < 4 {
			return result{err: fmt.Errorf("%q", body)}
		}
		r.mechanism = string(mechanism)
		server, err := scram.SHA256.NewServer(func(string) (scram.StoredCredentials, error) { return lookupOf("app", cred)(role) })
		if err != nil {
			return result{err: err}
		}
		sc := server.NewConversation()
		if len(offer) == 2 {
			sc = server.NewConversationWithChannelBinding(binding)
		}
		in := string(rest[4:])
		for code := byte(11); ; code++ {
			out, err := sc.Step(in)
			if err != nil {
				w.send('E', []byte("SFATAL\x00VFATAL\x00C28P01\x00Mpassword authentication failed\x00\x00"))
				r.err = err
				return r
			}
			if err := w.send('R', append([]byte{0, 0, 0, code}, out...)); err != nil {
				return result{err: err}
			}
			if sc.Done() {
				break
			}
			if kind, body, err = w.receive(); err != nil || kind != 'p' {
				return result{err: fmt.Errorf("%q, %v", body, err)}
			}
			in = string(body)
		}
		r.valid = sc.Valid()
		w.send('R', make([]byte, 4))
		w.send('Z', []byte("I"))
		if kind, body, err = w.receive(); err != nil || kind != 'Q' {
			return result{err: fmt.Errorf("%q, %v", body, err)}
		}
		w.send('T', []byte("\x00\x01x\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x19\xff\xff\xff\xff\xff\xff\x00\x00"))
		w.send('D', []byte("\x00\x01\x00\x00\x00\x07welcome"))
		w.send('C', []byte("SELECT 1\x00"))
		w.send('Z', []byte("I"))
		w.receive()
		return r
	}

	for _, c := range []struct {
		name      string
		options   string
		role      string
		password  string
		mechanism string
		good      bool
	}{
		{"without TLS", "sslmode=disable", "app", password, plain, true},
		{"channel binding", "sslmode=require channel_binding=require", "app", password, plus, true},
		{"channel binding as it comes", "sslmode=require", "app", password, plus, true},
		{"TLS without channel binding", "sslmode=require channel_binding=disable", "app", password, plain, true},
		{"decomposed password", "sslmode=disable", "app", "pa\u0308ssword", plain, true},
		{"wrong password", "sslmode=disable", "app", "password", plain, false},
		{"wrong password with channel binding", "sslmode=require channel_binding=require", "app", "password", plus, false},
		{"unknown user", "sslmode=disable", "nobody", password, plain, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			done := make(chan result, 1)
			go func() { done <- serve(l) }()
			port := l.Addr().(*net.TCPAddr).Port
			cmd := exec.Command(psql, "-X", "-A", "-t", "-w", "-c", "SELECT 1",
				fmt.Sprintf("host=127.0.0.1 port=%d user=%s dbname=x gssencmode=disable connect_timeout=20 %s", port, c.role, c.options))
			cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "PGPASSWORD="+c.password)
			out, err := cmd.CombinedOutput()
			l.Close()
			r := <-done
			if good := strings.Contains(string(out), "welcome"); good != c.good || (err == nil) != c.good || r.valid != c.good || r.mechanism != c.mechanism || (r.err == nil) != c.good {
				t.Errorf("%v, %+v\n%s", err, r, out)
			}
		})
	}
}
