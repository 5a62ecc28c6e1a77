// Package cdc only writes. Another program reads the table, such as a change data
// capture pipeline that follows the database's log, so no relay runs. README.md
// shows it with Debezium.
//
// Rows are then never marked as delivered. ExpireWritten deletes them by age,
// whether or not the pipeline has read them: keep the age well above its
// longest outage. It refuses to run while a relay is alive on the table.
package cdc
