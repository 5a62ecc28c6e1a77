package oidc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

// maxAnswer bounds an answer of the provider.
const maxAnswer = 1 << 20

// bounded is a transport that bounds the length of answers.
type bounded struct{ next http.RoundTripper }

func of(t http.RoundTripper) http.RoundTripper {
	if t == nil {
		return http.DefaultTransport
	}
	return t
}

// RoundTrip implements [http.RoundTripper].
func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := b.next.RoundTrip(r)
	if err == nil {
		resp.Body = http.MaxBytesReader(nil, resp.Body, maxAnswer)
	}
	return resp, err
}

// errKeys: the keys of the issuer could not be fetched.
var errKeys = errors.New("oidc: the keys of the issuer cannot be fetched")

// sparing is a transport that fetches the keys at most every few seconds. Every
// token with an unknown key asks for them, and anybody can send one.
type sparing struct {
	next http.RoundTripper

	mu    sync.Mutex
	asked time.Time
	text  []byte
	err   error
}

// RoundTrip implements [http.RoundTripper].
func (s *sparing) RoundTrip(r *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked.IsZero() || time.Since(s.asked) >= again {
		s.text, s.err = fetch(s.next, r)
		s.asked = time.Now()
	}
	if s.err != nil {
		return nil, fmt.Errorf("%w: %w", errKeys, s.err)
	}
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(bytes.NewReader(s.text)), Request: r,
	}, nil
}

func fetch(t http.RoundTripper, r *http.Request) ([]byte, error) {
	resp, err := t.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, errors.New(resp.Status)
	}
	return io.ReadAll(resp.Body)
}

type failureKey struct{}

// told is a set of keys that puts its error where failureKey says: the verifier
// keeps only its text.
type told struct{ oidc.KeySet }

// VerifySignature implements the KeySet of go-oidc.
func (t told) VerifySignature(ctx context.Context, jwt string) ([]byte, error) {
	payload, err := t.KeySet.VerifySignature(ctx, jwt)
	if at, ok := ctx.Value(failureKey{}).(*error); ok {
		*at = err
	}
	return payload, err
}
