package natssink_test

import (
	"strings"
	"testing"

	"github.com/nats-io/nats.go"

	"github.com/sendoff-go/outbox/sink/natssink"
)

func TestAConfigThatCannotWorkIsRefused(t *testing.T) {
	const server = "nats://localhost:4222"
	for _, tt := range []struct {
		cfg  natssink.Config
		want string
	}{
		{natssink.Config{}, "URL is empty"},
		{natssink.Config{URL: "nats://u:secret@:bad"}, "nats://host:port"},
		{natssink.Config{URL: server + ",elsewhere"}, "server 2"},
		{natssink.Config{URL: server, User: "u", Token: "secret"}, "only one of"},
		{natssink.Config{URL: server, Password: "secret"}, "User is not"},
		{natssink.Config{URL: server, Client: &nats.Conn{}, Token: "secret"}, "give those to the connection"},
		{natssink.Config{URL: server, Timeout: -1}, "positive"},
		{natssink.Config{URL: server, Window: -1}, "positive"},
		{natssink.Config{URL: server, CredsFile: "/does/not/exist"}, "/does/not/exist"},
	} {
		s, err := natssink.New(tt.cfg)
		if err == nil {
			_ = s.Close()
			t.Errorf("%q was accepted", tt.want)
			continue
		}
		if !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("error %q, expected %q in it and no password", err, tt.want)
		}
	}
}
