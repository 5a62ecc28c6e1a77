// Package job changes many dead letters or delivered events at once: it retries,
// resolves or deletes the letters that a filter matches, replays delivered
// events, and erases the contents of the events of a tenant or an aggregate.
//
// [Start] counts what matches and stores the job. A [Runner] processes it in
// batches, from the latest row to the earliest, one transaction each. The job's
// position is stored in the transaction of each batch: if the process ends,
// another runner continues where it stopped, and the counts stay exact. [Cancel]
// stops a job on every instance; what it has done stays done. A job that matches
// more rows than a bound may need [Consent].
//
// A job leaves alone letters that were resolved, retried or deleted in the
// meantime, and letters that arrive while it runs. Two jobs that run at once
// change each row once.
package job
