// Package top shows an outbox as a live terminal screen: what waits, the rates in and
// out, the latency, what is down and which relays run.
package top
