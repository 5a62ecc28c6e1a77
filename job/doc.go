// Package job changes many dead letters and delivered events: it retries,
// resolves or deletes the letters that a filter matches, replays delivered events,
// and erases what the events of a tenant or an aggregate said.
//
// [Start] counts what matches and stores the job. A [Runner] works it off in
// batches, from the latest row to the earliest, one transaction each. The position
// is stored in the transaction of its batch: if the process ends, another runner
// goes on where it was, and what was counted is exact. [Cancel] stops a job on
// every instance; what it did stays done. A job over a bound may need [Consent].
//
// It changes just the rows that it finds: a letter that was resolved, retried or
// deleted meanwhile is left alone, and so is one that comes while it runs. Two
// jobs at once change each row once.
package job
