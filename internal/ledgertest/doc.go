// Package ledgertest makes subjects for package inboxtest out of the stores of
// this module.
package ledgertest
