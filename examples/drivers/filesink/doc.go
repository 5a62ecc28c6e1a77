// Package filesink is an example of a sink: it appends messages to files, one JSON
// object per line, and acknowledges them when the disk has them. A destination is
// the name of a file in the sink's directory.
//
// What is not promised: that a message is in its file once. A process that dies
// between the write and the settle sends it again, as with every sink; a reader
// tells by the event's id.
package filesink
