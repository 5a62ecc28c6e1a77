// Package faultproxy is a proxy between a client and a server in tests. It
// breaks connections as a network does: refused, cut, cut after a number of
// bytes, hanging, hanging once a client has sent a word, or without answers.
//
//	p := faultproxy.New(t, "127.0.0.1:5432")
//	connect(p.Addr())
//	p.Hang()
//
// Bytes that are held back arrive when the proxy passes again, as after a
// partition of a real network.
package faultproxy
