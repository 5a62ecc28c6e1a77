// Package dlq is what a person does with dead letters: retry, resolve or delete
// some by id, or all that a filter matches.
//
//	report, err := dlq.Run(ctx, store, dlq.Job{
//		Action: dlq.Retry,
//		Filter: driver.DeadFilter{Lane: "order-placed", Error: "connection refused"},
//		Act:    driver.Act{By: "ann", Note: "the gateway is back"},
//	})
//
// A retry keeps the event's id, so that a consumer that had it after all skips
// it. Where the store keeps an audit log, every batch has its entry there.
package dlq
