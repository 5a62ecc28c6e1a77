package config

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"testing"
)

func TestWhatIsShownHasNoSumOfASecret(t *testing.T) {
	sum := func(text string) string {
		s := sha256.Sum256([]byte(text))
		return hex.EncodeToString(s[:])
	}
	token, password := sum("a token of many characters"), sum("hunter2")
	c, _, err := Read("outbox.yaml", []byte(`outbox:
  admin:
    addr: 127.0.0.1:9464
    tokens: {grafana: {role: viewer, token-sha256: `+token+`}}
    users: {ada: {role: admin, password-sha256: `+password+`}}
`), []string{"OUTBOX_DATABASE_URL=sqlite://x"})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"the token": token, "the password": password} {
		if bytes.Contains(c.Show(), []byte(text)) {
			t.Errorf("the sum of %s is shown", name)
		}
		if !bytes.Contains(c.Print(), []byte(text)) { // Show has not changed it
			t.Errorf("the sum of %s is not printed", name)
		}
	}
	if !bytes.Contains(c.Show(), []byte("grafana")) || !bytes.Contains(c.Show(), []byte("ada")) {
		t.Errorf("nobody is shown:\n%s", c.Show())
	}
}
