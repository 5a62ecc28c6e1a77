// Package apiclient does through the REST API of package admin what the command
// line does with an outbox. Its errors are those of package dburl, and never show
// a token or a password.
package apiclient
