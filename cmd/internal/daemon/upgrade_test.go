package daemon

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// After such an answer nobody but the receiver ends the connection.
func TestAReceiverThatSwitchesProtocolsDoesNotHoldUpTheShutdown(t *testing.T) {
	asked := make(chan struct{}, 100)
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = conn.Close() }()
		_, _ = conn.Write([]byte("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n"))
		asked <- struct{}{}
		<-release
	}))
	defer server.Close()
	defer close(release)
	r := load(t, newFile(t), fmt.Sprintf("outbox: {publisher: {sender: {type: http, url: %q}, defaults: {fixed-delay: 100ms}, events: {a: {}}}}", server.URL))
	stop := r.run()
	r.insert("a", 1)
	<-asked
	r.until("the attempt counts", func() bool { return r.count("SELECT attempts FROM outbox_event") >= 1 }) // and it may be tried again
	done := make(chan error, 1)
	go func() { done <- stop() }()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(patience):
		t.Fatal("the daemon does not end")
	}
}
