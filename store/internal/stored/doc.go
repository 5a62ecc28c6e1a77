// Package stored defines how a SQL database holds the values of an event: what
// is rounded, what is bounded, and which values of a row that another program
// wrote cannot be read. All stores that read and write rows use it.
package stored
