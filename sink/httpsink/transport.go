package httpsink

import (
	"net"
	"net/http"
	"time"
)

func (c Config) transport() *http.Transport {
	dialer := &net.Dialer{Timeout: c.Timeout, KeepAlive: 30 * time.Second}
	t := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		DialContext:         dialer.DialContext,
		TLSClientConfig:     c.TLS,
		TLSHandshakeTimeout: c.Timeout,
		ForceAttemptHTTP2:   true,
		MaxIdleConns:        1000,
		MaxIdleConnsPerHost: 64,
		IdleConnTimeout:     90 * time.Second,
		// The default lets a receiver send 10 MB of headers for each request.
		MaxResponseHeaderBytes: 64 << 10,
	}
	if c.BlockPrivate {
		t.Proxy = nil
		dialer.Control = refusePrivate
	}
	return t
}

// maxRedirects is enough for a path that was moved.
const maxRedirects = 3

// follow follows redirects that repeat the request at the same host. Any other
// redirect is itself the answer.
func follow(req *http.Request, via []*http.Request) error {
	first := via[0]
	if len(via) > maxRedirects || req.Method != first.Method ||
		req.URL.Scheme != first.URL.Scheme || req.URL.Host != first.URL.Host {
		return http.ErrUseLastResponse
	}
	return nil
}
