// Package stored says how the values of an event stand in a SQL database: what
// is rounded, what is bounded, and what of a row that somebody else wrote cannot
// be read. The stores that read and write rows agree on it.
package stored
