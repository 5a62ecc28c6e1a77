// Package apiclient does what the command line does with an outbox, through the
// REST API of package admin. Its errors are those of package dburl, and never
// show a token or a password.
package apiclient
