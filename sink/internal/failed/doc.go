// Package failed remembers the destinations that could not be reached, for the
// checks of sinks whose server answers while some of its topics do not.
package failed
