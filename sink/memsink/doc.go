// Package memsink is a sink in memory: messages go to a channel in the same
// process. It is for examples, and for connecting two parts of one program by
// events before there is a broker.
//
// What is not promised: a message that was sent but not yet received is lost
// with the process.
package memsink
