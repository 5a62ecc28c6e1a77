// Package dlq lets a person act on dead letters: retry, resolve, delete or
// annotate them by id, or retry one with another payload. To act on all letters
// that a filter matches, see package job.
//
//	results, err := dlq.Apply(ctx, store, dlq.Retry, driver.Act{By: "ann", Note: "the gateway is back"}, ids)
//
// A retry keeps the event's id, so that a consumer that did get the event skips
// it. If the store keeps an audit log, every call adds an entry.
package dlq
