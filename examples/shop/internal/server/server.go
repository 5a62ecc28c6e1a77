package server

import (
	"context"
	"net"
	"net/http"
	"time"
)

// Server is an HTTP server on an address. It is safe for concurrent use.
type Server struct {
	URL  string
	http http.Server
}

// Start serves until Close. Port 0 of the address is any that is free.
func Start(addr string, handler http.Handler) (*Server, error) {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, err
	}
	s := &Server{URL: "http://" + l.Addr().String(), http: http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}}
	go func() { _ = s.http.Serve(l) }() // until Close
	return s, nil
}

// Close lets the requests in progress finish.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := s.http.Shutdown(ctx); err != nil {
		return s.http.Close() // somebody watches the console
	}
	return nil
}
