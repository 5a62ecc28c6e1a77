package main

import (
	"context"
	"net"
	"net/http"
	"time"
)

// server is an HTTP server on an address.
type server struct {
	http.Server
	url string
}

// serve serves until close.
func serve(addr string, handler http.Handler) (*server, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	s := &server{url: "http://" + l.Addr().String()}
	s.Handler = handler
	s.ReadHeaderTimeout = 10 * time.Second
	go func() { _ = s.Serve(l) }() // until close
	return s, nil
}

// close lets the requests in progress finish.
func (s *server) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := s.Shutdown(ctx); err != nil {
		return s.Close() // somebody watches the console
	}
	return nil
}
