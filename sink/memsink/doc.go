// Package memsink is a sink in memory: messages go to a channel in the same
// process. It is for examples, and for joining two parts of one program by
// events before there is a broker.
//
// What is not promised: a message that was sent and not yet received is gone
// with the process.
package memsink
