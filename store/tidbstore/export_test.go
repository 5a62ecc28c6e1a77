package tidbstore

// Files are those that this dialect has of its own.
var Files = files
