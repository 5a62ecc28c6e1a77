// Package certhint says what to do about a certificate that a client does not
// accept, in the words of the sinks' and the daemon's configuration.
package certhint
