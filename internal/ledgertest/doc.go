// Package ledgertest makes subjects for package inboxtest from the stores of
// this module.
package ledgertest
