// Package top shows an outbox as a live terminal screen: what waits, what comes in
// and goes out a second, how long that takes, what is down and who is running.
package top
