package daemon

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sendoff-go/outbox/admin"
	"github.com/sendoff-go/outbox/cmd/internal/daemon/config"
	"github.com/sendoff-go/outbox/internal/testenv"
)

const token = "a-token-of-the-tests"

// ask sends a request with a bearer token, unless that is empty.
func ask(t *testing.T, client *http.Client, method, url, token, body string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	if token != "" {
		req.Header.Set("Authorization", "Bearer "+token)
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err.Error()
	}
	client.CloseIdleConnections()
	return resp.StatusCode, string(text)
}

func TestADeadLetterIsRetriedOverHTTP(t *testing.T) {
	addr, h := testenv.Address(t), newHook(t)
	var mended bool
	h.reply = func(*http.Request) int {
		h.mu.Lock()
		defer h.mu.Unlock()
		if mended {
			return http.StatusOK
		}
		return http.StatusBadRequest
	}
	r := load(t, newFile(t), `outbox:
  admin: {addr: '`+addr+`', tokens: {ci: {role: operator, token-sha256: `+admin.Sum(token)+`}}}
  publisher:
    sender: {type: http, url: '`+h.URL+`'}
    defaults: {fixed-delay: 100ms, max-retries: 1}
    events: {a: {topic: /x}}
`)
	stop := r.run()
	r.insert("a", 3)
	url := "http://" + addr + "/api/v1/"
	r.until("all are dead", func() bool {
		code, text := ask(t, http.DefaultClient, "GET", url+"status", token, "")
		return code == http.StatusOK && strings.Contains(text, `"dead":{"n":3,`)
	})
	h.mu.Lock()
	mended = true
	h.mu.Unlock()
	if code, text := ask(t, http.DefaultClient, "POST", url+"jobs/delete", token, `{"all":true}`); code != http.StatusForbidden {
		t.Errorf("an operator deletes: %d %s", code, text)
	}
	if code, text := ask(t, http.DefaultClient, "POST", url+"jobs/retry", token, `{"all":true,"note":"mended"}`); code != http.StatusOK || !strings.Contains(text, `"matches":{"n":3,`) {
		t.Errorf("%d %s", code, text)
	}
	r.until("all have arrived", func() bool { return h.got() == 3 })
	if code, text := ask(t, http.DefaultClient, "GET", url+"audit", token, ""); code != http.StatusOK || !strings.Contains(text, `"by":"ci","action":"retry"`) {
		t.Errorf("%d %s", code, text)
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
}

func TestWithCredentialsOnlyHealthIsForEverybody(t *testing.T) {
	addr, gone := testenv.Address(t), testenv.Address(t)
	r := load(t, newFile(t), `outbox:
  admin: {addr: '`+addr+`', tokens: {ci: {token: `+token+`}}}
  publisher: {sender: {type: http, url: 'http://`+gone+`'}, defaults: {fixed-delay: 100ms}, events: {a: {topic: /x}}}
`)
	r.run()
	r.insert("a", 1)
	url := "http://" + addr
	r.until("the destination is told to those who are known", func() bool {
		code, text := ask(t, http.DefaultClient, "GET", url+"/readyz", token, "")
		return code == http.StatusOK && strings.Contains(text, "unavailable:")
	})
	for path, want := range map[string]string{"/livez": "alive\n", "/readyz": "ready\n"} {
		if code, text := get(t, addr, path); code != http.StatusOK || text != want {
			t.Errorf("%s: %d %q", path, code, text)
		}
	}
	for _, path := range []string{"/metrics", "/api/v1/status", "/api/openapi.json", "/api/none"} {
		if code, text := get(t, addr, path); code != http.StatusUnauthorized {
			t.Errorf("%s: %d %s", path, code, text)
		}
	}
	if code, text := ask(t, http.DefaultClient, "GET", url+"/metrics", token, ""); code != http.StatusOK || !strings.Contains(text, "outbox_") {
		t.Errorf("%d %s", code, text)
	}
}

func TestWithoutCredentialsThereIsNoAPIUnlessItIsOpened(t *testing.T) {
	closed, opened := testenv.Address(t), testenv.Address(t)
	const rest = ", publisher: {enabled: false}, consumer: {enabled: true}}"
	load(t, newFile(t), "outbox: {admin: {addr: '"+closed+"'}"+rest).run()
	r := load(t, newFile(t), "outbox: {admin: {addr: '"+opened+"', anonymous: viewer}"+rest)
	r.run()
	r.until("the API is there", func() bool { code, _ := get(t, opened, "/api/v1/status"); return code == http.StatusOK })
	if code, text := ask(t, http.DefaultClient, "POST", "http://"+opened+"/api/v1/pause", "", `{"all":true}`); code != http.StatusForbidden {
		t.Errorf("anybody pauses: %d %s", code, text)
	}
	if code, text := ask(t, http.DefaultClient, "GET", "http://"+opened+"/api/v1/status", "wrong", ""); code != http.StatusUnauthorized {
		t.Errorf("a wrong token: %d %s", code, text)
	}
	if code, text := askAs(t, "evil.example", "http://"+opened+"/api/v1/status"); code != http.StatusUnauthorized {
		t.Errorf("by a host name: %d %s", code, text)
	}
	r.until("it is ready", func() bool { code, _ := get(t, closed, "/readyz"); return code == http.StatusOK })
	if code, text := get(t, closed, "/api/v1/status"); code != http.StatusNotFound || !strings.Contains(text, "outbox.admin.tokens") {
		t.Errorf("%d %s", code, text)
	}
	if code, _ := get(t, closed, "/metrics"); code != http.StatusOK {
		t.Errorf("metrics: %d", code)
	}
}

// askAs asks under another host name, as a browser does whose name server was
// told that it has this address.
func askAs(t *testing.T, host, url string) (int, string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Host = host
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err.Error()
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err.Error()
	}
	http.DefaultClient.CloseIdleConnections()
	return resp.StatusCode, string(text)
}

func TestAShutdownWaitsForJobsBeforeItClosesTheDatabase(t *testing.T) {
	addr, h := testenv.Address(t), newHook(t)
	h.reply = func(*http.Request) int { return http.StatusBadRequest }
	r := load(t, newFile(t), `outbox:
  admin: {addr: '`+addr+`', tokens: {ci: {role: operator, token: `+token+`}}}
  publisher:
    sender: {type: http, url: '`+h.URL+`'}
    defaults: {fixed-delay: 100ms, max-retries: 0}
    events: {a: {topic: /x}}
`)
	stop := r.run()
	r.insert("a", 50)
	url := "http://" + addr + "/api/v1/"
	r.until("all are dead", func() bool {
		_, text := ask(t, http.DefaultClient, "GET", url+"status", token, "")
		return strings.Contains(text, `"dead":{"n":50,`)
	})
	if code, text := ask(t, http.DefaultClient, "POST", url+"jobs/resolve", token, `{"all":true,"rate":1}`); code != http.StatusOK {
		t.Fatalf("%d %s", code, text)
	}
	r.until("it has begun", func() bool {
		_, text := ask(t, http.DefaultClient, "GET", url+"audit", token, "")
		return strings.Contains(text, `"resolve"`)
	})
	if err := stop(); err != nil {
		t.Error(err)
	}
	if strings.Contains(r.log.String(), "database is closed") {
		t.Error(r.log)
	}
}

func TestTheAddressHasTLS(t *testing.T) {
	addr, cert, key, pool := testenv.Address(t), filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem"), x509.NewCertPool()
	selfSigned(t, cert, key, pool)
	r := load(t, newFile(t), "outbox: {admin: {addr: '"+addr+"', tokens: {ci: {token: "+token+"}}, tls: {cert-file: "+cert+", key-file: "+key+"}}, publisher: {enabled: false}, consumer: {enabled: true}}")
	r.run()
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS12}}}
	r.until("it answers", func() bool {
		code, _ := ask(t, client, "GET", "https://"+addr+"/api/v1/status", token, "")
		return code == http.StatusOK
	})
	if code, _ := get(t, addr, "/livez"); code == http.StatusOK {
		t.Error("it answers without TLS")
	}
}

// selfSigned writes a certificate for the loopback interface.
func selfSigned(t *testing.T, certFile, keyFile string, pool *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		IsCA: true, BasicConstraintsValid: true,
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for file, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: cert}, keyFile: {Type: "PRIVATE KEY", Bytes: der}} {
		if err := os.WriteFile(file, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	parsed, err := x509.ParseCertificate(cert)
	if err != nil {
		t.Fatal(err)
	}
	pool.AddCert(parsed)
}

func TestCredentialsThatCannotWorkAreToldAtTheStart(t *testing.T) {
	for content, want := range map[string]string{
		"{addr: ':1', tokens: {ci: {role: operator}}}":                                                         "needs one of token and token-sha256",
		"{addr: ':1', tokens: {ci: {token: short}}}":                                                           "fewer than 16 characters",
		"{addr: ':1', tokens: {ci: {token-sha256: abc}}}":                                                      "not a SHA-256 sum",
		"{addr: ':1', users: {ann: {password: " + token + ", password-sha256: abc}}}":                          "needs one of password and password-sha256",
		"{addr: ':1', tokens: {ci: {role: root, token: " + token + "}}}":                                       "role",
		"{tokens: {ci: {token: " + token + "}}}":                                                               "outbox.admin.addr is missing",
		"{addr: ':1', tokens: {ann: {token: " + token + "}}, users: {ann: {password: another-" + token + "}}}": "has the name of a token",
		"{addr: ':1', tokens: {ci: {token: '" + token + " '}}}":                                                "begins or ends with a space",
		"{addr: ':1', tls: {cert-file: x}}":                                                                    "only one of cert-file and key-file",
	} {
		_, _, err := config.Read("outbox.yaml", []byte("outbox: {database: {url: 'sqlite://x.db'}, publisher: {sender: {type: log}, events: {a: {topic: x}}}, admin: "+content+"}"), nil)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), token) {
			t.Errorf("%s: %v, want %s", content, err, want)
		}
	}
}
