// Package dlq is what a person does with some dead letters: retry, resolve or
// delete them by id, or retry one with another payload. For what a filter matches,
// see package job.
//
//	results, err := dlq.Apply(ctx, store, dlq.Retry, driver.Act{By: "ann", Note: "the gateway is back"}, ids)
//
// A retry keeps the event's id, so that a consumer that had it after all skips
// it. Where the store keeps an audit log, every call has its entry there.
package dlq
