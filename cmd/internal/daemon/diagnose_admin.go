package daemon

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"strings"

	"github.com/sendoff-go/outbox/cmd/internal/doctor"
)

// lookAtAdmin asks whoever listens on the admin address of this machine whether
// it is ready.
func (d *Daemon) lookAtAdmin(ctx context.Context) (doctor.Answer, error) {
	a := d.config.Admin
	host, port, err := net.SplitHostPort(a.Addr)
	if err != nil {
		return doctor.Fail("write outbox.admin.addr as host:port", "%v", err), nil
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	scheme := "http"
	if a.TLS.CertFile != "" {
		scheme = "https"
	}
	// Who it is does not matter here: the certificates have a check of their own.
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+"://"+net.JoinHostPort(host, port)+"/readyz", nil)
	if err != nil {
		return doctor.Answer{}, err
	}
	resp, err := client.Do(req)
	if err != nil {
		return doctor.Warn("start the daemon, or run doctor where it runs", "nobody answers at %s: %v", net.JoinHostPort(host, port), err), nil
	}
	defer func() { _ = resp.Body.Close() }()
	body, _ := io.ReadAll(io.LimitReader(resp.Body, 500))
	text := strings.TrimSpace(string(body))
	switch {
	case resp.StatusCode == http.StatusOK && strings.HasPrefix(text, "ready"):
		return doctor.Okay("the daemon is %s", text), nil
	case resp.StatusCode == http.StatusServiceUnavailable:
		return doctor.Warn("see its log", "the daemon is not ready: %s", text), nil
	}
	return doctor.Fail("choose another outbox.admin.addr, or stop that program", "another program answers there, with %s", resp.Status), nil
}
