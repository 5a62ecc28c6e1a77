// Package doctor looks for what keeps an outbox from working, or will soon, and
// says what to do about it.
//
// A [Check] looks at one thing and answers with an [Answer]. [Run] runs checks
// side by side, each within a time limit of its own, and returns a [Finding] for
// each. [Database] has the checks of a database; package daemon has those of a
// configuration.
//
// What a check asks a database is in sql/<dialect>/*.sql, one file for each
// question, with the default table names in it. A dialect without the file has no
// such question, and the check is skipped. No check changes anything.
package doctor
