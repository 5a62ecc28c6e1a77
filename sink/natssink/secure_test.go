package natssink_test

import (
	"crypto/tls"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/sendoff-go/outbox/internal/sinkrig"
	"github.com/sendoff-go/outbox/internal/testenv"
	"github.com/sendoff-go/outbox/sink/natssink"
)

// secured returns a configuration for the encrypted port, with a password.
func secured(t *testing.T) natssink.Config {
	t.Helper()
	s := testenv.Secure(t, testenv.NATS)
	return natssink.Config{URL: "tls://" + s.Addr, TLS: s.TLS(t), User: s.User, Password: s.Password}
}

// withToken returns a configuration for the server that requires a token.
func withToken(t *testing.T) natssink.Config {
	t.Helper()
	s := testenv.Secure(t, testenv.NATS)
	return natssink.Config{URL: "tls://" + s.TokenAddr, TLS: s.TLS(t), Token: s.Token}
}

func TestAPasswordWorksOverTLS(t *testing.T) {
	s := open(t, secured(t))
	subject := newSubject(t, nil)
	mustSend(t, s, message(subject, "hello"))
	if err := s.Check(t.Context()); err != nil {
		t.Error(err)
	}
	if got := consume(t, subject).receive(1, patience); len(got) != 1 {
		t.Errorf("%d messages", len(got))
	}
}

func TestATokenWorksOverTLS(t *testing.T) {
	cfg := withToken(t)
	delivers(t, cfg, nats.Secure(cfg.TLS), nats.Token(cfg.Token))
}

func TestACredentialsFileWorks(t *testing.T) {
	t.Parallel() // with the other tests that wait for a refusal
	url, creds, stranger := natsWithAccounts(t)
	delivers(t, natssink.Config{URL: url, CredsFile: creds}, nats.UserCredentials(creds))
	refused(t, open(t, natssink.Config{URL: url, CredsFile: stranger}), "the credentials file")
}

// delivers sends one message to a server other than the usual one, and reads it
// with a client that has these options.
func delivers(t *testing.T, cfg natssink.Config, options ...nats.Option) {
	t.Helper()
	nc := dial(t, cfg.URL, options...)
	defer nc.Close()
	js := streamsOf(t, nc)
	stream, err := js.CreateStream(t.Context(), jetstream.StreamConfig{Name: "other", Subjects: []string{"other"}, Storage: jetstream.MemoryStorage})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = js.DeleteStream(t.Context(), "other") }()
	mustSend(t, open(t, cfg), message("other", "hello"))
	if info, err := stream.Info(t.Context()); err != nil || info.State.Msgs != 1 {
		t.Errorf("%+v %v", info, err)
	}
}

// refused checks that a sink is unavailable and says why. An answer that comes
// while the client connects once more cannot: the client keeps the reason to
// itself meanwhile.
func refused(t *testing.T, s *natssink.Sink, says string) {
	t.Helper()
	sinkrig.AwayAndSays(t, s, message("orders", "hello"), says)
	if s.Check(t.Context()) == nil {
		t.Error("the check passes")
	}
}

func TestAWrongLoginOrAuthorityIsUnavailableAndSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		cfg    func(*testing.T) natssink.Config
		change func(*natssink.Config)
		want   string
	}{
		"password":  {secured, func(c *natssink.Config) { c.Password = "wrong" }, "check the user and the password"},
		"token":     {withToken, func(c *natssink.Config) { c.Token = "wrong" }, "check the user and the password, the token"},
		"no token":  {withToken, func(c *natssink.Config) { c.Token = "" }, "check the user and the password, the token"},
		"authority": {secured, func(c *natssink.Config) { c.TLS = &tls.Config{MinVersion: tls.VersionTLS12} }, "RootCAs"},
		"name":      {secured, func(c *natssink.Config) { c.TLS.ServerName = "elsewhere" }, "ServerName"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cfg := c.cfg(t)
			c.change(&cfg)
			refused(t, open(t, cfg), c.want)
		})
	}
}

func TestAMissingClientCertificateIsUnavailable(t *testing.T) {
	t.Parallel()
	cfg := secured(t)
	cfg.TLS.Certificates = nil
	sinkrig.AwayAndSays(t, open(t, cfg), message("orders", "hello"), "cert-file")
}
