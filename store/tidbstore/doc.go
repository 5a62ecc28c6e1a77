// Package tidbstore keeps an outbox in TiDB.
package tidbstore
