// Package locktest tests stores on database/sql where other sessions keep rows
// locked and an administrator has set limits.
package locktest
