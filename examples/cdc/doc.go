// Package cdc only writes. Another program reads the table, such as a change data
// capture pipeline that follows the database's log, so no relay runs.
//
// Rows are then never marked as delivered. What is old is deleted by age, with a
// method that has a name of its own because it asks nobody whether an event was
// read: keep the age well above the longest outage of the pipeline. It refuses to
// run while a relay is alive on the table.
package cdc
