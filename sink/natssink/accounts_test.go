package natssink_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nkeys"

	"github.com/sendoff-go/outbox/internal/await"
	"github.com/sendoff-go/outbox/internal/testenv"
)

// natsWithAccounts starts a NATS server whose users have credentials files, and
// returns its URL, the file of a user, and the file of an unknown user.
func natsWithAccounts(t testing.TB) (url, creds, stranger string) {
	t.Helper()
	dir := t.TempDir()
	operator, account, system := newKey(t, nkeys.PrefixByteOperator), newKey(t, nkeys.PrefixByteAccount), newKey(t, nkeys.PrefixByteAccount)
	unlimited := map[string]any{"limits": map[string]any{
		"subs": -1, "data": -1, "payload": -1, "imports": -1, "exports": -1, "wildcards": true, "conn": -1, "leaf": -1,
		"mem_storage": -1, "disk_storage": -1, "streams": -1, "consumer": -1,
	}}
	config := fmt.Sprintf(`
operator: %q
system_account: %q
resolver: MEMORY
resolver_preload: { %q: %q, %q: %q }
`, operator.says(t, operator, "operator", map[string]any{}), system.public,
		account.public, operator.says(t, account, "account", unlimited),
		system.public, operator.says(t, system, "account", map[string]any{}))
	return startNATS(t, config), credentials(t, dir, account), credentials(t, dir, newKey(t, nkeys.PrefixByteAccount))
}

// startNATS runs a server with JetStream and these lines of configuration until
// the test ends, and returns its URL.
func startNATS(t testing.TB, config string) (url string) {
	t.Helper()
	program := testenv.Secure(t, testenv.NATS).Program
	if program == "" {
		t.Fatal("OUTBOX_TEST_NATS_SECURE names no server program: add program=FILE to it, or unset OUTBOX_TEST_NATS")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "nats.conf")
	own := fmt.Sprintf("listen: \"127.0.0.1:-1\"\nports_file_dir: %q\njetstream { store_dir: %q }\n", dir, filepath.Join(dir, "data"))
	if err := os.WriteFile(file, []byte(own+config), 0o600); err != nil {
		t.Fatal(err)
	}
	server := exec.CommandContext(t.Context(), program, "-c", file, "-l", filepath.Join(dir, "log"))
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Wait() // it was killed when the context ended
		if t.Failed() {
			text, err := os.ReadFile(filepath.Join(dir, "log"))
			t.Logf("the server's log: %s %v", text, err)
		}
	})
	// When it is ready, the server writes this file with its addresses.
	var ports struct{ Nats []string }
	name := filepath.Join(dir, fmt.Sprintf("%s_%d.ports", filepath.Base(program), server.Process.Pid))
	await.Until(t, "the server listens", func() bool {
		text, err := os.ReadFile(name)
		return err == nil && json.Unmarshal(text, &ports) == nil && len(ports.Nats) > 0
	})
	return ports.Nats[0]
}

// credentials writes the credentials file of a new user of an account.
func credentials(t testing.TB, dir string, account key) string {
	t.Helper()
	user := newKey(t, nkeys.PrefixByteUser)
	seed, err := user.Seed()
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf("-----BEGIN NATS USER JWT-----\n%s\n------END NATS USER JWT------\n\n-----BEGIN USER NKEY SEED-----\n%s\n------END USER NKEY SEED------\n",
		account.says(t, user, "user", map[string]any{"subs": -1, "data": -1, "payload": -1}), seed)
	file := filepath.Join(dir, user.public+".creds")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

type key struct {
	nkeys.KeyPair
	public string
}

func newKey(t testing.TB, kind nkeys.PrefixByte) key {
	t.Helper()
	pair, err := nkeys.CreatePair(kind)
	if err != nil {
		t.Fatal(err)
	}
	public, err := pair.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	return key{pair, public}
}

// says signs a claim of the key's owner about another key, in the server's
// format.
func (k key) says(t testing.TB, of key, kind string, what map[string]any) string {
	t.Helper()
	what["type"], what["version"] = kind, 2
	body, err := json.Marshal(map[string]any{
		"jti": of.public, "iat": time.Now().Unix(), "iss": k.public, "sub": of.public, "name": kind, "nats": what,
	})
	if err != nil {
		t.Fatal(err)
	}
	text := base64.RawURLEncoding.EncodeToString([]byte(`{"typ":"JWT","alg":"ed25519-nkey"}`)) + "." + base64.RawURLEncoding.EncodeToString(body)
	signature, err := k.Sign([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}
