// Package faultproxy stands between a client and a server in tests, and breaks
// the connection as a network does: refused, cut, cut after so many bytes,
// hanging, or without answers.
//
//	p := faultproxy.New(t, "127.0.0.1:5432")
//	connect(p.Addr())
//	p.Hang()
//
// What is held back while the way hangs arrives when it passes again, as after
// a partition of a real network.
package faultproxy
